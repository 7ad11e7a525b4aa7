//! Arguments of system predicates that are goals.

use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::LazyLock;
use zug_term::symbol::{Atom, Symbols, atoms};

/// Numbers of arguments that are goals, each with the number of arguments that the call adds.
pub type Positions = &'static [(usize, usize)];

/// Predicates of the system that take goals, other than `call/N`, as `meta_predicate/1` declares them: a number stands for a
/// goal to which the call adds N arguments.
const MODES: &str = r"
    ,(0,0) ;(0,0) |(0,0) ->(0,0) *->(0,0) \+(0) not(0) once(0) ignore(0) forall(0,0) findall(?,0,?)
    freeze(?,0) when(?,0) call_residue_vars(0,?) findall(?,0,?,?) findnsols(?,?,0,?)
    findnsols(?,?,0,?,?) foreach(0,0) tnot(0) current_table(0,?) abolish_table_subgoals(0)
    limit(?,0) offset(?,0) order_by(?,0) distinct(0) distinct(?,0) call_nth(0,?) reset(0,?,?)
    engine_create(?,0,?) catch_with_backtrace(0,?,0) aggregate(?,0,?) aggregate(?,?,0,?) apply(0,?)
    initialization(0) initialization(0,?) map_assoc(1,?) map_assoc(2,?,?) map_list_to_pairs(2,?,?)
    bagof(?,0,?) setof(?,0,?) ^(?,0) aggregate_all(?,0,?) aggregate_all(?,?,0,?) catch(0,?,0) $(0)
    call_cleanup(0,0) setup_call_cleanup(0,0,0) call_with_time_limit(?,0)
    call_with_inference_limit(0,?,?) call_with_depth_limit(0,?,?) with_output_to(?,0) assertion(0)
    time(0) why(0) why_not(0) maplist(1,?) maplist(2,?,?) maplist(3,?,?,?) maplist(4,?,?,?,?)
    maplist(5,?,?,?,?,?) maplist(6,?,?,?,?,?,?) foldl(3,?,?,?) foldl(4,?,?,?,?) foldl(5,?,?,?,?,?)
    foldl(6,?,?,?,?,?,?) include(1,?,?) exclude(1,?,?) partition(1,?,?,?) convlist(2,?,?)
    predsort(3,?,?) phrase(2,?) phrase(2,?,?) at_halt(0) checklist(1,?) concurrent_and(0,0)
    concurrent_and(0,0,?) concurrent_forall(0,0) concurrent_forall(0,0,?) concurrent_maplist(1,?)
    concurrent_maplist(2,?,?) concurrent_maplist(3,?,?,?) engine_create(?,0,?,?)
    foldsubterms(3,?,?,?) foldsubterms(4,?,?,?,?) foreach(0,2,?,?) foreach(0,2,2,?,?)
    group_by(?,?,0,?) mapargs(2,?,?) mapsubterms(2,?,?) mapsubterms_var(2,?,?) max_member(2,?,?)
    min_member(2,?,?) on_exception(?,0,0) optional(2,2,?,?) partition(2,?,?,?,?)
    phrase_from_file(2,?) phrase_from_file(2,?,?) phrase_from_stream(2,?) profile(0) profile(0,?)
    rb_apply(?,?,2,?) rb_fold(3,?,?,?) rb_map(?,1) rb_map(?,2,?) rb_partial_map(?,?,2,?)
    scanl(3,?,?,?) scanl(4,?,?,?,?) scanl(5,?,?,?,?,?) scanl(6,?,?,?,?,?,?) sequence(3,?,?,?)
    sequence(3,2,?,?,?) sequence(2,3,2,2,?,?,?) setup_and_call_cleanup(0,0,0)
    setup_call_catcher_cleanup(0,0,?,0) sig_atomic(0) sublist(1,?,?) with_mutex(?,0)
    with_output_to_chars(0,?) with_output_to_chars(0,?,?) with_output_to_chars(0,?,?,?)
    with_output_to_codes(0,?) with_output_to_codes(0,?,?) with_output_to_codes(0,?,?,?)
    indent_lines(1,?,?,?)
";

/// Arguments that are goals: name, arity, and for each such argument its number and how many
/// arguments the goal gets in addition.
pub static META: LazyLock<Vec<(&str, usize, Positions)>> = LazyLock::new(|| {
    let calls = (0..16).map(|more| ("call", more + 1, vec![(0, more)]));
    let declared = MODES.split_whitespace().map(|declaration| {
        let (name, modes) = declaration.rsplit_once('(').expect("a declaration has modes");
        let modes: Vec<&str> = modes.trim_end_matches(')').split(',').collect();
        let goal = |(at, mode): (usize, &&str)| Some((at, mode.parse().ok()?));
        (name, modes.len(), modes.iter().enumerate().filter_map(goal).collect())
    });
    let all = calls.chain(declared);
    all.map(|(name, arity, goals)| (name, arity, &*goals.leak())).collect()
});

/// Predicates whose first argument is a clause, a head, a predicate's name and arity, or what is to be the name of the
/// module around the goal.
const CHANGES: &str = "
    assert/1 asserta/1 assertz/1 retract/1 retractall/1 abolish/1 dynamic/1 discontiguous/1
    multifile/1 det/1 clause/2 clause/3 listing/1 table/1 untable/1 public/1 volatile/1
    meta_predicate/1 module_transparent/1 strip_module/3 export/1 use_module/1 use_module/2
    reexport/1 reexport/2 consult/1 ensure_loaded/1 load_files/2 predicate_property/2
    current_predicate/1 context_module/1
";

/// The tables by atom.
#[derive(Clone, Debug, Default)]
pub struct MetaTable {
    pub(super) goals: FxHashMap<(Atom, usize), Positions>,
    pub(super) changes: FxHashSet<(Atom, usize)>,
    pub(super) lambda: Option<Atom>,
    pub(super) free: Option<Atom>,
}

/// Which arguments of a predicate of the system are goals, and how many arguments each gets when it is called.
pub fn goal_arguments(name: &str, arity: usize) -> Option<&'static [(usize, usize)]> {
    META.iter().find(|&&(known, count, _)| known == name && count == arity).map(|&(_, _, at)| at)
}

impl MetaTable {
    /// The tables for these symbols.
    pub fn new(symbols: &mut Symbols) -> MetaTable {
        let indicators = CHANGES.split_whitespace().filter_map(|text| text.split_once('/'));
        let arity = |text: &str| text.parse().expect("an arity");
        MetaTable {
            goals: META.iter().map(|&(n, a, at)| ((symbols.intern(n), a), at)).collect(),
            changes: indicators.map(|(n, a)| (symbols.intern(n), arity(a))).collect(),
            lambda: Some(symbols.intern(">>")),
            free: Some(atoms::SLASH),
        }
    }
}
