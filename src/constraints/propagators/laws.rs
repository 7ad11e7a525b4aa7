//! Global constraints against a search of all assignments, and against what they promise to find.

use super::cardinality::{Consistency, post_costs, post_global_cardinality};
use super::distinct::{post_circuit, post_different, post_distinct};
use super::element::post_element;
use super::lexicographic::post_lex_chain;
use super::scheduling::{Task, post_cumulative, post_disjoint2, post_serialized};
use super::table::{post_tuples_in, post_tuples_in_reified};
use super::testing::{new_vars, search, solutions};
use crate::domain::Domain;
use crate::number::{Bound, Number};
use crate::shown::{Shown, Var};
use crate::store::{Fail, Prop, Step, Store};
use num_bigint::BigInt;
use proptest::prelude::*;

type Post<'a> = &'a dyn Fn(&mut Store, &[Var]) -> Step;
type Holds<'a> = &'a dyn Fn(&[i64]) -> bool;

fn values(store: &Store, vars: &[Var]) -> Vec<Vec<i64>> {
    vars.iter().map(|&var| store.domain(var).as_small().unwrap().values().collect()).collect()
}

/// What is left of domains when nothing more is found, unless there is no solution.
fn propagated(domains: &[Vec<i64>], post: Post) -> Option<Vec<Vec<i64>>> {
    let mut store = Store::default();
    let vars = new_vars(&mut store, domains);
    post(&mut store, &vars).and_then(|()| store.propagate()).ok()?;
    Some(values(&store, &vars))
}

/// The values that each variable has in solutions, if there are any.
fn in_solutions(domains: &[Vec<i64>], holds: Holds) -> Option<Vec<Vec<i64>>> {
    let found = solutions(domains, holds);
    if found.is_empty() {
        return None;
    }
    let column = |at: usize| -> Vec<i64> {
        let column: std::collections::BTreeSet<i64> = found.iter().map(|row| row[at]).collect();
        column.into_iter().collect()
    };
    Some((0..domains.len()).map(column).collect())
}

/// The solutions that a search finds, twice, after something was done to variables.
fn searched(prepare: &dyn Fn(&mut Store) -> Result<Vec<Var>, Fail>) -> Vec<Vec<i64>> {
    let mut store = Store::default();
    let mut runs = Vec::new();
    for _ in 0..2 {
        let mark = store.mark();
        let mut found = Vec::new();
        if let Ok(vars) = prepare(&mut store)
            && store.propagate().is_ok()
        {
            search(&mut store, &vars, &mut found);
            let mut again = Vec::new();
            search(&mut store, &vars, &mut again);
            assert_eq!(found, again);
        }
        store.undo_to(mark);
        assert_eq!(store.len(), 0);
        runs.push(found);
    }
    assert_eq!(runs[0], runs[1]);
    runs.swap_remove(0)
}

/// Checks that a search finds the solutions: when variables have their domains at once, and when they
/// get them later; of variables that are joined before or after; and of variables that get values
/// before anything runs.
fn check(domains: &[Vec<i64>], post: Post, holds: Holds) {
    let all = solutions(domains, holds);
    let at_once = searched(&|store| {
        let vars = new_vars(store, domains);
        post(store, &vars)?;
        Ok(vars)
    });
    assert_eq!(at_once, all, "domains {domains:?}");
    let later = searched(&|store| {
        let vars: Vec<Var> = domains.iter().map(|_| store.new_var(Domain::all())).collect();
        post(store, &vars)?;
        store.propagate()?;
        for (&var, values) in vars.iter().zip(domains) {
            store.intersect(var, &Domain::of_values(values.iter().copied()).unwrap())?;
            store.propagate()?;
        }
        Ok(vars)
    });
    assert_eq!(later, all, "domains {domains:?}, later");
    let (first, last) = (0, domains.len() - 1);
    let mut equal = all.clone();
    equal.retain(|values| values[first] == values[last]);
    for is_late in [false, true] {
        let joined = searched(&|store| {
            let vars = new_vars(store, domains);
            if is_late {
                post(store, &vars)?;
                store.propagate()?;
            }
            store.join(vars[first], vars[last])?;
            if !is_late {
                post(store, &vars)?;
            }
            Ok(vars)
        });
        assert_eq!(joined, equal, "domains {domains:?}, joined, late: {is_late}");
    }
    let mut fixed: Vec<Vec<i64>> = domains.to_vec();
    fixed.iter_mut().step_by(2).for_each(|values| values.truncate(1));
    let some = searched(&|store| {
        let vars = new_vars(store, domains);
        post(store, &vars)?;
        for (&var, values) in vars.iter().zip(&fixed) {
            if values.len() == 1 {
                store.fix_small(var, values[0])?;
            }
        }
        Ok(vars)
    });
    assert_eq!(some, solutions(&fixed, holds), "domains {domains:?}, fixed first");
}

