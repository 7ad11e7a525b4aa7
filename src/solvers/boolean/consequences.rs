//! Forced values and equal variables of a Boolean formula.
//!
//! A variable has a value where each assignment that makes the formula 1 gives it that; a pass over the
//! diagram finds all of these. Two are equal if the later one is decided by what is above it (Triska 2016, section 5).

use super::diagrams::{Diagrams, FALSE, Node, TRUE};
use num_bigint::{BigInt, Sign};
use rustc_hash::FxHashMap;
use zug_term::watchdog;

#[derive(Default)]
pub struct Consequences {
    /// Variables with their values.
    pub values: Vec<(u32, bool)>,
    /// Pairs of variables that are equal: an earlier one and a later one.
    pub equal: Vec<(u32, u32)>,
}

/// How nodes of a variable look.
#[derive(Clone, Copy)]
struct Shape {
    /// No path to 1 passes the variable by.
    on_all_paths: bool,
    low_is_false: bool,
    high_is_false: bool,
    /// Each node has 0 as a child.
    decided: bool,
    /// No node has 1 as a child.
    branching: bool,
}

/// Finds them for a formula that is not 0.
pub fn of(diagrams: &mut Diagrams, formula: Node) -> Consequences {
    let vars = diagrams.support(formula);
    let shapes = shapes(diagrams, formula, &vars);
    let mut found = Consequences::default();
    for (&var, shape) in vars.iter().zip(&shapes) {
        if shape.on_all_paths && (shape.low_is_false || shape.high_is_false) {
            found.values.push((var, shape.low_is_false));
        }
    }
    let open = |shape: &Shape| shape.on_all_paths && !shape.low_is_false && !shape.high_is_false;
    let places = |fits: fn(&Shape) -> bool| -> Vec<usize> {
        (0..vars.len()).filter(|&at| open(&shapes[at]) && fits(&shapes[at])).collect()
    };
    let (first, second) = (places(|shape| shape.branching), places(|shape| shape.decided));
    let mut taken = vec![false; vars.len()];
    for &one in &first {
        if taken[one] {
            continue;
        }
        let halves = diagrams.cofactors(formula, vars[one]);
        for &other in second.iter().filter(|&&other| other > one) {
            watchdog::step();
            if !taken[other]
                && diagrams.at(halves[0], vars[other], true) == FALSE
                && diagrams.at(halves[1], vars[other], false) == FALSE
            {
                taken[other] = true;
                found.equal.push((vars[one], vars[other]));
            }
        }
    }
    found
}

fn shapes(diagrams: &Diagrams, formula: Node, vars: &[u32]) -> Vec<Shape> {
    let all = Shape {
        on_all_paths: true,
        low_is_false: true,
        high_is_false: true,
        decided: true,
        branching: true,
    };
    let mut shapes = vec![all; vars.len()];
    // How many edges more begin than end to pass by, at each variable.
    let mut passing = vec![0i64; vars.len() + 1];
    let mut pass = |from: usize, to: usize| {
        if from < to {
            passing[from] += 1;
            passing[to] -= 1;
        }
    };
    pass(0, diagrams.place(formula, vars));
    for node in diagrams.nodes_of(formula) {
        watchdog::step();
        let inner = diagrams.inner(node);
        let place = diagrams.place(node, vars);
        let shape = &mut shapes[place];
        shape.low_is_false &= inner.low == FALSE;
        shape.high_is_false &= inner.high == FALSE;
        shape.decided &= inner.low == FALSE || inner.high == FALSE;
        shape.branching &= inner.low != TRUE && inner.high != TRUE;
        for child in [inner.low, inner.high] {
            if child != FALSE {
                pass(place + 1, diagrams.place(child, vars));
            }
        }
    }
    let mut open = 0;
    for (shape, change) in shapes.iter_mut().zip(&passing) {
        open += change;
        shape.on_all_paths = open == 0;
    }
    shapes
}

/// The greatest sum of the weights of variables that are 1 where a formula is 1, and the formula that is 1
/// where the sum is that. The formula is not 0, and its variables are among those that have weights.
pub fn heaviest(
    diagrams: &mut Diagrams,
    formula: Node,
    weights: &[(u32, BigInt)],
) -> (BigInt, Node) {
    let vars: Vec<u32> = weights.iter().map(|(var, _)| *var).collect();
    let mut best: FxHashMap<Node, (BigInt, Node)> = FxHashMap::default();
    best.insert(TRUE, (BigInt::ZERO, TRUE));
    for node in diagrams.nodes_of(formula) {
        watchdog::step();
        let inner = diagrams.inner(node);
        let place = diagrams.place(node, &vars);
        let [low, high] = [inner.low, inner.high].map(|child| {
            let (sum, kept) = best.get(&child).cloned()?;
            let below = &weights[place + 1..diagrams.place(child, &vars)];
            Some(passed(diagrams, sum, kept, below))
        });
        let high = high.map(|(sum, kept)| (sum + &weights[place].1, kept));
        let found = match (low, high) {
            (Some(low), Some(high)) if low.0 == high.0 => {
                (low.0, diagrams.make(inner.var, low.1, high.1))
            }
            (Some(low), high) if high.as_ref().is_none_or(|high| low.0 > high.0) => {
                (low.0, diagrams.make(inner.var, low.1, FALSE))
            }
            (_, Some(high)) => (high.0, diagrams.make(inner.var, FALSE, high.1)),
            (_, None) => continue,
        };
        best.insert(node, found);
    }
    let (sum, kept) = best.remove(&formula).expect("it is not 0");
    let above = &weights[..diagrams.place(formula, &vars)];
    passed(diagrams, sum, kept, above)
}

/// A sum and a formula below variables that are passed by, each of them with the value that is better.
fn passed(
    diagrams: &mut Diagrams,
    sum: BigInt,
    formula: Node,
    weights: &[(u32, BigInt)],
) -> (BigInt, Node) {
    weights.iter().rev().fold((sum, formula), |(sum, below), (var, weight)| match weight.sign() {
        Sign::Plus => (sum + weight, diagrams.make(*var, FALSE, below)),
        Sign::Minus => (sum, diagrams.make(*var, below, FALSE)),
        Sign::NoSign => (sum, below),
    })
}
