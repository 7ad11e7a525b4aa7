//! Trees held against what engines and counts say.

use super::{Form, NodeKind, Prospect, Size, TreeReport, TreeRequest, read_goal, tree};
use std::path::{Path, PathBuf};
use zug_prolog::session::Session;

/// A session with one of the rule files that ship.
fn session(file: &str) -> Session {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../rules").join(file);
    let mut session = zug_tools::language::captured("").0;
    super::super::load(&mut session, &path).expect("the rules load");
    session
}

fn request(file: &str) -> TreeRequest {
    TreeRequest { file: PathBuf::from(file), max_nodes: Some(100_000), ..TreeRequest::default() }
}

fn drawn(file: &str, goal: &str, change: impl FnOnce(&mut TreeRequest)) -> TreeReport {
    let mut session = session(file);
    let mut request = request(file);
    read_goal(&mut session, goal, &mut request).expect("a goal");
    change(&mut request);
    let report = tree(&mut session, &request).expect("a tree");
    sound(&report);
    report
}

/// What holds of every tree.
fn sound(report: &TreeReport) {
    for (at, node) in report.nodes.iter().enumerate() {
        assert!(node.state < report.states.len());
        if report.form != Form::Graph {
            assert_eq!(node.parent.is_none(), at == 0);
            assert!(node.parent.is_none_or(|parent| parent < at));
        }
        if let NodeKind::Again(there) = node.kind {
            assert_eq!(report.nodes[there].state, node.state, "the same state");
            assert_ne!(there, at);
        }
        assert!(node.step <= report.steps.len());
        assert!(node.notes.iter().all(|note| note.step <= report.steps.len()));
    }
    if report.form != Form::Graph {
        assert_eq!(report.edges.len(), report.nodes.len() - 1);
        for edge in &report.edges {
            assert_eq!(report.nodes[edge.to].parent, Some(edge.from));
        }
    }
    assert!(report.steps.iter().all(|step| step.node < report.nodes.len()));
}

/// A limit of nodes leaves what was drawn by then, and is told.
#[test]
fn a_limit_of_nodes_leaves_a_part_of_alpha_beta() {
    let whole = drawn("tictactoe.pl", "alphabeta(x, S, 0, 2)", |_| {});
    assert_eq!(whole.stopped, None);
    let part =
        drawn("tictactoe.pl", "alphabeta(x, S, 0, 2)", |request| request.limits.nodes = Some(20));
    assert_eq!(part.stopped, Some(zug_search::StopReason::Nodes));
    assert!(part.nodes.len() < whole.nodes.len() && part.nodes.len() > 1);
    assert!(matches!(part.size, Size::More(_)));
}

/// Nodes of the tree of Nim, and how many of them are ends.
fn nim(n: u32) -> (usize, usize) {
    if n == 0 {
        return (1, 1);
    }
    let below = (1..=3.min(n)).map(|k| nim(n - k));
    below.fold((1, 0), |(nodes, ends), (n, e)| (nodes + n, ends + e))
}

#[test]
fn all_occurrences() {
    for n in [0, 1, 4, 6] {
        let report = drawn("nim.pl", &format!("moves({n})"), |_| {});
        let (nodes, ends) = nim(n);
        assert_eq!(report.nodes.len(), nodes);
        assert_eq!(report.size, Size::Exact(nodes.to_string()));
        let over = |at: &&super::TreeNode| report.states[at.state].end;
        assert_eq!(report.nodes.iter().filter(over).count(), ends);
    }
}

#[test]
fn every_state_once() {
    let full = drawn("nim.pl", "moves(7)", |_| {});
    let report = drawn("nim.pl", "moves(7)", |request| request.form = Form::Truncated);
    let mut states: Vec<usize> = report
        .nodes
        .iter()
        .filter(|node| node.kind == NodeKind::State)
        .map(|node| node.state)
        .collect();
    states.sort_unstable();
    states.dedup();
    assert_eq!(states.len(), full.states.len());
    let once = report.nodes.iter().filter(|node| node.kind == NodeKind::State).count();
    assert_eq!(once, full.states.len());
    let graph = drawn("nim.pl", "moves(7)", |request| request.form = Form::Graph);
    assert_eq!(graph.nodes.len(), full.states.len());
    // Each edge of the graph is one of the truncated tree.
    assert_eq!(graph.edges.len(), report.edges.len());
}

#[test]
fn what_is_hidden_is_counted() {
    let report = drawn("nim.pl", "moves(16)", |request| request.max_nodes = Some(300));
    assert!(report.nodes.len() <= 300);
    assert_eq!(report.size, Size::Exact(nim(16).0.to_string()));
    let hidden: usize =
        report.nodes.iter().filter_map(|node| node.hidden.as_ref()?.parse::<usize>().ok()).sum();
    assert_eq!(report.nodes.len() + hidden, nim(16).0);
    assert!(report.remarks.iter().any(|remark| remark.contains("23,249 nodes")), "{report:?}");
    let report = drawn("taquin.pl", "moves", |request| request.max_nodes = Some(50));
    assert_eq!(report.size, Size::Endless);
    assert!(report.nodes.len() <= 50);
}

#[test]
fn who_wins_nim() {
    let report = drawn("nim.pl", "moves(9)", |_| {});
    for state in &report.states {
        let n: u32 = state.term.text.parse().expect("a number");
        // Who takes the last one loses.
        let lost = n % 4 == 1;
        let expect = if lost { Prospect::Loss } else { Prospect::Win };
        assert_eq!(state.prospect, Some(expect), "{n}");
    }
    assert!(report.nodes.iter().filter(|node| node.path).count() > 3);
}