fn domain(from: i64, to: i64, most: usize) -> impl Strategy<Value = Vec<i64>> {
    prop::collection::btree_set(from..=to, 1..=most).prop_map(|set| set.into_iter().collect())
}

/// A domain of values that are near each other or far apart.
fn scattered() -> impl Strategy<Value = Vec<i64>> {
    prop::collection::btree_set(0usize..6, 1..5).prop_map(|set| {
        let all = [-1_000_000_000_000, -70, 0, 1, 70, 1 << 60];
        set.into_iter().map(|at| all[at]).collect()
    })
}

fn all_differ(values: &[i64]) -> bool {
    values.iter().enumerate().all(|(at, value)| !values[..at].contains(value))
}

fn big(values: &[i64]) -> Vec<BigInt> {
    values.iter().map(|&value| value.into()).collect()
}

fn rows(rows: &[Vec<i64>]) -> Vec<Vec<BigInt>> {
    rows.iter().map(|row| big(row)).collect()
}

/// A task that ends when it may.
fn task(store: &mut Store, start: Var, duration: Var, demand: Var) -> Task {
    let end = store.new_var(Domain::all());
    Task { start, duration, end, demand, name: Shown::int(0) }
}

fn post_known_tasks(
    store: &mut Store,
    starts: &[Var],
    durations: &[i64],
    demands: &[i64],
    limit: i64,
) -> Step {
    let mut tasks = Vec::new();
    for (&start, (&duration, &demand)) in starts.iter().zip(durations.iter().zip(demands)) {
        let [duration, demand] = [duration, demand].map(|value| store.constant(&value.into()));
        tasks.push(task(store, start, duration, demand));
    }
    let limit = store.constant(&limit.into());
    post_cumulative(store, &tasks, limit)
}

