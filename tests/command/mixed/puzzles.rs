//! Puzzles with a known cheapest plan, or known to have none.

use super::{Due, Job, Made, Random, Recipe};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};
use std::fmt::Write;
use std::hash::Hash;

pub fn recipes() -> Vec<Recipe> {
    vec![
        Recipe { kind: "jugs", make: jugs },
        Recipe { kind: "roads", make: roads },
        Recipe { kind: "counter", make: counter },
        Recipe { kind: "tiles", make: tiles },
        Recipe { kind: "hanoi", make: hanoi },
        Recipe { kind: "instances", make: instances },
        Recipe { kind: "graded_right", make: graded_right },
        Recipe { kind: "graded_wrong", make: graded_wrong },
        Recipe { kind: "graded_beside", make: graded_beside },
    ]
}

/// What it costs to get from a state to a goal (E. W. Dijkstra, 1959).
pub fn cheapest<S: Clone + Eq + Hash + Ord>(
    start: S,
    is_goal: impl Fn(&S) -> bool,
    next: impl Fn(&S) -> Vec<(S, i64)>,
) -> Option<i64> {
    let mut best = HashMap::from([(start.clone(), 0)]);
    let mut open = BinaryHeap::from([Reverse((0, start))]);
    while let Some(Reverse((cost, state))) = open.pop() {
        if best[&state] < cost {
            continue;
        }
        if is_goal(&state) {
            return Some(cost);
        }
        for (after, step) in next(&state) {
            let sum = cost + step;
            if best.get(&after).is_none_or(|&known| sum < known) {
                best.insert(after.clone(), sum);
                open.push(Reverse((sum, after)));
            }
        }
    }
    None
}

/// What is due of a puzzle with one instance.
fn due(cost: Option<i64>) -> Due {
    match cost {
        Some(cost) => Due::new("solved").field(0, "cost", cost).field(0, "optimal", true),
        None => Due::new("exhausted"),
    }
    .results(1)
}

fn jugs(random: &mut Random, _: &Job<'_>) -> Made {
    let (a, b) = (random.range(2, 9), random.range(2, 9));
    let wanted = random.range(1, a);
    let text = format!(
        "initial_state(s(0, 0)).\nfinal_state(s({wanted}, _)).\n\
         rule(fill(a), 1, s(_, B), s({a}, B)).\nrule(fill(b), 1, s(A, _), s(A, {b})).\n\
         rule(empty(a), 1, s(_, B), s(0, B)).\nrule(empty(b), 1, s(A, _), s(A, 0)).\n\
         rule(pour(a, b), 1, s(A, B), s(C, D)) :- N is min(A, {b} - B), N > 0, C is A - N, \
         D is B + N.\n\
         rule(pour(b, a), 1, s(A, B), s(C, D)) :- N is min(B, {a} - A), N > 0, C is A + N, \
         D is B - N.\n"
    );
    let next = |&(x, y): &(i64, i64)| {
        let (to_b, to_a) = (x.min(b - y), y.min(a - x));
        [(a, y), (x, b), (0, y), (x, 0), (x - to_b, y + to_b), (x + to_a, y - to_a)]
            .map(|state| (state, 1))
            .to_vec()
    };
    Made::domain(text, due(cheapest((0, 0), |state| state.0 == wanted, next)))
}

fn roads(random: &mut Random, _: &Job<'_>) -> Made {
    let towns = random.range(6, 25);
    let mut roads = Vec::new();
    for from in 0..towns {
        for _ in 0..random.range(0, 3) {
            roads.push((from, random.range(0, towns - 1), random.range(1, 30)));
        }
    }
    let mut text = format!("initial_state(0).\nfinal_state({}).\n", towns - 1);
    text += "rule(go(B), C, A, B) :- road(A, B, C).\n";
    if random.once_in(2) {
        // Without a heuristic it is another engine.
        text += "heuristic(_, 0).\n";
    }
    text += ":- dynamic road/3.\n";
    for (from, to, length) in &roads {
        let _ = writeln!(text, "road({from}, {to}, {length}).");
    }
    let next = |&town: &i64| {
        let from = roads.iter().filter(|road| road.0 == town);
        from.map(|&(_, to, length)| (to, length)).collect()
    };
    Made::domain(text, due(cheapest(0, |&town| town == towns - 1, next)))
}

