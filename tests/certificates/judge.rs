//! Whether the lines of a certificate prove what they say: the definitions, applied to what an [`Oracle`] says.

use super::oracle::{Oracle, place};
use std::collections::HashMap;
use zug_matrix::Rational;

/// A record: its name, then its arguments.
type Parts = Vec<String>;

/// Whether lines prove what they say. `truth`: lines that do, of the same rules, for what is no matter of proof: how ends
/// are read, and who plays.
pub fn proves(oracle: &mut Oracle, kind: &str, lines: &[String], truth: &[String]) -> Option<()> {
    let parts = |oracle: &mut Oracle, lines: &[String]| -> Option<Vec<Parts>> {
        lines.iter().map(|line| oracle.record(line)).collect()
    };
    let (records, truth) = (parts(oracle, lines)?, parts(oracle, truth)?);
    let claim = Claim { kind, records, truth };
    claim.begins(oracle)?;
    match kind {
        "plan" | "cheapest" | "unsolvable" => claim.puzzle(oracle),
        "value" | "bounds" => claim.strategies(oracle),
        "values" => claim.table(oracle),
        "equilibrium" => claim.equilibrium(oracle),
        _ => None,
    }
}

struct Claim<'a> {
    kind: &'a str,
    records: Vec<Parts>,
    truth: Vec<Parts>,
}

fn holds(condition: bool) -> Option<()> {
    condition.then_some(())
}

/// A number with its kind: an exact one, or a float.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    pub value: Rational,
    pub is_float: bool,
}

/// A number as certificates and rules have it.
pub fn figure(text: &str) -> Option<Figure> {
    if text.contains('.') || text.contains('e') {
        let is_figure = text.bytes().all(|byte| b"0123456789.e+-".contains(&byte));
        let value: f64 = text.parse().ok().filter(|_| is_figure && text != "-0.0")?;
        return Some(Figure { value: fraction(value)?, is_float: true });
    }
    let (above, below) = text.split_once('/').unwrap_or((text, "1"));
    let (above, below): (i128, i128) = (above.parse().ok()?, below.parse().ok()?);
    let value = (below > 0).then(|| Rational::new(above.into(), below.into()))?;
    // In lowest terms.
    (*value.denom() == below.into()).then_some(Figure { value, is_float: false })
}

/// The fraction that a float is, if it is of a size that rules have.
fn fraction(value: f64) -> Option<Rational> {
    let mut below = 1_i128;
    while (value * below as f64).fract() != 0.0 && below < 1 << 100 {
        below *= 2;
    }
    let above = value * below as f64;
    let is_whole = above.fract() == 0.0 && above.abs() < 1e36;
    is_whole.then(|| Rational::new((above as i128).into(), below.into()))
}

fn number(text: &str) -> Option<Rational> {
    Some(figure(text)?.value)
}

/// An exact number.
fn exact(text: &str) -> Option<Rational> {
    let Figure { value, is_float } = figure(text)?;
    (!is_float).then_some(value)
}

fn rank(text: &str) -> Option<u64> {
    text.parse().ok()
}

/// Positions with ranks and something else, each once.
fn positions<T>(
    rows: impl IntoIterator<Item = (String, Option<(u64, T)>)>,
) -> Option<HashMap<String, (u64, T)>> {
    let mut positions = HashMap::new();
    for (state, row) in rows {
        holds(positions.insert(state, row?).is_none())?;
    }
    Some(positions)
}

pub fn at(mover: &str, state: &str) -> String {
    format!("at({mover},{state})")
}