proptest! {
    #[test]
    fn different_variables(domains in prop::collection::vec(prop_oneof![domain(-3, 3, 5), scattered()], 1..5)) {
        check(&domains, &post_different, &all_differ);
        check(&domains, &post_distinct, &all_differ);
    }

    #[test]
    fn distinct_is_domain_consistent(domains in prop::collection::vec(prop_oneof![domain(1, 7, 4), domain(1, 4, 3)], 1..7)) {
        prop_assert_eq!(propagated(&domains, &post_distinct), in_solutions(&domains, &all_differ));
    }

    #[test]
    fn distinct_of_far_values(domains in prop::collection::vec(scattered(), 1..5)) {
        prop_assert_eq!(propagated(&domains, &post_distinct), in_solutions(&domains, &all_differ));
        // The same of values that are not small.
        let shift = BigInt::from(10).pow(40);
        prop_assert_eq!(propagated_far(&domains, &shift, &post_distinct), in_solutions(&domains, &all_differ));
    }

    #[test]
    fn tables(domains in prop::collection::vec(domain(-2, 3, 5), 3), table in prop::collection::vec(prop::collection::vec(-2i64..4, 3), 0..90)) {
        let rows = rows(&table);
        let post = |store: &mut Store, vars: &[Var]| post_tuples_in(store, &[vars.to_vec()], &rows);
        let holds = |values: &[i64]| table.iter().any(|row| row == values);
        check(&domains, &post, &holds);
        prop_assert_eq!(propagated(&domains, &post), in_solutions(&domains, &holds));
    }

    #[test]
    fn tables_of_several_tuples(domains in prop::collection::vec(domain(0, 3, 4), 4), table in prop::collection::vec(prop::collection::vec(0i64..4, 1..4), 0..30)) {
        let rows = rows(&table);
        let tuples = |vars: &[Var]| [vec![vars[0], vars[1]], vec![vars[1], vars[2], vars[3]], vec![vars[0]], vec![vars[2], vars[2]]];
        let post = |store: &mut Store, vars: &[Var]| post_tuples_in(store, &tuples(vars), &rows);
        let holds = |v: &[i64]| {
            let tuples = [vec![v[0], v[1]], vec![v[1], v[2], v[3]], vec![v[0]], vec![v[2], v[2]]];
            tuples.iter().all(|tuple| table.contains(tuple))
        };
        check(&domains, &post, &holds);
    }

    #[test]
    fn reified_tables(domains in prop::collection::vec(domain(0, 2, 3), 3), truth in domain(0, 1, 2), table in prop::collection::vec(prop::collection::vec(0i64..3, 2), 0..9)) {
        let rows = rows(&table);
        let domains = [domains, vec![truth]].concat();
        let post = |store: &mut Store, v: &[Var]| post_tuples_in_reified(store, &[vec![v[0], v[1]]], &rows, v[3]);
        check(&domains, &post, &|v| (v[3] == 1) == table.contains(&vec![v[0], v[1]]));
        let post = |store: &mut Store, v: &[Var]| post_tuples_in_reified(store, &[vec![v[0], v[1]], vec![v[1], v[2]]], &rows, v[3]);
        check(&domains, &post, &|v| (v[3] == 1) == (table.contains(&vec![v[0], v[1]]) && table.contains(&vec![v[1], v[2]])));
    }

    #[test]
    fn elements(index in domain(-1, 5, 6), list in prop::collection::vec(domain(-3, 3, 4), 1..4), value in domain(-3, 3, 6)) {
        let domains = [vec![index], list, vec![value]].concat();
        let last = domains.len() - 1;
        let post = |store: &mut Store, v: &[Var]| post_element(store, v[0], &v[1..last], v[last]);
        let holds = |v: &[i64]| v[0] >= 1 && v[0] < last as i64 && v[v[0] as usize] == v[last];
        check(&domains, &post, &holds);
        prop_assert_eq!(propagated(&domains, &post), in_solutions(&domains, &holds));
    }

    #[test]
    fn circuits(domains in prop::collection::vec(domain(0, 6, 6), 1..6)) {
        check(&domains, &post_circuit, &is_circuit);
    }

    #[test]
    fn circuits_find_what_distinct_and_connected_successors_do(domains in prop::collection::vec(domain(1, 5, 5), 5)) {
        let left = propagated(&domains, &post_circuit);
        let mut others = domains.clone();
        others.iter_mut().zip(1..).for_each(|(values, own)| values.retain(|&value| value != own));
        let found = if others.iter().any(Vec::is_empty) { None } else { in_solutions(&others, &all_differ) };
        let expected = found.filter(|domains| {
            (1..=5).all(|from| {
                let mut reached = vec![from];
                let mut at = 0;
                while at < reached.len() {
                    let next = domains[reached[at] as usize - 1].clone();
                    next.into_iter().for_each(|node| if !reached.contains(&node) { reached.push(node) });
                    at += 1;
                }
                reached.len() == 5
            })
        });
        prop_assert_eq!(left, expected);
    }

    #[test]
    fn cardinalities(domains in prop::collection::vec(domain(0, 4, 4), 1..5), numbers in prop::collection::vec(domain(0, 4, 3), 1..4)) {
        let count = domains.len();
        let domains = [domains, numbers].concat();
        for consistency in [Consistency::Value, Consistency::Domain] {
            let post = |store: &mut Store, v: &[Var]| {
                // The keys are not in order.
                let keys = [3, 1, 2].map(BigInt::from);
                let pairs: Vec<(BigInt, Var)> = keys.into_iter().zip(v[count..].iter().copied()).collect();
                post_global_cardinality(store, &v[..count], &pairs, consistency)
            };
            let holds = |v: &[i64]| {
                let keys = &[3, 1, 2][..v.len() - count];
                let occurs = |key: i64| v[..count].iter().filter(|&&value| value == key).count() as i64;
                v[..count].iter().all(|value| keys.contains(value))
                    && keys.iter().zip(&v[count..]).all(|(&key, &number)| occurs(key) == number)
            };
            check(&domains, &post, &holds);
        }
    }

    #[test]
    fn cardinality_is_consistent_with_upper_bounds(domains in prop::collection::vec(domain(1, 4, 3), 1..6), most in prop::collection::vec(0i64..4, 4)) {
        let count = domains.len();
        let post = |store: &mut Store, v: &[Var]| {
            let number = |(&most, key): (&i64, i64)| (key.into(), store.new_var(Domain::small(0, most).unwrap()));
            let pairs: Vec<(BigInt, Var)> = most.iter().zip(1..).map(number).collect();
            post_global_cardinality(store, v, &pairs, Consistency::Domain)
        };
        let holds = |v: &[i64]| (1..=4).zip(&most).all(|(key, &most)| v.iter().filter(|&&value| value == key).count() as i64 <= most.min(count as i64));
        prop_assert_eq!(propagated(&domains, &post), in_solutions(&domains, &holds));
    }

    #[test]
    fn cardinality_fails_where_no_flow_is(domains in prop::collection::vec(domain(1, 4, 3), 1..6), bounds in prop::collection::vec((0i64..3, 0i64..3), 4)) {
        let post = |store: &mut Store, v: &[Var]| {
            let number = |(&(least, more), key): (&(i64, i64), i64)| (key.into(), store.new_var(Domain::small(least, least + more).unwrap()));
            let pairs: Vec<(BigInt, Var)> = bounds.iter().zip(1..).map(number).collect();
            post_global_cardinality(store, v, &pairs, Consistency::Domain)
        };
        let holds = |v: &[i64]| (1..=4).zip(&bounds).all(|(key, &(least, more))| {
            let count = v.iter().filter(|&&value| value == key).count() as i64;
            least <= count && count <= least + more
        });
        let left = propagated(&domains, &post);
        let expected = in_solutions(&domains, &holds);
        prop_assert_eq!(left.is_some(), expected.is_some());
        for (left, expected) in left.into_iter().flatten().zip(expected.into_iter().flatten()) {
            prop_assert!(expected.iter().all(|value| left.contains(value)));
        }
    }

    #[test]
    fn costs(domains in prop::collection::vec(domain(1, 3, 3), 2), cost in domain(-4, 8, 9), matrix in prop::collection::vec(prop::collection::vec(-2i64..5, 3), 2)) {
        let domains = [domains, vec![cost]].concat();
        let keys = [2, 1, 3];
        let matrix_rows = rows(&matrix);
        let post = |store: &mut Store, v: &[Var]| post_costs(store, &v[..2], &big(&keys), &matrix_rows, v[2]);
        check(&domains, &post, &|v| {
            let of = |row: &[i64], value: i64| row[keys.iter().position(|&key| key == value).unwrap()];
            of(&matrix[0], v[0]) + of(&matrix[1], v[1]) == v[2]
        });
    }

    #[test]
    fn serialized_tasks(domains in prop::collection::vec(domain(0, 7, 5), 1..5), durations in prop::collection::vec(0i64..4, 4)) {
        let lengths = big(&durations);
        let post = |store: &mut Store, v: &[Var]| post_serialized(store, v, &lengths[..v.len()]);
        check(&domains, &post, &|v| are_in_series(v, &durations));
    }

    #[test]
    fn serialized_pairs_are_bounds_consistent(domains in prop::collection::vec((0i64..8, 0i64..6), 2), durations in prop::collection::vec(0i64..5, 2)) {
        let domains: Vec<Vec<i64>> = domains.into_iter().map(|(lo, more)| (lo..=lo + more).collect()).collect();
        let lengths = big(&durations);
        let ends = |domains: Option<Vec<Vec<i64>>>| {
            domains.map(|domains| domains.iter().map(|values| (values[0], values[values.len() - 1])).collect::<Vec<_>>())
        };
        let left = propagated(&domains, &|store, v| post_serialized(store, v, &lengths));
        prop_assert_eq!(ends(left), ends(in_solutions(&domains, &|v| are_in_series(v, &durations))));
    }

    #[test]
    fn cumulative_tasks(starts in prop::collection::vec(domain(0, 4, 3), 2..4), durations in prop::collection::vec(domain(0, 3, 2), 3), demands in prop::collection::vec(domain(-1, 3, 2), 3), limit in domain(0, 4, 2)) {
        let count = starts.len();
        let domains = [&starts[..], &durations[..count], &demands[..count], &[limit]].concat();
        let post = |store: &mut Store, v: &[Var]| {
            let tasks: Vec<Task> = (0..count).map(|at| task(store, v[at], v[count + at], v[2 * count + at])).collect();
            post_cumulative(store, &tasks, v[3 * count])
        };
        check(&domains, &post, &|v| fits(count, v));
    }

    #[test]
    fn cumulative_fits_as_slots_do(starts in prop::collection::vec((0i64..6, 0i64..5), 2..5), durations in prop::collection::vec(1i64..5, 4), demands in prop::collection::vec(0i64..4, 4), limit in 1i64..5) {
        let domains: Vec<Vec<i64>> = starts.iter().map(|&(lo, more)| (lo..=lo + more).collect()).collect();
        let post = |store: &mut Store, v: &[Var]| {
            post_known_tasks(store, v, &durations, &demands, limit)
        };
        let left = propagated(&domains, &post);
        if let Some(slots) = by_slots(&domains, &durations, &demands, limit) {
            for (left, slots) in left.into_iter().flatten().zip(slots) {
                prop_assert!(left[0] >= slots.0 && left[left.len() - 1] <= slots.1);
            }
        } else {
            prop_assert_eq!(left, None);
        }
    }

    #[test]
    fn rectangles(places in prop::collection::vec(domain(0, 4, 3), 4), sizes in prop::collection::vec(domain(0, 3, 2), 4)) {
        let domains = [places, sizes].concat();
        let post = |store: &mut Store, v: &[Var]| {
            let rectangle = |at: usize| [v[2 * at], v[4 + 2 * at], v[2 * at + 1], v[5 + 2 * at]];
            post_disjoint2(store, &[rectangle(0), rectangle(1)])
        };
        check(&domains, &post, &|v| {
            let rectangle = |at: usize| [v[2 * at], v[4 + 2 * at], v[2 * at + 1], v[5 + 2 * at]];
            are_apart(rectangle(0), rectangle(1))
        });
    }

    #[test]
    fn squares(places in prop::collection::vec(domain(0, 4, 2), 6)) {
        let post = |store: &mut Store, v: &[Var]| {
            let size = store.constant(&2.into());
            let square = |at: usize| [v[2 * at], size, v[2 * at + 1], size];
            post_disjoint2(store, &[square(0), square(1), square(2)])
        };
        check(&places, &post, &|v| {
            let square = |at: usize| [v[2 * at], 2, v[2 * at + 1], 2];
            are_apart(square(0), square(1)) && are_apart(square(0), square(2)) && are_apart(square(1), square(2))
        });
    }

    #[test]
    fn lexicographic_chains(domains in prop::collection::vec(domain(0, 2, 3), 6)) {
        let post = |store: &mut Store, v: &[Var]| post_lex_chain(store, &[v[..2].to_vec(), v[2..4].to_vec(), v[4..].to_vec()]);
        check(&domains, &post, &|v| v[..2] <= v[2..4] && v[2..4] <= v[4..]);
    }
}