#[test]
fn symmetrical_boards_are_one() {
    for form in [Form::Full, Form::Graph] {
        let report = drawn("tictactoe.pl", "moves", |request| {
            (request.limits.depth, request.symmetry, request.form) = (Some(2), true, form);
        });
        assert_eq!(report.nodes.len(), 16, "{form:?}");
        let root: Vec<usize> = report
            .edges
            .iter()
            .filter(|edge| edge.from == 0)
            .map(|edge| edge.moves.len())
            .collect();
        assert_eq!(root, [4, 4, 1]);
    }
}

/// Every engine for puzzles: the path is there, the expansions are in order, and each expanded
/// node has its successors.
#[test]
fn searches_of_puzzles() {
    for engine in zug_search::engines() {
        let name = engine.name;
        let report = drawn("taquin.pl", &format!("{name}(P, C)"), |request| {
            request.limits.depth = Some(12);
        });
        let path: Vec<&super::TreeNode> = report.nodes.iter().filter(|node| node.path).collect();
        let goal = report.nodes.iter().find(|node| node.path && report.states[node.state].end);
        let goal = goal.unwrap_or_else(|| panic!("{name} finds a goal"));
        assert_eq!(path.len(), goal.depth as usize + 1, "{name}");
        let mut orders: Vec<usize> = report.nodes.iter().filter_map(|node| node.order).collect();
        orders.sort_unstable();
        assert!(
            orders.iter().enumerate().all(|(at, &order)| order == at + 1),
            "{name}: {orders:?}"
        );
    }
}

#[test]
fn the_search_of_astar() {
    let report = drawn("taquin.pl", "astar(P, C)", |_| {});
    let expanded = report.nodes.iter().filter(|node| node.order.is_some()).count();
    // As `zug solve` counts: 5 expanded, 15 generated.
    assert_eq!((expanded, report.nodes.len()), (5, 16));
    let f = |node: &super::TreeNode| node.notes[0].value.clone();
    assert_eq!(f(&report.nodes[0]), "5 = 0+5");
    let orders: Vec<Option<usize>> =
        report.nodes.iter().filter(|node| node.path).map(|node| node.order).collect();
    assert_eq!(orders, [Some(1), Some(2), Some(3), Some(4), Some(5), None]);
}

/// The value in the root of a tree is that of the engine.
#[test]
fn values_at_the_root() {
    for file in ["tictactoe.pl", "nim.pl", "hexapawn.pl"] {
        for depth in 1..4 {
            for engine in ["negamax", "minimax", "alphabeta"] {
                let report = drawn(file, &format!("{engine}(J, S, 0, {depth})"), |_| {});
                let outcome = report.outcome.clone().expect("an outcome");
                let note = report.nodes[0].notes.iter().find(|note| note.name == "v");
                let value = &note.expect("a value").value;
                let said = outcome.trim_end_matches('.').rsplit(' ').next();
                assert_eq!(said, Some(value.as_str()), "{file} {engine} {depth}: {outcome}");
            }
        }
    }
}

#[test]
fn alphabeta_cuts() {
    let full = drawn("tictactoe.pl", "negamax(x, S, 0, 3)", |_| {});
    let report = drawn("tictactoe.pl", "alphabeta(x, S, 0, 3)", |_| {});
    let pruned = |report: &TreeReport| {
        report.nodes.iter().filter(|node| node.kind == NodeKind::Pruned).count()
    };
    assert_eq!(pruned(&full), 0);
    assert!(pruned(&report) > 20);
    assert!(report.nodes.len() - pruned(&report) < full.nodes.len() / 3);
    let bound = |node: &&super::TreeNode| {
        node.notes.iter().any(|note| note.name == "v" && note.value.starts_with("≥"))
    };
    // Only where a bound is reached moves are left out.
    for node in report.nodes.iter().filter(|node| node.kind == NodeKind::Pruned) {
        let parent = &report.nodes[node.parent.expect("a parent")];
        assert!(bound(&parent), "{parent:?}");
    }
}

#[test]
fn proofs_and_plays() {
    for n in 1..9 {
        let report = drawn("nim.pl", &format!("pns(J, {n}, V)"), |_| {});
        let root = &report.nodes[0];
        let number = |name| root.notes.iter().find(|note| note.name == name).map(|n| &*n.value);
        // Proved either way: that who moves wins, or that they lose.
        assert_eq!((number("pn"), number("dn")), (Some("0"), Some("∞")), "{n}");
        let said = if n % 4 == 1 { "a loses" } else { "a wins" };
        assert!(report.remarks.iter().any(|remark| remark.contains(said)), "{n}");
    }
    let report = drawn("tictactoe.pl", "mcts(x, S, M, V, [playouts(50)])", |_| {});
    let tries = |at: usize| -> u64 { report.nodes[at].notes[0].value.parse().expect("a count") };
    assert_eq!(tries(0), 50);
    let below: u64 = report.children()[0].iter().map(|&child| tries(child)).sum();
    assert_eq!(below, 50);
}

#[test]
fn searches_in_other_forms() {
    for form in [Form::Truncated, Form::Graph] {
        for goal in ["iddfs(P, C)", "astar(P, C)"] {
            let report = drawn("taquin.pl", goal, |request| request.form = form);
            assert!(report.nodes.iter().any(|node| node.path));
        }
        let report = drawn("nim.pl", "negamax(a, 6, 0, 6)", |request| request.form = form);
        assert!(report.nodes.len() < nim(6).0);
    }
    let graph = drawn("nim.pl", "alphabeta(a, 6, 0, 6)", |request| request.form = Form::Graph);
    assert!(graph.nodes.len() <= 13);
}