impl Claim<'_> {
    /// The arguments of all records of a name.
    fn of(&self, name: &str, arity: usize) -> Vec<&[String]> {
        let is = |parts: &&Parts| parts[0] == name && parts.len() == arity + 1;
        self.records.iter().filter(is).map(|parts| &parts[1..]).collect()
    }

    /// The arguments of the only record of a name.
    fn only(&self, name: &str, arity: usize) -> Option<&[String]> {
        match self.of(name, arity)[..] {
            [only] => Some(only),
            _ => None,
        }
    }

    /// All records have one of these names.
    fn has_nothing_but(&self, names: &[(&str, usize)]) -> Option<()> {
        let known = |parts: &Parts| names.contains(&(parts[0].as_str(), parts.len() - 1));
        holds(self.records.iter().all(known))
    }

    /// The only record of a name is that of the truth.
    fn agrees(&self, name: &str, arity: usize) -> Option<&[String]> {
        let own = self.only(name, arity)?;
        let is = |parts: &&Parts| parts[0] == name;
        let right = self.truth.iter().find(is)?;
        (right[1..] == *own).then_some(own)
    }

    /// The rules begin in the start.
    fn begins(&self, oracle: &mut Oracle) -> Option<()> {
        let [origin, state] = self.only("start", 2)? else { return None };
        match origin.as_str() {
            "given" => return holds(state.as_str() != "A"),
            "once" => return self.agrees("start", 2).map(|_| ()),
            _ => {}
        }
        let named = origin != "instance";
        let known = oracle.ask(if named { "judged_starts" } else { "judged_start" })?;
        holds(known.chunks(2).any(|one| one[0] == *origin && one[1] == *state))
    }

    /// Sums of floats differ with the order of additions, of which there are no more than lines.
    fn rounding(&self, cost: &Figure) -> Rational {
        let part = Rational::new((self.records.len() + 2).into(), (1_i64 << 52).into());
        if cost.is_float { &cost.value * part } else { Rational::default() }
    }

    /// What is taken on trust, as a goal that estimates a state.
    fn heuristic(&self, oracle: &mut Oracle) -> Option<Option<String>> {
        let given = self.of("given", 1);
        match given[..] {
            [] => Some(None),
            [given] if given[0] == "heuristic" => Some(Some("heuristic(".to_owned())),
            [given] => {
                let name = given[0].strip_prefix("heuristic(")?.strip_suffix(')')?;
                let known = oracle.ask("forall(clause(heuristic(N, _, _), _), judged_line(N))")?;
                known.contains(&name.to_owned()).then(|| Some(format!("heuristic({name},")))
            }
            _ => None,
        }
    }

    fn puzzle(&self, oracle: &mut Oracle) -> Option<()> {
        let own = [("start", 2), ("cost", 1), ("step", 2), ("closed", 2), ("given", 1)];
        self.has_nothing_but(&own)?;
        let start = &self.only("start", 2)?[1];
        let heuristic = self.heuristic(oracle)?;
        let mut has_floats = Vec::new();
        let bound = match self.kind {
            "unsolvable" => None,
            _ => Some(figure(&self.only("cost", 1)?[0])?),
        };
        if let Some(cost) = &bound {
            let sum = self.replayed(oracle, start, &mut has_floats)?;
            let off = if sum > cost.value { &sum - &cost.value } else { &cost.value - &sum };
            holds(off <= self.rounding(cost))?;
        } else {
            holds(self.of("cost", 1).is_empty() && self.of("step", 2).is_empty())?;
        }
        let mut list = HashMap::new();
        for row in self.of("closed", 2) {
            holds(list.insert(row[1].clone(), figure(&row[0])?).is_none())?;
        }
        if self.kind == "plan" {
            holds(list.is_empty() && heuristic.is_none())?;
        } else {
            let least = bound.as_ref().map(|bound| &bound.value - self.rounding(bound));
            let comes = |cost: &Rational| least.as_ref().is_some_and(|least| cost >= least);
            let reached = |oracle: &mut Oracle, state: &str, cost: &Rational| -> Option<bool> {
                let known = list.get(state);
                if known.is_some_and(|known| known.value <= cost + self.rounding(known))
                    || comes(cost)
                {
                    return Some(true);
                }
                let Some(heuristic) = &heuristic else { return Some(false) };
                let found = oracle.ask(&format!("once({heuristic}{state},H)), judged_line(H)"))?;
                Some(found[0] == "inf" || comes(&(cost + number(&found[0])?)))
            };
            holds(reached(oracle, start, &number("0")?)?)?;
            for (state, cost) in &list {
                holds(!oracle.is(&format!("judged_final({state})"))?)?;
                for step in oracle.ask(&format!("judged_moves({state})"))?.chunks(3) {
                    let own = figure(&step[1])?;
                    holds(reached(oracle, &step[2], &(&cost.value + &own.value))?)?;
                    has_floats.push(own.is_float);
                }
            }
        }
        // All costs are floats, or none, as those of the rules.
        let floats = has_floats.contains(&true);
        holds(list.values().chain(&bound).all(|cost| cost.is_float == floats))
    }

    /// What the plan costs.
    fn replayed(
        &self,
        oracle: &mut Oracle,
        start: &str,
        has_floats: &mut Vec<bool>,
    ) -> Option<Rational> {
        let (mut state, mut sum) = (start.to_owned(), number("0")?);
        for step in self.of("step", 2) {
            let moves = oracle.ask(&format!("judged_moves({state})"))?;
            has_floats.extend(moves.chunks(3).filter_map(|one| Some(figure(&one[1])?.is_float)));
            let fits = moves.chunks(3).filter(|one| one[0] == step[0] && one[2] == step[1]);
            sum += fits.filter_map(|one| number(&one[1])).min()?;
            state = step[1].clone();
        }
        oracle.is(&format!("judged_final({state})"))?.then_some(sum)
    }

    /// A strategy for either player.
    fn strategies(&self, oracle: &mut Oracle) -> Option<()> {
        let bounds = self.kind == "bounds";
        let (name, extra) = if bounds { ("gets", 1) } else { ("holds", 0) };
        let names = [(name, 4 + extra), (name, 5 + extra)];
        let own = [("start", 2), ("player", 1), ("utilities", 2)];
        let claims: &[(&str, usize)] =
            if bounds { &[("scale", 1), ("between", 3)] } else { &[("value", 1)] };
        self.has_nothing_but(&[&names[..], &own, claims].concat())?;
        let mover = &self.agrees("player", 1)?[0];
        let sum = number(&self.agrees("utilities", 2)?[1])?;
        let half = &sum / number("2")?;
        let (first, low, high, scale) = if bounds {
            let between = self.only("between", 3)?;
            let scale = exact(&self.only("scale", 1)?[0])?;
            holds(scale > number("0")? && scale.is_integer())?;
            let units = |text: &str| Some(&half + exact(text)? / &scale);
            (between[0].clone(), units(&between[1])?, units(&between[2])?, scale.clone())
        } else {
            let value = number(&self.only("value", 1)?[0])?;
            (mover.clone(), value.clone(), value, number("1")?)
        };
        let mut players: Vec<&String> =
            self.of(name, 4 + extra).iter().map(|row| &row[0]).collect();
        players.extend(self.of(name, 5 + extra).iter().map(|row| &row[0]));
        players.sort_unstable();
        players.dedup();
        holds(players.len() == 2 && players.contains(&&first))?;
        let mut ends = vec![Figure { value: half.clone(), is_float: false }];
        for player in players {
            let least = if *player == first { low.clone() } else { &sum - &high };
            let side = Side { name, extra, player, half: &half, scale: &scale, least: &least };
            let start = at(mover, &self.only("start", 2)?[1]);
            self.side(oracle, &side, &start, (&sum, &first, &mut ends))?;
        }
        // The value is what an end is worth, or what play without one is.
        holds(bounds || ends.contains(&figure(&self.only("value", 1)?[0])?))
    }

    fn side(
        &self,
        oracle: &mut Oracle,
        side: &Side<'_>,
        start: &str,
        (sum, first, ends): (&Rational, &str, &mut Vec<Figure>),
    ) -> Option<()> {
        let rows =
            [self.of(side.name, 4 + side.extra), self.of(side.name, 5 + side.extra)].concat();
        let rows = rows.into_iter().filter(|row| row[0] == *side.player);
        let list = positions(rows.map(|row| (at(&row[1], &row[2]), side.read(row))))?;
        holds(list.get(start).is_some_and(|(_, (worth, _))| worth >= side.least))?;
        for (position, (rank, (worth, mv))) in &list {
            let (mover, state) = place(position)?;
            let turn = oracle.ask(&format!("judged_turn({mover},{state})"))?;
            holds(turn.first()? == mover)?;
            if oracle.is(&format!("judged_over({mover},{state})"))? {
                let own = end(oracle, side.player, mover, state, sum)?;
                holds(mv.is_none() && own.value >= *worth)?;
                ends.push(end(oracle, first, mover, state, sum)?);
                continue;
            }
            let lower =
                |to: &str| list.get(to).is_some_and(|there| worth <= side.half || there.0 < *rank);
            let good =
                |to: &str| list.get(to).is_some_and(|there| there.1.0 >= *worth) && lower(to);
            let leads = oracle.ask(&format!("judged_leads({mover},{state})"))?;
            let mut leads = leads.chunks(2);
            holds(leads.len() > 0 && (mover == side.player) == mv.is_some())?;
            if let Some(mv) = mv {
                holds(leads.any(|lead| lead[0] == *mv && good(&lead[1])))?;
            } else if mover == "chance" {
                let mut mean = number("0")?;
                holds(leads.clone().any(|lead| lower(&lead[1])))?;
                for lead in leads {
                    let chance = oracle.ask(&format!("judged_chance({},{state})", lead[0]))?;
                    mean += number(&chance[0])? * &list.get(&lead[1])?.1.0;
                }
                holds(mean >= *worth)?;
            } else {
                holds(leads.all(|lead| good(&lead[1])))?;
            }
        }
        Some(())
    }

    /// The values of all states.
    fn table(&self, oracle: &mut Oracle) -> Option<()> {
        let own = [("start", 2), ("player", 1), ("utilities", 2), ("players", 1), ("values", 1)];
        self.has_nothing_but(&[&own[..], &[("worth", 4)]].concat())?;
        let mover = &self.agrees("player", 1)?[0];
        let utilities = self.agrees("utilities", 2)?;
        let (is_each, sum) = (utilities[0] == "each", number(&utilities[1])?);
        let players = oracle.list(&self.agrees("players", 1)?[0])?;
        let rows = self.of("worth", 4);
        let mut read = Vec::new();
        for row in rows {
            let values = figures(oracle, &row[3])?;
            read.push((at(&row[0], &row[1]), rank(&row[2]).map(|rank| (rank, values))));
        }
        let list = positions(read)?;
        let claimed = figures(oracle, &self.only("values", 1)?[0])?;
        holds(list.get(&at(mover, &self.only("start", 2)?[1]))?.1 == claimed)?;
        for (position, (rank, values)) in &list {
            let (mover, state) = place(position)?;
            let turn = oracle.ask(&format!("judged_turn({mover},{state})"))?;
            holds(turn.first()? == mover)?;
            let mut right = Vec::new();
            if oracle.is(&format!("judged_over({mover},{state})"))? {
                for player in &players {
                    right.push(if is_each {
                        figure(&oracle.ask(&format!("judged_worth({player},{state})"))?[0])?
                    } else {
                        end(oracle, player, mover, state, &sum)?
                    });
                }
            } else {
                let leads = oracle.ask(&format!("judged_leads({mover},{state})"))?;
                let mut best: Option<&Vec<Figure>> = None;
                let seat = players.iter().position(|player| player == mover);
                right = vec![figure("0")?; players.len()];
                for lead in leads.chunks(2) {
                    let (lower, there) = list.get(&lead[1])?;
                    holds(lower < rank && there.len() == players.len())?;
                    match seat {
                        Some(seat)
                            if best.is_none_or(|best| there[seat].value > best[seat].value) =>
                        {
                            best = Some(there);
                        }
                        Some(_) => {}
                        None => {
                            let goal = format!("judged_chance({},{state})", lead[0]);
                            let chance = number(&oracle.ask(&goal)?[0])?;
                            for (sum, own) in right.iter_mut().zip(there) {
                                holds(!own.is_float)?;
                                sum.value += &own.value * &chance;
                            }
                        }
                    }
                }
                if seat.is_some() {
                    right = best?.clone();
                }
            }
            holds(right == *values)?;
        }
        Some(())
    }

    /// What every player does in every stage.
    fn equilibrium(&self, oracle: &mut Oracle) -> Option<()> {
        self.has_nothing_but(&[("start", 2), ("players", 1), ("values", 1), ("plays", 4)])?;
        let players = oracle.list(&self.agrees("players", 1)?[0])?;
        let once = self.only("start", 2)?[0] == "once";
        let mut read = Vec::new();
        for row in self.of("plays", 4) {
            let values = exacts(oracle, &row[2])?;
            read.push((row[0].clone(), rank(&row[1]).map(|rank| (rank, (values, row[3].clone())))));
        }
        let list = positions(read)?;
        let start = &self.only("start", 2)?[1];
        holds(list.get(start)?.1.0 == exacts(oracle, &self.only("values", 1)?[0])?)?;
        for (state, (rank, (values, mixes))) in &list {
            holds(values.len() == players.len())?;
            let mixes = oracle.list(mixes)?;
            if !once && oracle.is(&format!("judged_ends({state})"))? {
                holds(mixes.is_empty())?;
                for (player, value) in players.iter().zip(values) {
                    let worth = oracle.ask(&format!("judged_worth({player},{state})"))?;
                    holds(number(&worth[0])? == *value)?;
                }
                continue;
            }
            holds(mixes.len() == players.len())?;
            let mut own = Vec::new();
            for (player, mix) in players.iter().zip(&mixes) {
                let actions = oracle.ask(&format!("judged_actions({player},{state})"))?;
                let mix = mixed(oracle, &actions, mix)?;
                own.push((actions, mix));
            }
            let pays = |oracle: &mut Oracle, actions: &[String]| -> Option<Vec<Rational>> {
                let actions = actions.join(",");
                if once {
                    let payoffs = oracle.ask(&format!("judged_payoff([{actions}])"))?;
                    return payoffs.iter().map(|text| number(text)).collect();
                }
                let to = oracle.ask(&format!("judged_joint([{actions}],{state})"))?;
                let there = list.get(&to[0])?;
                (there.0 < *rank).then(|| there.1.0.clone())
            };
            for seat in 0..players.len() {
                // What each of its actions is worth against the others' strategies.
                let mut worth = vec![number("0")?; own[seat].0.len()];
                for profile in profiles(&own) {
                    let actions: Vec<String> =
                        profile.iter().zip(&own).map(|(&at, own)| own.0[at].clone()).collect();
                    let paid = pays(oracle, &actions)?;
                    let others = (0..own.len()).filter(|&other| other != seat);
                    let share: Rational =
                        others.map(|other| own[other].1[profile[other]].clone()).product();
                    worth[profile[seat]] += share * paid.get(seat)?;
                }
                let mean: Rational =
                    worth.iter().zip(&own[seat].1).map(|(worth, p)| worth * p).sum();
                holds(mean == values[seat] && worth.iter().all(|worth| *worth <= mean))?;
            }
        }
        Some(())
    }
}