fn is_circuit(successors: &[i64]) -> bool {
    let (mut node, mut steps) = (1, 0);
    loop {
        let Some(&next) = successors.get((node - 1) as usize) else { return false };
        if next < 1 {
            return false;
        }
        (node, steps) = (next, steps + 1);
        if node == 1 || steps > successors.len() {
            return steps == successors.len();
        }
    }
}

fn are_in_series(starts: &[i64], durations: &[i64]) -> bool {
    let before = |a: usize, b: usize| starts[a] + durations[a] <= starts[b];
    let count = starts.len();
    (0..count).all(|a| (a + 1..count).all(|b| before(a, b) || before(b, a)))
}

fn fits(count: usize, v: &[i64]) -> bool {
    let (starts, durations) = (&v[..count], &v[count..2 * count]);
    let (demands, limit) = (&v[2 * count..3 * count], v[3 * count]);
    durations.iter().all(|&duration| duration > 0)
        && demands.iter().all(|&demand| demand >= 0)
        && (0..10).all(|time| {
            let runs = |&at: &usize| starts[at] <= time && time < starts[at] + durations[at];
            (0..count).filter(runs).map(|at| demands[at]).sum::<i64>() <= limit
        })
}

/// The bounds of starts that follow from each time by itself: whether a task runs then, and what that
/// uses.
fn by_slots(
    domains: &[Vec<i64>],
    durations: &[i64],
    demands: &[i64],
    limit: i64,
) -> Option<Vec<(i64, i64)>> {
    let mut bounds: Vec<(i64, i64)> =
        domains.iter().map(|values| (values[0], values[values.len() - 1])).collect();
    loop {
        let before = bounds.clone();
        for time in 0..20 {
            for task in 0..bounds.len() {
                let runs = |at: usize| bounds[at].1 <= time && time < bounds[at].0 + durations[at];
                let others = (0..bounds.len()).filter(|&other| other != task && runs(other));
                if others.map(|other| demands[other]).sum::<i64>() + demands[task] <= limit
                    || demands[task] == 0
                {
                    continue;
                }
                // It does not run: not (start =< time < end).
                let (lo, hi) = bounds[task];
                let (begun, unfinished) = (hi <= time, lo + durations[task] > time);
                match (begun, unfinished) {
                    (true, true) => return None,
                    (true, false) => bounds[task].1 = hi.min(time - durations[task]),
                    (false, true) => bounds[task].0 = lo.max(time + 1),
                    _ => {}
                }
                if bounds[task].0 > bounds[task].1 {
                    return None;
                }
            }
        }
        if before == bounds {
            return Some(bounds);
        }
    }
}

