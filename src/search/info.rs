//! Descriptions of engines.

/// What the path of an engine is known to be, given a heuristic that never overestimates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Guarantee {
    /// A cheapest path.
    Cheapest,
    /// A path dearer than the cheapest by a known factor at most.
    Factor,
    /// A path of fewest moves.
    FewestMoves,
    /// Any path.
    None,
}

/// The description of an engine: what it finds, what it needs, when to choose it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EngineInfo {
    /// The name in commands and queries.
    pub name: &'static str,
    /// The name in print.
    pub title: &'static str,
    /// What it finds, in half a line.
    pub summary: &'static str,
    /// What its path is known to be.
    pub guarantee: Guarantee,
    /// Without limits, it finds a path on every finite space where one exists.
    pub complete: bool,
    /// It calls the heuristic.
    pub informed: bool,
    /// The options it reads, by their names in [`PARAMETERS`](super::options::PARAMETERS); all
    /// engines observe all [`Limits`](super::Limits).
    pub parameters: &'static [&'static str],
    /// What it keeps in memory, in a few words.
    pub memory: &'static str,
    /// Several threads can work at it ([`Limits::threads`](super::Limits::threads)).
    pub threads: bool,
    /// Take it when this is so.
    pub when: &'static str,
    /// Author and year.
    pub reference: &'static str,
}
