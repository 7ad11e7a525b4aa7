//! A game with its graph and solved states, owned by its user: [`OwnGame`].

use super::fork::Copies;
use super::roles::Roles;
use super::rules::{Kit, RuleGame};
use super::table::{Table, roles_of};
use super::value::GameValue;
use crate::Packed;
use crate::error::RuleError;
use crate::memory::asking_time;
use crate::run::nested;
use zug_machine::Machine;
use zug_prolog::builtins::World;
use zug_search::Limits;
use zug_search::game::{Graph, Solved};

/// The game of a program with what is known of it, apart from what the session keeps: the
/// states that it packs stay what they are from one call to the next. Symmetries count for
/// nothing.
pub struct OwnGame {
    roles: Roles,
    kit: Kit,
    graph: Graph<Packed, GameValue>,
    solved: Option<Solved<GameValue>>,
    recalled: Option<Solved<GameValue>>,
}

impl OwnGame {
    /// The game of the program.
    ///
    /// # Errors
    /// The program is no game.
    pub fn new(m: &mut Machine, w: &mut World) -> Result<OwnGame, Box<RuleError>> {
        let roles = Roles { symmetry: None, ..roles_of(m)? };
        let mut own = OwnGame::of(roles, Kit::default());
        // Errors of the rules are reported when they are queried.
        let limits = Limits { time: asking_time(w), ..Limits::none() };
        let _ = own.with(m, w, &limits, |table| table.weigh_from_start());
        Ok(own)
    }

    /// A game of which nothing is known but this.
    pub(super) fn of(roles: Roles, kit: Kit) -> OwnGame {
        OwnGame { roles, kit, graph: Graph::default(), solved: None, recalled: None }
    }

    /// Drops what was found out of states.
    pub(super) fn forget_results(&mut self) {
        self.graph = Graph::default();
        (self.solved, self.recalled) = (None, None);
    }

    /// Bytes that the states take.
    pub(super) fn bytes(&self) -> usize {
        self.graph.bytes()
    }

    /// The predicates of the game.
    pub fn roles(&self) -> &Roles {
        &self.roles
    }

    /// Puts the game on the table.
    ///
    /// # Errors
    /// What `run` says.
    pub fn with<T>(
        &mut self,
        m: &mut Machine,
        w: &mut World,
        limits: &Limits,
        run: impl FnOnce(&mut Table<'_>) -> Result<T, Box<RuleError>>,
    ) -> Result<T, Box<RuleError>> {
        let (mut run, mut found) = (Some(run), None);
        self.open(m, w, limits, &mut |table| {
            found = run.take().map(|run| run(table)).transpose()?;
            Ok(())
        })?;
        Ok(found.expect("the game was opened"))
    }

    /// As [`OwnGame::with`]; compiled once.
    fn open(
        &mut self,
        m: &mut Machine,
        w: &mut World,
        limits: &Limits,
        run: &mut dyn FnMut(&mut Table<'_>) -> Result<(), Box<RuleError>>,
    ) -> Result<(), Box<RuleError>> {
        let OwnGame { roles, kit, graph, solved, recalled } = self;
        let forgot = graph.forgot();
        let mut copies = Vec::new();
        let found = nested(m, w, limits, |m, w, limits| {
            let copies = Copies::new(&mut copies, limits);
            let game = RuleGame::new(m, w, *roles, kit).with_copies(copies);
            run(&mut Table {
                game,
                graph: &mut *graph,
                solved: &mut *solved,
                recalled: &mut *recalled,
                limits: limits.clone(),
            })
        });
        if graph.forgot() != forgot {
            // The states have new numbers.
            (*solved, *recalled) = (None, None);
        }
        found
    }
}