/// Where one rectangle begins within the other in a direction, they are apart in the other direction.
fn are_apart(a: [i64; 4], b: [i64; 4]) -> bool {
    let one = |[ax, aw, ay, ah]: [i64; 4], [bx, bw, by, bh]: [i64; 4]| {
        let apart = |a: i64, size: i64, b: i64, other: i64| a + size <= b || b + other <= a;
        (!(ax <= bx && bx < ax + aw) || apart(ay, ah, by, bh))
            && (!(ay <= by && by < ay + ah) || apart(ax, aw, bx, bw))
    };
    one(a, b) && one(b, a)
}

/// Domains far away from 0, and what is left of them, brought back.
fn propagated_far(domains: &[Vec<i64>], far: &BigInt, post: Post) -> Option<Vec<Vec<i64>>> {
    let far = Bound::Fin(far.clone());
    let mut store = Store::default();
    let mut vars = new_vars(&mut store, domains);
    for var in &mut vars {
        let shifted = store.domain(*var).shifted(&far);
        *var = store.new_var(shifted);
    }
    post(&mut store, &vars).and_then(|()| store.propagate()).ok()?;
    let back = |&var: &Var| {
        let near = store.domain(var).shifted(&far.negated());
        near.as_small().unwrap().values().collect()
    };
    Some(vars.iter().map(back).collect())
}

