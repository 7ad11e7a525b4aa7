//! Answers of a query as JSON.

use super::term::TermData;
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use zug_machine::StopReason;
use zug_prolog::session::{Left, Named, Query, Session};
use zug_term::watchdog::{AbortReason, LimitScope};

/// The values of an answer by the names of their variables, in the order of the goal: an object.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bindings(pub Vec<(String, TermData)>);

impl Bindings {
    /// The current answer of a query: all variables of the goal whose names don't begin with `_`.
    /// The texts of the values together have at most about `room` bytes; what is longer is cut.
    ///
    /// # Errors
    /// A limit of the session that ended the writing.
    pub fn of(session: &Session, query: &Query, room: usize) -> Result<Bindings, AbortReason> {
        Bindings::with_goals(session, query, room).map(|(bindings, _)| bindings)
    }

    /// As [`Bindings::of`], with the goals that are left: what is known about the variables in the
    /// values besides that.
    ///
    /// # Errors
    /// As [`Bindings::of`].
    pub fn with_goals(
        session: &Session,
        query: &Query,
        room: usize,
    ) -> Result<(Bindings, Vec<TermData>), AbortReason> {
        let machine = &session.machine;
        let scope = LimitScope::new(machine.deadline, &machine.interrupt, machine.memory_limit);
        scope.within(|| Bindings::written(session, query, room))
    }

    fn written(session: &Session, query: &Query, room: usize) -> (Bindings, Vec<TermData>) {
        let heap = &session.machine.heap;
        let (symbols, operators) = (&session.machine.symbols, &session.world.operators);
        let cells = session.goals(query);
        let left = Left { goals: &cells, hidden: &session.hidden(query) };
        let Named { groups, names } = Named::of(heap, &session.shown(query), &left, room);
        let mut left_room = room;
        let mut all = Vec::new();
        for (group, cell) in groups {
            let bounds = TermData::bounds(left_room);
            let term = TermData::within(bounds, heap, symbols, operators, (cell, &names));
            left_room = left_room.saturating_sub(term.text.len());
            all.extend(group.into_iter().map(|name| (name, term.clone())));
        }
        let mut goals = Vec::new();
        for cell in cells {
            let bounds = TermData::bounds(left_room);
            let term = TermData::within(bounds, heap, symbols, operators, (cell, &names));
            left_room = left_room.saturating_sub(term.text.len());
            goals.push(term);
        }
        (Bindings(all), goals)
    }

    /// Bytes of the values' texts.
    pub fn bytes(&self) -> usize {
        self.0.iter().map(|(_, term)| term.text.len()).sum()
    }
}

/// The end of a query whose answer could not be written; `None`: for want of memory.
pub fn stop_of(reason: AbortReason) -> Option<StopReason> {
    match reason {
        AbortReason::Interrupted => Some(StopReason::Interrupted),
        AbortReason::Time => Some(StopReason::Time),
        AbortReason::Memory | AbortReason::Steps => None,
    }
}

impl Serialize for Bindings {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, term)| (name, term)))
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for Bindings {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Bindings".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let term = generator.subschema_for::<TermData>();
        schemars::json_schema!({
            "description": "The variables of a goal, in its order, and their values.",
            "type": "object",
            "additionalProperties": term,
        })
    }
}

impl<'de> Deserialize<'de> for Bindings {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Bindings, D::Error> {
        struct InOrder;
        impl<'de> Visitor<'de> for InOrder {
            type Value = Bindings;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("terms by the names of variables")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Bindings, A::Error> {
                let mut all = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    all.push(entry);
                }
                Ok(Bindings(all))
            }
        }
        deserializer.deserialize_map(InOrder)
    }
}
