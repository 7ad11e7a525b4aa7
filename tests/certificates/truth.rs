//! Whether what a certificate claims is so: found out by trying everything that the rules allow from the start, whatever the
//! certificate lists.

use super::judge::{Figure, at, end, figure, figures};
use super::oracle::{Oracle, place};
use std::collections::HashMap;
use zug_matrix::Rational;

/// Floats that are sums differ by rounding.
const NEAR: f64 = 1e-9;

/// States that are tried at most.
const MOST: usize = 500;

/// Whether the claim of a certificate holds: `Some(false)` if it is known to be false, `None` if that is not found out in this
/// way, or the claim can't be read. `known`: records of a certificate that holds, which say how ends are read and who plays.
pub fn holds(oracle: &mut Oracle, kind: &str, lines: &[String], known: &[String]) -> Option<bool> {
    let mut record = |lines: &[String], name: &str| -> Option<Vec<String>> {
        let line = lines.iter().find(|line| line.starts_with(&format!("{name}(")))?;
        oracle.record(line)
    };
    let start = record(lines, "start")?.get(2)?.clone();
    let claimed = |parts: Option<Vec<String>>| figure(parts?.get(1)?);
    match kind {
        "plan" | "cheapest" | "unsolvable" => {
            let cost = claimed(record(lines, "cost"));
            let least = cheapest(oracle, &start)?;
            Some(match (kind, least, cost) {
                ("unsolvable", least, _) => least.is_none(),
                (_, None, _) => false,
                (_, Some(least), cost) => {
                    let (least, cost) = (float(&least), float(&cost?.value));
                    let off = NEAR * least.max(1.0);
                    if kind == "plan" { cost >= least - off } else { (cost - least).abs() <= off }
                }
            })
        }
        "value" | "bounds" | "values" => {
            let mover = record(known, "player")?.get(1)?.clone();
            let utilities = record(known, "utilities")?;
            let (value, between) = (claimed(record(lines, "value")), record(lines, "between"));
            let scale = claimed(record(lines, "scale"));
            let (values, players) = (record(lines, "values"), record(lines, "players"));
            let start = at(&mover, &start);
            if kind == "values" {
                let players = oracle.list(players?.get(1)?)?;
                let claimed = figures(oracle, values?.get(1)?)?;
                let right = all_values(oracle, &players, &utilities, &start, &mut HashMap::new())?;
                return Some(claimed == right);
            }
            let sum = figure(&utilities[2])?.value;
            let first = if kind == "bounds" { between.as_ref()?[1].clone() } else { mover };
            let right = worth(oracle, &first, &sum, &start)?;
            Some(if kind == "value" {
                (float(&value?.value) - right).abs() <= NEAR
            } else {
                let (half, scale) = (float(&sum) / 2.0, float(&scale?.value));
                let bound =
                    |at: usize| Some(half + float(&figure(&between.as_ref()?[at])?.value) / scale);
                bound(2)? <= right + NEAR && right <= bound(3)? + NEAR
            })
        }
        _ => None,
    }
}

fn float(value: &Rational) -> f64 {
    zug_report::to_float(value)
}

/// What the cheapest plan costs, if there is one.
fn cheapest(oracle: &mut Oracle, start: &str) -> Option<Option<Rational>> {
    let mut costs = HashMap::from([(start.to_owned(), figure("0")?.value)]);
    let mut open = vec![start.to_owned()];
    let mut least: Option<Rational> = None;
    while let Some(state) = open.pop() {
        if costs.len() > MOST {
            return None;
        }
        let cost = costs[&state].clone();
        if oracle.is(&format!("judged_final({state})"))?
            && least.as_ref().is_none_or(|least| cost < *least)
        {
            least = Some(cost.clone());
        }
        for step in oracle.ask(&format!("judged_moves({state})"))?.chunks(3) {
            let sum = &cost + figure(&step[1])?.value;
            if costs.get(&step[2]).is_none_or(|known| sum < *known) {
                costs.insert(step[2].clone(), sum);
                open.push(step[2].clone());
            }
        }
    }
    Some(least)
}

/// What a game of two, or of one, is worth to a player: play of ever more moves, where what is not over is worth half.
fn worth(oracle: &mut Oracle, player: &str, sum: &Rational, start: &str) -> Option<f64> {
    let positions = oracle.reachable(start);
    let mut numbers = HashMap::new();
    for (number, position) in positions.iter().enumerate() {
        numbers.insert(position.clone(), number);
    }
    let half = float(sum) / 2.0;
    let (mut values, mut leads) = (vec![half; positions.len()], Vec::new());
    for (number, position) in positions.iter().enumerate() {
        let (mover, state) = place(position)?;
        let mut to = Vec::new();
        if oracle.is(&format!("judged_over({mover},{state})"))? {
            values[number] = float(&end(oracle, player, mover, state, sum)?.value);
        } else {
            for lead in oracle.ask(&format!("judged_leads({mover},{state})"))?.chunks(2) {
                let chance = match mover {
                    "chance" => {
                        let found = oracle.ask(&format!("judged_chance({},{state})", lead[0]))?;
                        float(&figure(&found[0])?.value)
                    }
                    _ => 0.0,
                };
                to.push((chance, numbers[&lead[1]]));
            }
        }
        leads.push((mover.to_owned(), to));
    }
    for _ in 0..10_000 {
        let mut change = 0.0_f64;
        let before = values.clone();
        for (number, (mover, to)) in leads.iter().enumerate().filter(|(_, (_, to))| !to.is_empty())
        {
            let all = to.iter().map(|&(_, at)| before[at]);
            let value = match mover.as_str() {
                "chance" => to.iter().map(|&(chance, at)| chance * before[at]).sum(),
                mover if mover == player => all.fold(f64::NEG_INFINITY, f64::max),
                _ if player == "nobody" => all.fold(f64::INFINITY, f64::min),
                _ => all.fold(f64::INFINITY, f64::min),
            };
            change = change.max((value - before[number]).abs());
            values[number] = value;
        }
        if change == 0.0 {
            break;
        }
    }
    values.first().copied()
}

/// What a state is worth to each player, where play ends.
fn all_values(
    oracle: &mut Oracle,
    players: &[String],
    utilities: &[String],
    position: &str,
    known: &mut HashMap<String, Vec<Figure>>,
) -> Option<Vec<Figure>> {
    if let Some(values) = known.get(position) {
        return Some(values.clone());
    }
    let (mover, state) = place(position)?;
    let mut values = Vec::new();
    if oracle.is(&format!("judged_over({mover},{state})"))? {
        for player in players {
            values.push(match utilities[1].as_str() {
                "each" => figure(&oracle.ask(&format!("judged_worth({player},{state})"))?[0])?,
                _ => end(oracle, player, mover, state, &figure(&utilities[2])?.value)?,
            });
        }
    } else {
        let seat = players.iter().position(|player| player == mover);
        for lead in oracle.ask(&format!("judged_leads({mover},{state})"))?.chunks(2) {
            let there = all_values(oracle, players, utilities, &lead[1], known)?;
            match seat {
                Some(_) if values.is_empty() => values = there,
                Some(seat) => {
                    if there[seat].value > values[seat].value {
                        values = there;
                    }
                }
                None => {
                    let found = oracle.ask(&format!("judged_chance({},{state})", lead[0]))?;
                    let chance = figure(&found[0])?.value;
                    values.resize(players.len(), figure("0")?);
                    for (sum, own) in values.iter_mut().zip(there) {
                        sum.value += &chance * own.value;
                    }
                }
            }
        }
    }
    known.insert(position.to_owned(), values.clone());
    Some(values)
}