proptest! {
    #[test]
    fn far_away_is_as_near(domains in prop::collection::vec(domain(0, 4, 4), 4), table in prop::collection::vec(prop::collection::vec(0i64..5, 4), 0..30), sizes in prop::collection::vec(0i64..4, 4), demands in prop::collection::vec(0i64..3, 4)) {
        let (near, far) = (BigInt::from(0), BigInt::from(10).pow(30));
        let table = |from: &BigInt| -> Vec<Vec<BigInt>> {
            table.iter().map(|row| row.iter().map(|&value| value + from).collect()).collect()
        };
        let tables = |from: &BigInt| {
            let rows = table(from);
            move |store: &mut Store, v: &[Var]| post_tuples_in(store, &[v.to_vec()], &rows)
        };
        prop_assert_eq!(propagated(&domains, &tables(&near)), propagated_far(&domains, &far, &tables(&far)));
        let cardinalities = |from: &BigInt| {
            let keys: Vec<BigInt> = (0..5).map(|key| key + from).collect();
            move |store: &mut Store, v: &[Var]| {
                let number = |key: &BigInt| (key.clone(), store.new_var(Domain::small(0, 1).unwrap()));
                let pairs: Vec<(BigInt, Var)> = keys.iter().map(number).collect();
                post_global_cardinality(store, v, &pairs, Consistency::Domain)
            }
        };
        prop_assert_eq!(propagated(&domains, &cardinalities(&near)), propagated_far(&domains, &far, &cardinalities(&far)));
        let lengths = big(&sizes);
        let serialized = |store: &mut Store, v: &[Var]| post_serialized(store, v, &lengths);
        prop_assert_eq!(propagated(&domains, &serialized), propagated_far(&domains, &far, &serialized));
        let cumulative = |store: &mut Store, v: &[Var]| {
            let durations: Vec<i64> = sizes.iter().map(|size| size + 1).collect();
            post_known_tasks(store, v, &durations, &demands, 3)
        };
        prop_assert_eq!(propagated(&domains, &cumulative), propagated_far(&domains, &far, &cumulative));
        let rectangles = |store: &mut Store, v: &[Var]| {
            let sizes: Vec<Var> = sizes.iter().map(|&size| store.constant(&size.into())).collect();
            let rectangle = |at: usize| [v[at], sizes[at], v[at + 1], sizes[at + 1]];
            post_disjoint2(store, &[rectangle(0), rectangle(2)])
        };
        prop_assert_eq!(propagated(&domains, &rectangles), propagated_far(&domains, &far, &rectangles));
    }
}

