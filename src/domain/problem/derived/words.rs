//! What was derived from the rules, in words.

use crate::canonical_text::canonical_cell_text;
use crate::problem::PuzzleCore;
use zug_code::operators::NoOperators;
use zug_derived::{Abstraction, Leaf, NoPlan, Summary, Value};
use zug_state::Word;
use zug_term::Heap;

/// Projections that are shown.
const SHOWN: usize = 6;
/// Names that are listed, and the first ones that are if there are more.
const MOST_NAMES: usize = 12;
/// See [`MOST_NAMES`].
const FIRST_NAMES: usize = 3;

impl PuzzleCore<'_> {
    /// What derived estimates are, in words.
    pub(crate) fn explain_derived(&self) -> Option<String> {
        let found = self.kit.derived.found.as_ref()?;
        Some(match found.summary() {
            Summary::Patterns { values, tested, added, sides, features } => {
                self.patterns_in_words((&values, &tested), added, sides, features)
            }
            Summary::Projections { leaves, orders, tokens, beside } => {
                let all = [
                    self.projections_in_words(&leaves, orders),
                    self.tokens_in_words(&tokens, &beside),
                ];
                let all: Vec<String> = all.into_iter().filter(|text| !text.is_empty()).collect();
                all.join("; or, if that is more, ")
            }
        })
    }

    fn patterns_in_words(
        &self,
        (tables, tested): (&[Vec<Value>], &[Value]),
        added: bool,
        sides: usize,
        features: bool,
    ) -> String {
        let names = |values: &[Value]| format!("{{{}}}", self.names(values).join(", "));
        let mut text = String::new();
        if !tables.is_empty() {
            let tables: Vec<String> = tables.iter().map(|values| names(values)).collect();
            text += &format!("distances when only some are told apart: {}", tables.join(", "));
            if !tested.is_empty() {
                text += &format!(", each with {}", names(tested));
            }
            if tables.len() > 1 {
                text += if added { "; added up" } else { "; the greatest counts" };
            }
            if sides > 1 {
                text += &format!("; looked at from {sides} sides");
            }
        }
        if features {
            text += if text.is_empty() { "" } else { "; or, if that is more, " };
            text += "how many neighbours of the goal a state lacks, over how many a move can bring";
        }
        text
    }

    /// Values as they are written.
    fn names(&self, values: &[Value]) -> Vec<String> {
        let name = |&value: &Value| {
            let cell = self.kit.codec.word_cell(Word(i64::from(value)));
            canonical_cell_text(self.machine, self.world, &Heap::new(), cell)
        };
        values.iter().map(name).collect()
    }

    /// A state with `*` for some leaves.
    fn picture(&self, leaves: &[Leaf]) -> String {
        let Some(operators) = &self.kit.derived.operators else { return String::new() };
        let mut known = vec![false; operators.leaves()];
        leaves.iter().for_each(|&leaf| known[usize::from(leaf)] = true);
        let mut heap = Heap::new();
        let cell = self.kit.codec.known_parts(self.kit.derived.shape, &mut heap, &known);
        canonical_cell_text(self.machine, self.world, &heap, cell)
    }

    /// A state with the values that its leaves may have.
    fn picture_of_values(&self, values: &[Vec<Value>]) -> String {
        let leaves: Vec<Leaf> = (0..values.len() as Leaf).collect();
        let picture = self.picture(&leaves);
        let parts: Vec<&str> = picture.split('*').collect();
        if parts.len() != values.len() + 1 {
            return picture;
        }
        let named = values.iter().map(|values| match values.as_slice() {
            [only] => self.names(&[*only]).concat(),
            values => format!("{{{}}}", listed(&self.names(values))),
        });
        let rest = named.zip(&parts[1..]).map(|(values, part)| values + part);
        parts[0].to_owned() + &rest.collect::<String>()
    }

    fn tokens_in_words(&self, tokens: &[Value], beside: &[Leaf]) -> String {
        if tokens.is_empty() {
            return String::new();
        }
        let names = self.names(tokens).join(", ");
        let mut text = format!(
            "the cheapest ways of each {names} by itself to places of the goal, a different one for each"
        );
        if !beside.is_empty() {
            text +=
                &format!(", when else only what is marked * is known: {}", self.picture(beside));
        }
        text
    }

    fn projections_in_words(&self, projections: &[Vec<Leaf>], orders: usize) -> String {
        if projections.is_empty() {
            return String::new();
        }
        let pictures = projections.iter().take(SHOWN).map(|leaves| self.picture(leaves));
        let pictures: Vec<String> = pictures.collect();
        let mut text =
            format!("distances when only what is marked * is known: {}", pictures.join(", "));
        if projections.len() > SHOWN {
            text += &format!(" and {} more", projections.len() - SHOWN);
        }
        if projections.len() > 1 {
            text += "; the costs of moves are shared out among them";
            if orders > 1 {
                text += &format!(", in {orders} ways, of which the greatest counts");
            }
        }
        text
    }

    /// A part of the states in which there is no plan.
    pub(in crate::problem) fn abstraction_in_words(&self, part: &Abstraction) -> String {
        if part.leaves.is_empty() {
            return format!(
                "no state is final in which each part has a value that it can come to have by itself: {}",
                self.picture_of_values(&part.values)
            );
        }
        let picture = self.picture(&part.leaves);
        let (states, least) = match (part.states, part.smallest) {
            (1, _) => ("no move changes it".to_owned(), "none that knows less"),
            (states, true) => (format!("it has {states} states"), "none that knows less"),
            (states, false) => (format!("it has {states} states"), "none with a mark less"),
        };
        format!(
            "no final state can be reached, as a simpler puzzle shows, in which only what is marked * counts, or never \
             changes: {picture}; {states}, and {least} shows it"
        )
    }

    /// Why there is no plan.
    pub(in crate::problem) fn no_plan_in_words(&self, why: &NoPlan) -> String {
        let names = |values: &[Value]| listed(&self.names(values));
        let with = |tested: &[Value], words: &str| match tested {
            [] => String::new(),
            tested => format!("{words}{}", names(tested)),
        };
        match why {
            NoPlan::Stuck => "no move leads to another state, and this one is not final".to_owned(),
            NoPlan::Values => {
                "no final state has what this state has in places where moves, which only move it \
                about, can bring it"
                    .to_owned()
            }
            NoPlan::Places(values) => {
                format!("no moves bring {} to where a final state has it", names(values))
            }
            NoPlan::Orbit(values, tested) => format!(
                "no moves bring {} to where the final state has it{}",
                names(values),
                with(tested, ", together with "),
            ),
            NoPlan::Parity(values, tested) => format!(
                "the parity of the permutation of {}{} is another one in the final state, and no \
                 move changes it",
                names(values),
                with(tested, " and of the place of "),
            ),
            NoPlan::Group(values, tested) => format!(
                "moves permute {}{} in ways to which the final state does not belong",
                names(values),
                with(tested, ", with the place of "),
            ),
        }
    }
}

/// Names one after the other; of many the first ones and the last.
fn listed(names: &[String]) -> String {
    match names {
        [first @ .., last] if names.len() > MOST_NAMES => {
            format!("{}, ..., {last}", first[..FIRST_NAMES].join(", "))
        }
        names => names.join(", "),
    }
}

/// Why rules are no operators.
pub(crate) fn in_words(why: NoOperators) -> String {
    match why {
        NoOperators::NoCode => {
            "there is no code for rule/4 and final_state/1 (`zug check --code` says why)"
        }
        NoOperators::Leaves => "parts of a state are unbound, or very many",
        NoOperators::Outcomes => "what states are worth depends on very many of their parts",
    }
    .to_owned()
}
