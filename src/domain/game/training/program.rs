//! What training asks of the program itself: its fingerprint, and whether it tells players
//! apart.

use crate::canonical_text;
use crate::canonical_text::occurrences;
use crate::game::roles::{Role, Roles};
use zug_machine::{Kind, Machine, PredId};
use zug_prolog::builtins::World;
use zug_prolog::user_predicate;

/// A number that is another one, as good as surely, where the clauses of the program are
/// others. Comments, layout, names of variables and the order of predicates do not matter, nor
/// do `print_state/1`, `draw_state/2` and `click/3`.
pub fn fingerprint(m: &Machine, w: &World) -> u64 {
    let drawing = [("print_state", 1), ("draw_state", 2), ("click", 3)];
    let drawing = drawing.map(|(name, arity)| user_predicate(m, name, arity));
    let preds = 0..m.program.preds.len() as PredId;
    let own = preds.filter(|&pred| {
        let known = &m.program.preds[pred as usize];
        m.program.modules.is_programs(known.space)
            && matches!(known.kind, Kind::Static | Kind::Dynamic)
            && !drawing.contains(&Some(pred))
    });
    own.map(|pred| {
        let mut hash = Fnv::default();
        for id in m.program.live_clauses(pred) {
            hash.add(&canonical_text(m, w, &m.program.clauses[id as usize].record));
        }
        hash.0
    })
    .fold(0, u64::wrapping_add)
}

/// FNV-1a, 64 bits (Fowler, Noll and Vo): the same on every platform and in every version.
struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Fnv {
        Fnv(0xcbf2_9ce4_8422_2325)
    }
}

impl Fnv {
    fn add(&mut self, text: &str) {
        for byte in text.bytes().chain([0]) {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}

/// Whether no rule of a game looks at who is to move: what is known of a state is then the
/// same for both players.
pub(in crate::game) fn is_same_for_all(m: &Machine, roles: &Roles) -> bool {
    let worth = if roles.is_normal_play() { None } else { roles.utility.or(roles.heuristic) };
    let asked = [Some(roles.moves), roles.terminal, worth];
    roles.to_move.is_none() && asked.into_iter().flatten().all(|role| ignores_player(m, role))
}

/// Whether no clause of a predicate looks at the player.
pub(in crate::game) fn ignores_player(m: &Machine, role: Role) -> bool {
    !role.with_player || ignores_argument(m, role.pred, 0)
}

/// Whether no clause of a predicate looks at one of its arguments.
pub(in crate::game) fn ignores_argument(m: &Machine, pred: PredId, at: usize) -> bool {
    m.program.live_clauses(pred).into_iter().all(|id| {
        let (heap, root) = m.program.clauses[id as usize].record.to_heap();
        let argument = |cell, i| heap.name_arity(cell).map(|(_, _, args)| heap.at(args + i));
        let found = argument(root, 0).and_then(|head| argument(heap.deref(head), at));
        let Some(found) = found.map(|cell| heap.deref(cell)) else { return false };
        occurrences(&heap, root).contains(&(found, false))
    })
}