fn posted(store: &mut Store, vars: &[Var], post: Post) {
    post(store, vars).and_then(|()| store.propagate()).unwrap();
}

#[test]
fn infinite_domains_take_no_part() {
    let mut store = Store::default();
    let two = Domain::small(1, 2).unwrap();
    let vars = [two.clone(), two, Domain::all()].map(|domain| store.new_var(domain));
    posted(&mut store, &vars, &post_distinct);
    assert_eq!(store.domain(vars[2]), &Domain::all());
    // When it becomes finite, it does.
    store.narrow(vars[2], &Bound::from(1), &Bound::from(9)).unwrap();
    store.propagate().unwrap();
    assert_eq!(store.domain(vars[2]), &Domain::small(3, 9).unwrap());
    // A value that a variable has is taken from infinite domains too.
    let other = store.new_var(Domain::all());
    posted(&mut store, &[vars[0], vars[1], other], &post_distinct);
    store.fix_small(vars[0], 2).unwrap();
    store.propagate().unwrap();
    assert!(!store.domain(other).has(1) && !store.domain(other).has(2));
}

#[test]
fn large_domains_are_not_listed() {
    let mut store = Store::default();
    let large = Domain::small(0, 1 << 50).unwrap();
    let few = Domain::of_values([3, 1 << 40]).unwrap();
    let vars = [large.clone(), few.clone(), few, large].map(|domain| store.new_var(domain));
    posted(&mut store, &vars, &post_distinct);
    assert!(!store.domain(vars[0]).has(3) && !store.domain(vars[3]).has(1 << 40));
    assert!(store.domain(vars[0]).has(4));
}

#[test]
fn shown_constraints() {
    let mut store = Store::default();
    let vars: Vec<Var> = (0..2).map(|_| store.new_var(Domain::small(0, 5).unwrap())).collect();
    let table = rows(&[vec![1, 2], vec![1, 5], vec![4, 0], vec![4, 3]]);
    posted(&mut store, &vars, &|store, v| post_tuples_in(store, &[v.to_vec()], &table));
    store.at_least(vars[1], &1i128).unwrap();
    store.propagate().unwrap();
    let prop = store.props_of(vars[0]).next().unwrap();
    // Of the table, the rows that are still possible.
    let left = [[1, 2], [1, 5], [4, 3]].map(|row| Shown::List(row.map(Shown::int).into()));
    let tuples = Shown::List(vec![Shown::vars(&vars)]);
    let expected = Shown::binary("tuples_in", tuples, Shown::List(left.into()));
    assert_eq!(store.code(prop).shown(&store), Some(expected));
    // What has nothing more to find is not there.
    store.fix_small(vars[0], 1).unwrap();
    store.propagate().unwrap();
    assert_eq!(store.props_of(vars[1]).next(), None);
}