/// Numbers by addition and multiplication, up to a bound.
struct Counter {
    add: i64,
    times: i64,
    bound: i64,
}

impl Counter {
    fn new(random: &mut Random) -> Counter {
        Counter { add: random.range(1, 9), times: random.range(2, 4), bound: random.range(50, 400) }
    }

    fn rules(&self) -> String {
        let Counter { add, times, bound } = self;
        format!(
            "rule(add, 1, N, M) :- M is N + {add}, M =< {bound}.\n\
             rule(times, 2, N, M) :- M is N * {times}, M =< {bound}.\n\
             rule(less, 3, N, M) :- N > 0, M is N - 1.\n"
        )
    }

    fn cost(&self, from: i64, to: i64) -> Option<i64> {
        let next = |&n: &i64| {
            let mut all = vec![(n + self.add, 1), (n * self.times, 2), (n - 1, 3)];
            all.retain(|&(n, _)| (0..=self.bound).contains(&n));
            all
        };
        cheapest(from, |&n| n == to, next)
    }
}

fn counter(random: &mut Random, _: &Job<'_>) -> Made {
    let counter = Counter::new(random);
    let from = random.range(1, 20);
    let to = random.range(1, counter.bound + 40);
    let text = format!("initial_state({from}).\nfinal_state({to}).\n{}", counter.rules());
    Made::domain(text, due(counter.cost(from, to)))
}

fn tiles(random: &mut Random, _: &Job<'_>) -> Made {
    const GOAL: [u8; 6] = [1, 2, 3, 4, 5, 0];
    const BESIDE: [(usize, usize); 7] = [(0, 1), (1, 2), (3, 4), (4, 5), (0, 3), (1, 4), (2, 5)];
    let next = |state: &[u8; 6]| {
        let swapped = |&(one, other): &(usize, usize)| {
            let mut after = *state;
            after.swap(one, other);
            (state[one] == 0 || state[other] == 0).then_some((after, 1))
        };
        BESIDE.iter().filter_map(swapped).collect::<Vec<_>>()
    };
    let mut start = GOAL;
    for _ in 0..random.range(0, 25) {
        start = random.pick(&next(&start)).0;
    }
    if random.once_in(4) {
        // Two tiles change places: then it can't be done.
        let at = start.iter().position(|&tile| tile == 0).expect("a hole");
        start.swap((at + 1) % 6, (at + 2) % 6);
    }
    let mut text = format!("initial_state({start:?}).\nfinal_state({GOAL:?}).\n");
    for (one, other) in BESIDE {
        let mut before: Vec<String> = (0..6).map(|at| format!("A{at}")).collect();
        for (hole, tile) in [(one, other), (other, one)] {
            before[hole] = "0".to_owned();
            before[tile] = "T".to_owned();
            let mut after = before.clone();
            after.swap(hole, tile);
            let (from, to) = (before.join(", "), after.join(", "));
            let _ = writeln!(text, "rule(T, 1, [{from}], [{to}]).");
        }
    }
    text += "heuristic(S, H) :- final_state(G), wrong(S, G, 0, H).\n\
             wrong([], [], H, H).\n\
             wrong([T|Ts], [U|Us], H0, H) :- ( T \\== U, T \\== 0 -> H1 is H0 + 1 ; H1 = H0 ), \
             wrong(Ts, Us, H1, H).\n";
    Made::domain(text, due(cheapest(start, |state| *state == GOAL, next)))
}

fn hanoi(random: &mut Random, _: &Job<'_>) -> Made {
    let disks = random.range(1, 4);
    let all: Vec<String> = (1..=disks).map(|disk| disk.to_string()).collect();
    let all = all.join(",");
    let text = format!(
        "initial_state([[{all}], [], []]).\nfinal_state([[], [], [{all}]]).\n\
         rule(I-J, 1, S1, S3) :- member(I-J, [1-2, 1-3, 2-1, 2-3, 3-1, 3-2]), \
         put(I, S1, [D|T], T, S2), put(J, S2, U, [D|U], S3), fits(D, U).\n\
         put(1, [A|R], A, B, [B|R]).\nput(2, [X,A|R], A, B, [X,B|R]).\n\
         put(3, [X,Y,A], A, B, [X,Y,B]).\nfits(_, []).\nfits(D, [E|_]) :- D < E.\n"
    );
    Made::domain(text, due(Some((1 << disks) - 1)))
}

