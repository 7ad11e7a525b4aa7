//! Games of several stages: against a small program of its own, and what can't be solved.

use super::tests::session;
use super::{NashTask, find_nash};
use zug_matrix::{Rational, ratio};
use zug_search::StopReason;

const GOOFSPIEL: &str = include_str!("../../../rules/goofspiel.pl");

/// The value of a matrix game by the square submatrix that both are indifferent in (Shapley,
/// Snow 1950), found by trying all of them.
fn value(matrix: &[Vec<Rational>]) -> Rational {
    let (rows, columns) = (matrix.len(), matrix[0].len());
    for row_set in 1_u32..1 << rows {
        for column_set in 1_u32..1 << columns {
            if row_set.count_ones() != column_set.count_ones() {
                continue;
            }
            let members = |set: u32, of: usize| (0..of).filter(move |at| set >> at & 1 == 1);
            let part: Vec<Vec<Rational>> = members(row_set, rows)
                .map(|r| members(column_set, columns).map(|c| matrix[r][c].clone()).collect())
                .collect();
            let turned: Vec<Vec<Rational>> =
                (0..part.len()).map(|c| part.iter().map(|row| row[c].clone()).collect()).collect();
            let (Some((x, v)), Some((y, _))) = (indifferent(&turned), indifferent(&part)) else {
                continue;
            };
            let secures = (0..columns).all(|c| {
                let paid = members(row_set, rows).zip(&x).map(|(r, p)| &matrix[r][c] * p);
                paid.sum::<Rational>() >= v
            });
            let holds = (0..rows).all(|r| {
                let paid = members(column_set, columns).zip(&y).map(|(c, p)| &matrix[r][c] * p);
                paid.sum::<Rational>() <= v
            });
            if secures && holds {
                return v;
            }
        }
    }
    unreachable!("every matrix game has such a submatrix")
}

/// Probabilities that make all rows of a square matrix worth the same, and that worth.
fn indifferent(matrix: &[Vec<Rational>]) -> Option<(Vec<Rational>, Rational)> {
    let size = matrix.len();
    // Unknowns: a probability for each column, and the worth; the last row sums to 1.
    let (zero, one) = (ratio(0, 1), ratio(1, 1));
    let mut lines: Vec<Vec<Rational>> =
        matrix.iter().map(|row| [row.clone(), vec![-one.clone(), zero.clone()]].concat()).collect();
    lines.push([vec![one.clone(); size], vec![zero.clone(), one.clone()]].concat());
    for at in 0..=size {
        let pivot = (at..=size).find(|&line| lines[line][at] != zero)?;
        lines.swap(at, pivot);
        let factor = lines[at][at].clone();
        lines[at].iter_mut().for_each(|cell| *cell /= &factor);
        for other in (0..=size).filter(|&other| other != at) {
            let factor = lines[other][at].clone();
            let from = lines[at].clone();
            lines[other].iter_mut().zip(&from).for_each(|(cell, by)| *cell -= &factor * by);
        }
    }
    let mut solution: Vec<Rational> =
        lines.into_iter().map(|line| line[size + 1].clone()).collect();
    let worth = solution.pop()?;
    solution.iter().all(|share| *share >= zero).then_some((solution, worth))
}

/// Goofspiel by hand: what the first player gains from here on.
fn goofspiel(prizes: &[i64], mine: &[i64], yours: &[i64]) -> Rational {
    let Some((&prize, prizes)) = prizes.split_first() else { return ratio(0, 1) };
    let without = |cards: &[i64], card: i64| -> Vec<i64> {
        cards.iter().copied().filter(|&other| other != card).collect()
    };
    let cell = |a: i64, b: i64| {
        let gain = ratio(prize * (a - b).signum(), 1);
        gain + goofspiel(prizes, &without(mine, a), &without(yours, b))
    };
    let matrix: Vec<Vec<Rational>> =
        mine.iter().map(|&a| yours.iter().map(|&b| cell(a, b)).collect()).collect();
    value(&matrix)
}

/// What zug says of the same.
fn solved(prizes: &[i64], mine: &[i64], yours: &[i64]) -> Rational {
    let mut session = session(GOOFSPIEL);
    let text = format!("goofspiel({prizes:?}, {mine:?}, {yours:?}, 0)");
    let query = session.query(&text).expect("it reads");
    let cell = session.goal(&query).expect("a term");
    let state = zug_term::Record::new(&mut session.machine.heap, cell);
    session.close(query);
    let (m, w) = (&mut session.machine, &mut session.world);
    let found = find_nash(m, w, Some(&state), &NashTask::default()).expect("rules");
    let found = found.nash.expect("no limits");
    assert!(found.equilibria[0].certificate.holds());
    found.equilibria[0].certificate.payoffs[0].clone()
}

#[test]
fn goofspiel_has_the_values_of_another_program() {
    let nothing = ratio(0, 1);
    assert_eq!(solved(&[3, 2, 1], &[1, 2, 3], &[1, 2, 3]), nothing);
    assert_eq!(solved(&[4, 3, 2, 1], &[1, 2, 3, 4], &[1, 2, 3, 4]), nothing);
    let uneven: [(&[i64], &[i64], &[i64]); 4] = [
        (&[3, 2, 1], &[1, 2, 4], &[1, 2, 3]),
        (&[1, 3, 2], &[1, 3, 5], &[2, 3, 4]),
        (&[2, 3, 1], &[2, 3, 4], &[1, 3, 5]),
        (&[2, 4], &[1, 3], &[2, 3]),
    ];
    for (prizes, mine, yours) in uneven {
        assert_eq!(solved(prizes, mine, yours), goofspiel(prizes, mine, yours), "{mine:?}");
    }
    assert_eq!(goofspiel(&[3, 2, 1], &[1, 2, 4], &[1, 2, 3]), ratio(8, 5));
}

#[test]
fn limits_of_stages() {
    let mut session = session(GOOFSPIEL);
    let (m, w) = (&mut session.machine, &mut session.world);
    let state = super::first_state(m, w).expect("a start");
    let mut task = NashTask::default();
    task.limits.nodes = Some(10);
    let found = find_nash(m, w, state.as_ref(), &task).expect("rules");
    assert_eq!(found.nash.map(|_| ()), Err(StopReason::Nodes));
    let task = NashTask::default();
    m.interrupt.store(true, std::sync::atomic::Ordering::Relaxed);
    let stopped = find_nash(m, w, state.as_ref(), &task);
    let cancelled = match stopped {
        Ok(found) => found.nash.map(|_| ()) == Err(StopReason::Cancelled),
        Err(error) => error.fault().is_some(),
    };
    assert!(cancelled);
}
