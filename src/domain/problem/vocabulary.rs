//! States whose bytes mean the same in every process.

use super::{PuzzleCore, RuleProblem};
#[cfg(feature = "cluster")]
use crate::ask;
use crate::bases::Terms;
use crate::contract::Contract;
use crate::error::RuleError;
use zug_machine::Machine;
use zug_prolog::builtins::World;
use zug_state::{Codec, PackedState, RuleCost};
#[cfg(feature = "cluster")]
use zug_term::{
    Record,
    symbol::{Symbols, atoms},
    varint,
};

impl<'a, C: RuleCost, S: PackedState> RuleProblem<'a, C, S> {
    /// The problem that a program poses, without a goal, with states packed by the words that
    /// [`PuzzleCore::vocabulary`] wrote; `None` if they make no sense.
    ///
    /// # Errors
    /// A predicate is missing.
    pub(crate) fn with_vocabulary(
        machine: &'a mut Machine,
        world: &'a mut World,
        contract: &Contract,
        vocabulary: &[u8],
    ) -> Result<Option<Self>, Box<RuleError>> {
        let Some(terms) = Terms::of_vocabulary(machine, vocabulary) else { return Ok(None) };
        let mut problem = RuleProblem::new(machine, world, contract, None, false)?;
        // What lists are taken for would have to be written too.
        problem.core.kit.is_decided = true;
        problem.core.kit.codec = terms.codec;
        Ok(Some(problem))
    }

    /// The state that was spelled so; `None` if the bytes make no sense.
    #[cfg(feature = "cluster")]
    pub(crate) fn unspell(&mut self, mut bytes: &[u8]) -> Option<S> {
        let term = unspell(self.core.machine, &mut bytes)?;
        S::from_bytes(ask::pack(self.core.machine, &mut self.core.kit.codec, &term).ok()?)
    }
}

impl PuzzleCore<'_> {
    /// What is needed to read packed states in another process.
    pub(crate) fn vocabulary(&mut self) -> Vec<u8> {
        let codec = std::mem::replace(&mut self.kit.codec, Codec::new());
        let mut terms = Terms { codec, players: Vec::new() };
        let words = terms.vocabulary(self.machine);
        self.kit.codec = terms.codec;
        words
    }

    /// Functors and constants in the order of their numbers, as bytes, and how many shapes and representations there
    /// are: the same where states are packed alike.
    #[cfg(feature = "cluster")]
    pub(crate) fn word_list(&mut self) -> Vec<u8> {
        word_list(&self.machine.symbols, &mut self.kit.codec)
    }

    /// The packed term of a state that has words of its own, in bytes that mean the same everywhere.
    #[cfg(feature = "cluster")]
    pub(crate) fn spell(&mut self, packed: &[u8], out: &mut Vec<u8>) {
        spell(self.machine, &self.kit.codec, packed, out);
    }
}

/// The words of a codec, as [`PuzzleCore::word_list`] has them.
#[cfg(feature = "cluster")]
pub(crate) fn word_list(symbols: &Symbols, codec: &mut Codec) -> Vec<u8> {
    codec.number_functors();
    // All code has a word for it, and workers may make code later.
    codec.atom_code(atoms::TRUE);
    let (functors, constants) = (codec.functor_words(symbols, 0), codec.constant_words(symbols, 0));
    let mut list = Vec::new();
    varint::push(codec.shapes() as u64, &mut list);
    varint::push(codec.representations().len() as u64, &mut list);
    for word in functors.into_iter().chain(constants) {
        varint::push(word.len() as u64, &mut list);
        list.extend(word);
    }
    list
}

/// Appends a term with all words that it needs.
#[cfg(feature = "cluster")]
pub(crate) fn spell(m: &mut Machine, codec: &Codec, packed: &[u8], out: &mut Vec<u8>) {
    let (mut heap, root) = ask::unpack(m, codec, packed).to_heap();
    let mut terms = Terms { codec: Codec::new(), players: Vec::new() };
    let packed = terms.codec.encode_bytes(&mut heap, root).map(<[u8]>::to_vec);
    let (words, packed) = (terms.vocabulary(m), packed.unwrap_or_default());
    for part in [words, packed] {
        varint::push(part.len() as u64, out);
        out.extend(part);
    }
}

/// Takes a term with all its words off the front.
#[cfg(feature = "cluster")]
pub(crate) fn unspell(m: &mut Machine, bytes: &mut &[u8]) -> Option<Record> {
    let mut take = || {
        let length = varint::take_size(bytes)?;
        let (taken, rest) = bytes.split_at_checked(length)?;
        *bytes = rest;
        Some(taken)
    };
    let (words, packed) = (take()?, take()?);
    let terms = Terms::of_vocabulary(m, words)?;
    if packed.is_empty() {
        return None;
    }
    Some(ask::unpack(m, &terms.codec, packed))
}
