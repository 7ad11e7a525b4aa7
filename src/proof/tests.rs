//! Random models against trying all values, and their proofs against the checker, which shares no code.

use crate::{
    Atom, Conclusion, Constraint, Model, Objective, Outcome, Task, Values, VarId, Variable, solve,
};
use zug_certificate::drcp::{Proved, check};
use zug_random::Random;

struct Draw(Random);

impl Draw {
    fn number(&mut self, lo: i32, hi: i32) -> i32 {
        lo + self.0.below((hi - lo + 1) as u64) as i32
    }

    fn some(&mut self, count: u32) -> Vec<VarId> {
        let mut all: Vec<VarId> = (0..count).map(VarId).collect();
        let size = self.number(2, count as i32) as usize;
        while all.len() > size {
            let at = self.number(0, all.len() as i32 - 1) as usize;
            all.remove(at);
        }
        all
    }

    fn model(&mut self) -> Model {
        let count = self.number(2, 5) as u32;
        let mut model = Model::default();
        for at in 0..count {
            let (lo, width) = (self.number(-3, 2), self.number(0, 5));
            let mut values = Values::interval(lo, lo + width);
            for value in lo + 1..lo + width {
                if self.number(0, 5) == 0 {
                    values.holes.push(value);
                }
            }
            model.variables.push(Variable { name: format!("v{at}"), values, note: None });
        }
        for _ in 0..self.number(1, 5) {
            let vars = self.some(count);
            let constraint = match self.number(0, 3) {
                0 => Constraint::AllDifferent(vars),
                1 => {
                    let tasks = vars.into_iter().map(|start| Task {
                        start,
                        duration: self.number(1, 4),
                        usage: self.number(1, 3),
                    });
                    Constraint::Cumulative(tasks.collect(), self.number(2, 4))
                }
                _ => {
                    let terms = vars.into_iter().map(|var| {
                        let by = self.number(1, 4);
                        (if self.number(0, 1) == 0 { by } else { -by }, var)
                    });
                    Constraint::AtMost(terms.collect(), self.number(-9, 4))
                }
            };
            model.constraints.push((Vec::new(), constraint));
        }
        model
    }
}

fn solutions(model: &Model) -> Vec<Vec<i32>> {
    let mut all = vec![Vec::new()];
    for variable in &model.variables {
        all = all
            .into_iter()
            .flat_map(|begun: Vec<i32>| {
                variable.values.iter().map(move |value| {
                    let mut longer = begun.clone();
                    longer.push(value);
                    longer
                })
            })
            .collect();
    }
    all.retain(|values| model.is_solution(values));
    all
}

fn text(model: &Model, proof: &crate::Proof) -> String {
    let mut text = Vec::new();
    proof.write(model, &mut text).expect("memory");
    String::from_utf8(text).expect("text")
}

#[test]
fn random_models_have_solutions_or_proofs() {
    let mut draw = Draw(Random::new(1));
    let (mut proved, mut solved) = (0, 0);
    for round in 0..3000 {
        let model = draw.model();
        let all = solutions(&model);
        match solve(&model, None, &mut || {}).0 {
            Outcome::Solution(values) => {
                solved += 1;
                assert!(model.is_solution(&values), "{round}: {model:?}");
            }
            Outcome::Proved(proof) => {
                proved += 1;
                assert!(all.is_empty(), "{round}: {model:?}");
                let text = text(&model, &proof);
                let checked = check(&model.flatzinc(), &text, &mut || {});
                assert_eq!(
                    checked,
                    Ok(Proved::Unsatisfiable),
                    "{round}:\n{}{text}",
                    model.flatzinc()
                );
            }
        }
    }
    assert!(proved > 500 && solved > 500, "{proved} {solved}");
}

#[test]
fn bounds_of_random_models_are_proved() {
    let mut draw = Draw(Random::new(2));
    for round in 0..1500 {
        let mut model = draw.model();
        let var = VarId(draw.number(0, model.variables.len() as i32 - 1) as u32);
        let values = solutions(&model).into_iter().map(|values| values[var.0 as usize]);
        let values: Vec<i32> = values.collect();
        let is_least = draw.number(0, 1) == 0;
        let best = if is_least { values.iter().min() } else { values.iter().max() };
        let Some(&best) = best else { continue };
        let objective = if is_least { Objective::Minimize(var) } else { Objective::Maximize(var) };
        model.objective = Some(objective);
        let better = objective.better_than(best);
        let Outcome::Proved(proof) = solve(&model, Some(better), &mut || {}).0 else {
            panic!("{round}: none is better than {best}: {model:?}");
        };
        assert_eq!(proof.conclusion, Conclusion::Bound(better.negated()));
        let text = text(&model, &proof);
        let checked = check(&model.flatzinc(), &text, &mut || {});
        assert_eq!(checked, Ok(Proved::Bound(best.into())), "{round}:\n{}{text}", model.flatzinc());
        let worse = if is_least { Atom::at_most(var, best) } else { Atom::at_least(var, best) };
        let found = solve(&model, Some(worse), &mut || {}).0;
        assert!(matches!(found, Outcome::Solution(values) if values[var.0 as usize] == best));
    }
}

#[test]
#[should_panic(expected = "an assumption is a bound")]
fn an_assumption_of_one_value_is_refused() {
    let _ = solve(&pigeons(3), Some(Atom::equal(VarId(0), 1)), &mut || {});
}

/// One variable more than values.
fn pigeons(count: u32) -> Model {
    let mut model = Model::default();
    for at in 0..count {
        let values = Values::interval(1, count as i32 - 1);
        model.variables.push(Variable { name: format!("p{at}"), values, note: None });
    }
    model
}

#[test]
fn values_are_counted_at_once_where_all_differ() {
    let mut model = pigeons(9);
    let all = (0..9).map(VarId).collect();
    model.constraints.push((Vec::new(), Constraint::AllDifferent(all)));
    let (Outcome::Proved(proof), stats) = solve(&model, None, &mut || {}) else {
        panic!("there is none")
    };
    assert_eq!((stats.decisions, proof.stages.len()), (0, 1));
}

#[test]
fn pairs_that_differ_take_a_search_whose_proof_is_accepted() {
    let mut model = pigeons(7);
    for one in 0..7 {
        for other in 0..one {
            let pair = vec![VarId(other), VarId(one)];
            model.constraints.push((Vec::new(), Constraint::AllDifferent(pair)));
        }
    }
    let (Outcome::Proved(proof), stats) = solve(&model, None, &mut || {}) else {
        panic!("there is none")
    };
    assert!(stats.conflicts > 10);
    let text = text(&model, &proof);
    assert_eq!(check(&model.flatzinc(), &text, &mut || {}), Ok(Proved::Unsatisfiable));
}