/// One side of a game for two.
struct Side<'a> {
    name: &'a str,
    extra: usize,
    player: &'a str,
    half: &'a Rational,
    scale: &'a Rational,
    least: &'a Rational,
}

impl Side<'_> {
    /// Rank, worth and move of a row.
    fn read(&self, row: &[String]) -> Option<(u64, (Rational, Option<String>))> {
        let worth = match self.extra {
            0 => self.least.clone(),
            _ => {
                let units = exact(&row[4])?;
                holds(units.is_integer())?;
                self.half + units / self.scale
            }
        };
        Some((rank(&row[3])?, (worth, row.get(4 + self.extra).cloned())))
    }
}

/// What an end is worth to one of two players, who together get the sum; to nobody what the other loses.
pub fn end(
    oracle: &mut Oracle,
    player: &str,
    mover: &str,
    state: &str,
    sum: &Rational,
) -> Option<Figure> {
    // Whose utility is asked for is no matter where one gets what the other loses, or only who is to move counts.
    let whose = match mover {
        "chance" if player == "nobody" => return None,
        "chance" => player,
        mover => mover,
    };
    let own = figure(&oracle.ask(&format!("judged_worth({whose},{state})"))?[0])?;
    let others = Figure { value: sum - &own.value, is_float: own.is_float };
    Some(if player == whose { own } else { others })
}