fn instances(random: &mut Random, _: &Job<'_>) -> Made {
    let counter = Counter::new(random);
    let to = random.range(1, counter.bound);
    let mut text = format!("final_state({to}).\n{}", counter.rules());
    let count = random.size(2, 5);
    let mut gravest = "solved";
    let mut fields = Vec::new();
    let mut starts = String::new();
    for at in 0..count {
        // From above the bound there may be no way.
        let from = if random.once_in(4) { -1 } else { random.range(1, counter.bound) };
        let _ = writeln!(starts, "initial_state(n{at}, {from}).");
        let cost = if from < 0 { below(&counter, to) } else { counter.cost(from, to) };
        match cost {
            Some(cost) => fields.push((at, "cost", cost.into())),
            None => {
                gravest = "exhausted";
                fields.push((at, "outcome", "exhausted".into()));
            }
        }
    }
    text += &starts;
    let due = Due::new(gravest).results(count);
    let due: Due = fields
        .into_iter()
        .fold(due, |due, (at, name, value): (_, _, serde_json::Value)| due.field(at, name, value));
    Made::domain(text, due)
}

/// The cost from -1, from where `less` is no move.
fn below(counter: &Counter, to: i64) -> Option<i64> {
    let next = |&n: &i64| {
        let mut all = vec![(n + counter.add, 1), (n * counter.times, 2)];
        if n > 0 {
            all.push((n - 1, 3));
        }
        // What only sinks is cut off: it can't come back sooner than from where it was.
        all.retain(|&(n, _)| n <= counter.bound && n >= -2000);
        all
    };
    cheapest(-1, |&n| n == to, next)
}

fn graded_right(random: &mut Random, _: &Job<'_>) -> Made {
    let counter = Counter::new(random);
    let (from, to) = (random.range(1, 20), random.range(1, counter.bound + 40));
    let points = random.range(1, 5);
    let expected = match counter.cost(from, to) {
        Some(cost) => format!("cost({cost})"),
        None => "unsolvable".to_owned(),
    };
    let text = format!(
        "initial_state({from}).\nfinal_state({to}).\n{}:- expect(1, {expected}, points({points})).\n",
        counter.rules()
    );
    // What is expected says what is run.
    let due = Due::new("passed").points(points, points);
    Made::new(text, due.clone(), due)
}

fn graded_wrong(random: &mut Random, _: &Job<'_>) -> Made {
    let counter = Counter::new(random);
    let (from, to) = (random.range(1, 20), random.range(1, counter.bound + 40));
    let (right, wrong) = match counter.cost(from, to) {
        Some(cost) => ("solved", format!("cost({})", cost + 1)),
        None => ("unsolvable", "cost(1)".to_owned()),
    };
    let text = format!(
        "initial_state({from}).\nfinal_state({to}).\n{}:- expect({right}).\n:- expect({wrong}).\n\
         :- expect(nowhere, solved).\n",
        counter.rules()
    );
    let due = Due::new("failed").points(1, 3);
    Made::new(text, due.clone(), due)
}

fn graded_beside(random: &mut Random, job: &Job<'_>) -> Made {
    let counter = Counter::new(random);
    let (from, to) = (random.range(1, 20), random.range(1, counter.bound));
    let text = format!("initial_state({from}).\nfinal_state({to}).\n{}", counter.rules());
    let cost = counter.cost(from, to);
    let wrong = random.once_in(3);
    let expected = match cost {
        Some(cost) => format!("cost({})", cost + i64::from(wrong)),
        None if wrong => "solved".to_owned(),
        None => "unsolvable".to_owned(),
    };
    let outcome = if wrong { "failed" } else { "passed" };
    let due = Due::new(outcome).points(i64::from(!wrong), 1);
    Made::new(text, due.clone(), due)
        .with(format!("{}.expect", job.stem), format!("expect({expected}).\n"))
}