/// What is shown of the propagators that a constraint has posted.
fn shown(domains: usize, post: Post) -> Vec<String> {
    let mut store = Store::default();
    let domain = Domain::small(1, 3).unwrap();
    let vars: Vec<Var> = (0..domains).map(|_| store.new_var(domain.clone())).collect();
    posted(&mut store, &vars, post);
    let props: std::collections::BTreeSet<u32> =
        vars.iter().flat_map(|&var| store.props_of(var)).map(|prop| prop.0).collect();
    let shown = props.into_iter().filter_map(|prop| store.code(Prop(prop)).shown(&store));
    shown.map(|shown| written(&shown)).collect()
}

fn written(shown: &Shown) -> String {
    let all = |parts: &[Shown]| parts.iter().map(written).collect::<Vec<_>>().join(",");
    match shown {
        Shown::Var(var) => format!("V{}", var.0),
        Shown::Int(value) => value.to_string(),
        Shown::Chain(name, parts) => parts.iter().map(written).collect::<Vec<_>>().join(name),
        Shown::Compound(name, parts) if parts.is_empty() => name.to_string(),
        Shown::Compound(name, parts) => format!("{name}({})", all(parts)),
        Shown::List(parts) => format!("[{}]", all(parts)),
    }
}

#[test]
fn constraints_are_shown_once() {
    assert_eq!(shown(2, &post_different), ["all_different([V0,V1])"]);
    assert_eq!(shown(2, &post_distinct), ["all_distinct([V0,V1])"]);
    assert_eq!(shown(3, &post_circuit), ["circuit([V0,V1,V2])"]);
    assert_eq!(
        shown(4, &|store, v| post_element(store, v[0], &v[1..3], v[3])),
        ["element(V0,[V1,V2],V3)"]
    );
    for (consistency, option) in
        [(Consistency::Domain, ""), (Consistency::Value, ",[consistency(value)]")]
    {
        let three = |store: &mut Store, v: &[Var]| {
            let pairs = [(BigInt::from(2), v[3]), (BigInt::from(1), v[4])];
            post_global_cardinality(store, &v[..3], &pairs, consistency)
        };
        assert_eq!(
            shown(5, &three),
            [format!("global_cardinality([V0,V1,V2],[-(2,V3),-(1,V4)]{option})")]
        );
    }
    let serialized = |store: &mut Store, v: &[Var]| post_serialized(store, v, &big(&[1, 1]));
    assert_eq!(shown(2, &serialized), ["serialized([V0,V1],[1,1])"]);
    let lists =
        |store: &mut Store, v: &[Var]| post_lex_chain(store, &[v[..2].to_vec(), v[2..].to_vec()]);
    assert_eq!(shown(4, &lists), ["lex_chain([[V0,V1],[V2,V3]])", "#>=(V2,V0)"]);
    let cumulative = |store: &mut Store, v: &[Var]| {
        let task = |at: usize, name: i64| Task {
            start: v[at],
            duration: v[at + 1],
            end: v[at + 2],
            demand: v[at + 3],
            name: Shown::int(name),
        };
        post_cumulative(store, &[task(0, 7)], v[4])
    };
    assert_eq!(shown(5, &cumulative), ["cumulative([task(V0,V1,V2,V3,7)],[limit(V4)])"]);
    let rectangles = |store: &mut Store, v: &[Var]| {
        let rectangle = |at: usize| [v[at], v[at + 1], v[at + 2], v[at + 3]];
        post_disjoint2(store, &[rectangle(0), rectangle(4)])
    };
    assert_eq!(
        shown(8, &rectangles),
        ["disjoint2([rectangle(V0,V1,V2,V3),rectangle(V4,V5,V6,V7)])"]
    );
}