pub fn figures(oracle: &mut Oracle, list: &str) -> Option<Vec<Figure>> {
    oracle.list(list)?.iter().map(|text| figure(text)).collect()
}

fn exacts(oracle: &mut Oracle, list: &str) -> Option<Vec<Rational>> {
    oracle.list(list)?.iter().map(|text| exact(text)).collect()
}

/// The probability of each action.
fn mixed(oracle: &mut Oracle, actions: &[String], mix: &str) -> Option<Vec<Rational>> {
    let mut shares = vec![number("0")?; actions.len()];
    for item in oracle.list(mix)? {
        let parts = oracle.ask(&format!("{item} = A-P, judged_lines([A,P])"))?;
        let at = actions.iter().position(|action| *action == parts[0])?;
        let share = exact(&parts[1])?;
        holds(share > number("0")? && shares[at] == number("0")?)?;
        shares[at] = share;
    }
    (shares.iter().sum::<Rational>() == number("1")?).then_some(shares)
}

/// All choices of an action for each player, by number.
fn profiles(own: &[(Vec<String>, Vec<Rational>)]) -> Vec<Vec<usize>> {
    own.iter().fold(vec![Vec::new()], |profiles, (actions, _)| {
        let longer = |profile: Vec<usize>| {
            (0..actions.len())
                .map(move |at| [profile.clone(), vec![at]].concat())
                .collect::<Vec<_>>()
        };
        profiles.into_iter().flat_map(longer).collect()
    })
}
