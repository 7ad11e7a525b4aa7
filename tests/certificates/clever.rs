//! Changes that somebody makes who knows what a proof is, each of which leaves something unproved: rejected by both checkers.

use super::{Rules, arguments, body, certified, checker, kind, rules, scratch, sealed};
use std::collections::BTreeMap;

/// A certificate that is changed.
struct Base {
    file: &'static str,
    kind: String,
    lines: Vec<String>,
}

/// The text of a changed certificate.
type Changed = (&'static str, String, String);

impl Base {
    fn of(file: &'static str, arguments: &[&str]) -> Base {
        let name = format!("{file}{}.clever", arguments.join(""));
        let text = certified(&rules(file), arguments, &name).expect("one");
        Base { file, kind: kind(&text).to_owned(), lines: body(&text) }
    }

    fn sealed(&self, what: &str, lines: Vec<String>) -> Changed {
        assert_ne!(lines, self.lines, "{}: {what}", self.file);
        (self.file, what.to_owned(), sealed(&self.kind, &lines))
    }

    /// The place of a line that begins so; of several the one with this number, from the end if it is negative.
    fn place(&self, begin: &str, nth: isize) -> usize {
        let is = |&at: &usize| self.lines[at].starts_with(begin);
        let places: Vec<usize> = (0..self.lines.len()).filter(is).collect();
        assert!(!places.is_empty(), "{}, {}: {begin}", self.file, self.kind);
        places[nth.rem_euclid(places.len() as isize) as usize]
    }

    fn without(&self, what: &str, begin: &str, nth: isize) -> Changed {
        let mut lines = self.lines.clone();
        lines.remove(self.place(begin, nth));
        self.sealed(what, lines)
    }

    fn twice(&self, what: &str, begin: &str, nth: isize) -> Changed {
        let mut lines = self.lines.clone();
        let at = self.place(begin, nth);
        lines.insert(at, lines[at].clone());
        self.sealed(what, lines)
    }

    fn with(&self, what: &str, line: &str) -> Changed {
        self.sealed(what, [&self.lines[..], &[line.to_owned()]].concat())
    }

    /// Text of a line that is other text.
    fn other(&self, what: &str, (begin, nth): (&str, isize), from: &str, to: &str) -> Changed {
        let mut lines = self.lines.clone();
        let at = self.place(begin, nth);
        lines[at] = lines[at].replacen(from, to, 1);
        self.sealed(what, lines)
    }

    /// An argument of a line that is another one.
    fn argument(&self, what: &str, (begin, nth): (&str, isize), at: usize, to: &str) -> Changed {
        let mut lines = self.lines.clone();
        let place = self.place(begin, nth);
        lines[place] = with_argument(&lines[place], at, to);
        self.sealed(what, lines)
    }

    /// An argument of all lines of a name that is another one.
    fn everywhere(&self, what: &str, begin: &str, at: usize, to: &str) -> Changed {
        let change = |line: &String| match line.starts_with(begin) {
            true => with_argument(line, at, to),
            false => line.clone(),
        };
        self.sealed(what, self.lines.iter().map(change).collect())
    }

    /// What can be wrong with a certificate of any kind. `list`: how its states are listed.
    fn common(&self, list: &str, stranger: &Base) -> Vec<Changed> {
        let whole = sealed(&self.kind, &self.lines);
        let last = whole.lines().last().unwrap_or_default().to_owned();
        let of = |what: &str, text: String| (self.file, what.to_owned(), text);
        let otherwise = if self.kind == "unsolvable" { "plan" } else { "unsolvable" };
        vec![
            of("another kind", sealed(otherwise, &self.lines)),
            of("no kind there is", sealed("proved", &self.lines)),
            of("another version", whole.replace(",1).\nstart", ",2).\nstart")),
            of("no end", whole.replace(&last, "")),
            of("cut off", whole[..whole.len() / 2].to_owned()),
            of("more behind the end", format!("{whole}{}\n", self.lines[0])),
            of("nothing", String::new()),
            of("no records", sealed(&self.kind, &[])),
            of("one record less than it says", whole.replace("checksum(", "checksum(1")),
            of("another file's certificate", sealed(&stranger.kind, &stranger.lines)),
            of("another kind's records", sealed(&self.kind, &stranger.lines)),
            self.without("no start", "start(", 0),
            self.twice("two starts", "start(", 0),
            self.other("an unknown origin", ("start(", 0), "start(", "start(somewhere-"),
            self.with("a record of no kind", "believe(me)."),
            self.with("a variable as a record", "X."),
            self.with("a call as a record", ":- fail."),
            self.twice("a state listed twice", list, 0),
            self.with("half a record", &format!("{list}.")),
        ]
    }
}

fn with_argument(line: &str, at: usize, to: &str) -> String {
    let mut parts = arguments(line);
    parts[at] = to.to_owned();
    format!("{}({}).", line.split('(').next().unwrap_or_default(), parts.join(","))
}

fn puzzles() -> Vec<Changed> {
    let wolf = Base::of("wolf.pl", &["--instance", "alcuin"]);
    let jugs = Base::of("jugs.pl", &["--instance", "hopeless"]);
    let taquin =
        Base::of("taquin.pl", &["--instance", "twenty", "--heuristic", "manhattan", "--no-verify"]);
    let plan = Base::of("wolf.pl", &["--engine", "dfs"]);
    let mut cases = wolf.common("closed(", &jugs);
    cases.extend(jugs.common("closed(", &wolf));
    let goal = arguments(&wolf.lines[wolf.place("step(", -1)])[1].clone();
    cases.extend([
        wolf.without("a state left out", "closed(", 4),
        wolf.without("the start left out of the list", "closed(", 0),
        wolf.without("the first move left out", "step(", 0),
        wolf.without("a move in between left out", "step(", 2),
        wolf.without("the last move left out", "step(", -1),
        wolf.twice("a move made twice", "step(", 1),
        wolf.without("no cost", "cost(", 0),
        wolf.twice("two costs", "cost(", 0),
        wolf.argument("a lower cost", ("cost(", 0), 0, "6"),
        wolf.argument("a higher cost", ("cost(", 0), 0, "8"),
        wolf.argument("a cost without bound", ("cost(", 0), 0, "inf"),
        wolf.argument("an infinite float", ("cost(", 0), 0, "1.0Inf"),
        wolf.argument("a cost that is an expression", ("cost(", 0), 0, "3+4"),
        wolf.argument("a cost that is no number", ("cost(", 0), 0, "seven"),
        wolf.argument("an illegal move", ("step(", 1), 0, "with_wolf"),
        wolf.argument("a move that leads elsewhere", ("step(", 0), 1, &goal),
        wolf.argument("the start dearer", ("closed(", 0), 0, "1"),
        wolf.argument("a state dearer", ("closed(", 4), 0, "5"),
        wolf.argument("a state far cheaper", ("closed(", -1), 0, "-5"),
        wolf.argument("a state at no cost at all", ("closed(", 4), 0, "inf"),
        wolf.argument("a state without a number", ("closed(", 4), 0, "X"),
        wolf.argument("a state that is none", ("closed(", 4), 1, "nowhere"),
        wolf.argument("a state of the goal on the list", ("closed(", -1), 1, &goal),
        wolf.argument("any state on the list", ("closed(", 4), 1, "_"),
        wolf.argument("another instance's name", ("start(", 0), 0, "instance(late)"),
        wolf.with("a heuristic that is not there", "given(heuristic(hope))."),
        wolf.with("a trusted word", "given(everything)."),
        plan.without("a move of the plan left out", "step(", 1),
        plan.argument("another cost of the plan", ("cost(", 0), 0, "3"),
        plan.with("a list for a plan", "closed(0,nowhere)."),
        jugs.without("a state of an unsolvable one left out", "closed(", 3),
        jugs.without("the start of an unsolvable one left out", "closed(", 0),
        jugs.argument("a start that the rules do not have", ("start(", 0), 0, "instance(die_hard)"),
        jugs.with("a plan of what has none", "cost(1)."),
        taquin.without("no condition any more", "given(", 0),
        taquin.twice("the condition twice", "given(", 0),
        taquin.argument("another condition", ("given(", 0), 0, "heuristic(optimism)"),
        taquin.argument("a lower cost by a heuristic", ("cost(", 0), 0, "18"),
        taquin.without("a state below the bound left out", "closed(", 1),
    ]);
    // Solvable, but with the words of one that is not.
    let claim = |line: &&String| !line.starts_with("cost(") && !line.starts_with("step(");
    let lines: Vec<String> = wolf.lines.iter().filter(claim).cloned().collect();
    cases.push(("wolf.pl", "no plan at all".to_owned(), sealed("unsolvable", &lines)));
    let lines: Vec<String> =
        wolf.lines.iter().filter(|line| !line.starts_with("closed(")).cloned().collect();
    cases.push(("wolf.pl", "cheapest without a list".to_owned(), sealed("cheapest", &lines)));
    cases
}

fn games() -> Vec<Changed> {
    let nim = Base::of("nim.pl", &[]);
    let pawns = Base::of("hexapawn.pl", &[]);
    let coins = Base::of("coins.pl", &["--state", "coins([5,8,3,9],[a-0,b-0,c-0])"]);
    let dice = Base::of("dice.pl", &[]);
    let mut cases = nim.common("holds(", &pawns);
    cases.extend(dice.common("worth(", &nim));
    cases.extend([
        nim.without("a position left out", "holds(a", 3),
        nim.without("the start left out of a strategy", "holds(a", -1),
        nim.without("the other's start left out", "holds(b", -1),
        nim.without("an end left out", "holds(a", 0),
        nim.everywhere("ranks that do not fall", "holds(", 3, "7"),
        nim.argument("a rank that is none", ("holds(a", 2), 3, "-1"),
        nim.argument("a rank between others", ("holds(a", 2), 3, "1.5"),
        nim.argument("a rank that is too low", ("holds(a", -1), 3, "0"),
        nim.argument("the other player", ("player(", 0), 0, "b"),
        nim.argument("a stranger", ("player(", 0), 0, "c"),
        nim.argument("a higher value", ("value(", 0), 0, "2"),
        nim.argument("the other value", ("value(", 0), 0, "-1"),
        nim.argument("a draw", ("value(", 0), 0, "0"),
        nim.argument("a value that is none", ("value(", 0), 0, "much"),
        nim.without("no value", "value(", 0),
        nim.argument("other utilities", ("utilities(", 0), 0, "cannot_move_loses"),
        nim.argument("utilities of each", ("utilities(", 0), 0, "each"),
        nim.argument("another sum", ("utilities(", 0), 1, "1"),
        nim.argument("an illegal move", ("holds(a", -1), 4, "take(9)"),
        nim.argument("a move that loses", ("holds(a", -1), 4, "take(1)"),
        nim.argument("a strategy of nobody", ("holds(a", 2), 0, "c"),
        nim.with("a move for the opponent", "holds(a,b,2,1,take(1))."),
        nim.with("a position without a move", "holds(a,a,99,1)."),
        pawns.argument("the mover is another one", ("holds(w", -1), 1, "b"),
        pawns.everywhere("positions of one strategy for both", "holds(b", 0, "w"),
        coins.argument("values for two of three", ("values(", 0), 0, "[13,3]"),
        coins.argument("players in another order", ("players(", 0), 0, "[b,a,c]"),
        coins.argument("a player twice", ("players(", 0), 0, "[a,a,c]"),
        coins.argument("players unknown", ("players(", 0), 0, "_"),
        coins.without("a row left out", "worth(", 2),
        coins.without("the row of the start left out", "worth(", -1),
        dice.argument("another value at the start", ("values(", 0), 0, "[1/2,-1/2]"),
        dice.argument("a row worth more", ("worth(", -2), 3, "[1,-1]"),
        dice.argument("a row with one value", ("worth(", -2), 3, "[0]"),
        dice.argument("a row with no list", ("worth(", -2), 3, "none"),
        dice.argument("nothing divided by nothing", ("worth(", -2), 3, "[0/0,0/0]"),
        dice.everywhere("rows of one rank", "worth(", 2, "5"),
    ]);
    cases
}

fn chances() -> Vec<Changed> {
    let duel = Base::of("duel.pl", &[]);
    let prize = Base::of("prize.pl", &[]);
    let alone = Base::of("alone.pl", &[]);
    let mut cases = duel.common("gets(", &prize);
    let bounds = arguments(&duel.lines[duel.place("between(", 0)]);
    let more: i128 = bounds[1].parse::<i128>().expect("an integer") + 1;
    let more = more.to_string();
    cases.extend([
        duel.argument("bounds that are too narrow", ("between(", 0), 1, &more),
        duel.argument("bounds of the other", ("between(", 0), 0, "b"),
        duel.argument("bounds of a stranger", ("between(", 0), 0, "c"),
        duel.argument("a bound that is no integer", ("between(", 0), 1, "1/11"),
        duel.argument("an upper bound below the lower one", ("between(", 0), 2, "-1"),
        duel.without("no bounds", "between(", 0),
        duel.without("no scale", "scale(", 0),
        duel.argument("a scale of nothing", ("scale(", 0), 0, "0"),
        duel.argument("a negative scale", ("scale(", 0), 0, "-11"),
        duel.argument("a finer scale", ("scale(", 0), 0, "10"),
        duel.argument("a scale that is no integer", ("scale(", 0), 0, "11.0"),
        duel.everywhere("a policy that need not end", "gets(a", 3, "1"),
        duel.argument("a rank that is too low", ("gets(a,a,throw", 0), 3, "0"),
        duel.argument("a position worth more", ("gets(a,chance,die(a", 0), 4, "5"),
        duel.argument("an end worth more", ("gets(a,b,won(b)", 0), 4, "11"),
        duel.argument("a start worth less", ("gets(a,a,throw", 0), 4, "-1"),
        duel.argument("a worth that is no integer", ("gets(a,a,throw", 0), 4, "1.0"),
        duel.without("an outcome left out", "gets(a,b,won(b)", 0),
        duel.without("an answer left out", "gets(a,b,throw", 0),
        duel.argument("a move that nobody has", ("gets(a,a,throw", 0), 5, "cheat"),
        duel.argument("a move of chance", ("gets(a,a,throw", 0), 1, "chance"),
        duel.other("a move chosen for chance", ("gets(a,chance,die(a", 0), ").", ",six)."),
        prize.argument("another sum", ("utilities(", 0), 1, "0"),
        prize.argument("the sum of a float", ("utilities(", 0), 1, "1.0"),
        prize.argument("as if it added to zero", ("utilities(", 0), 0, "zero_sum"),
        alone.argument("more than there is to win", ("between(", 0), 2, "19"),
        alone.everywhere("a policy that never leaves", "gets(me", 3, "0"),
        alone.without("an outcome left out", "gets(me,me,over(0)", 0),
        alone.argument("leaving instead", ("gets(me,me,try", 0), 5, "leave"),
        alone.without("what nobody can hinder", "gets(nobody,me,over(10)", 0),
    ]);
    cases
}

fn equilibria() -> Vec<Changed> {
    let cards = Base::of("goofspiel.pl", &["--instance", "two"]);
    let prisoners = Base::of("prisoners_dilemma.pl", &[]);
    let spock = Base::of("rpsls.pl", &[]);
    let mut cases = cards.common("plays(", &prisoners);
    cases.extend([
        cards.without("a stage left out", "plays(", 1),
        cards.without("the start left out", "plays(", -1),
        cards.without("an end left out", "plays(", 0),
        cards.everywhere("stages of one rank", "plays(", 1, "3"),
        cards.argument("a stage worth more", ("plays(", -1), 2, "[1,-1]"),
        cards.argument("an end worth more", ("plays(", 0), 2, "[5,-5]"),
        cards.argument("strategies at an end", ("plays(", 0), 3, "[[1-1],[1-1]]"),
        cards.argument("no strategies", ("plays(", -1), 3, "[]"),
        cards.argument("a strategy of one", ("plays(", -1), 3, "[[2-1]]"),
        cards.argument("a worse card", ("plays(", -1), 3, "[[1-1],[2-1]]"),
        cards.argument("a card that is not there", ("plays(", -1), 3, "[[3-1],[2-1]]"),
        cards.argument("values at the start", ("values(", 0), 0, "[2,-2]"),
        cards.argument("players in another order", ("players(", 0), 0, "[second,first]"),
        cards.argument("one player", ("players(", 0), 0, "[first]"),
        cards.argument("played once", ("start(", 0), 0, "once"),
        prisoners.argument("both cooperate", ("plays(", 0), 3, "[[cooperate-1],[cooperate-1]]"),
        prisoners.argument("no strategy is known", ("plays(", 0), 3, "[_,_]"),
        prisoners.argument("other payoffs", ("plays(", 0), 2, "[3,3]"),
        spock.other("probabilities above one", ("plays(", 0), "rock-1/5", "rock-2/5"),
        spock.other("probabilities below one", ("plays(", 0), "rock-1/5", "rock-0"),
        spock.other(
            "a negative probability",
            ("plays(", 0),
            "rock-1/5,paper-1/5",
            "rock-3/5,paper- -1/5",
        ),
        spock.other("an action twice", ("plays(", 0), "rock-1/5,paper-1/5", "rock-1/5,rock-1/5"),
        spock.other("another mix", ("plays(", 0), "rock-1/5,paper-1/5", "rock-2/5"),
        spock.other("an unknown action", ("plays(", 0), "rock-1/5", "well-1/5"),
        spock.other("a float", ("plays(", 0), "rock-1/5", "rock-0.2"),
        spock.other("no probability", ("plays(", 0), "rock-1/5", "rock"),
    ]);
    cases
}

#[test]
fn clever_changes_are_rejected_by_both() {
    let cases = [puzzles(), games(), chances(), equilibria()].concat();
    assert!(cases.len() >= 100, "{} cases", cases.len());
    let mut known: BTreeMap<&str, Rules> = BTreeMap::new();
    let mut accepted = Vec::new();
    for (file, what, text) in cases {
        let checked = known.entry(file).or_insert_with(|| Rules::of(&rules(file)));
        if let Ok(found) = checked.check(&text) {
            accepted.push(format!("zug: {file}: {what}: {}", found.proves));
        }
        let path = scratch("clever");
        std::fs::write(&path, text).expect("written");
        match checker(&rules(file), &path) {
            Some((true, said)) => accepted.push(format!("check.pl: {file}: {what}: {said}")),
            Some((false, said)) if !said.starts_with("rejected: ") => {
                accepted.push(format!("check.pl: {file}: {what}: no reason: {said}"));
            }
            _ => {}
        }
    }
    assert!(accepted.is_empty(), "{}", accepted.join("\n"));
}
