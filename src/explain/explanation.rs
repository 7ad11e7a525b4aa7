//! Results of `why/1` and `why_not/1`, stored for the report under the answer of the query.

use zug_prolog::builtins::World;
use zug_term::Record;
use zug_term::diagnostic::Diagnostic;
use zug_term::source::{Source, Span};

/// The explanations that queries have asked for since they were last taken.
#[derive(Default)]
struct Explanations(Vec<Explanation>);

/// Keeps an explanation until the answer is shown.
pub fn keep(w: &mut World, found: Explanation) {
    w.slots.get_mut::<Explanations>().0.push(found);
}

/// The explanations that were asked for since this was last called, oldest first.
pub fn take_explanations(w: &mut World) -> Vec<Explanation> {
    std::mem::take(&mut w.slots.get_mut::<Explanations>().0)
}

/// Whether there are some.
pub fn has_explanations(w: &World) -> bool {
    w.slots.get::<Explanations>().is_some_and(|kept| !kept.0.is_empty())
}

/// One explanation.
#[derive(Clone, Debug, Default)]
pub struct Explanation {
    /// One sentence on the whole, without a full stop.
    pub title: String,
    /// The proof, from the goal that was asked about down to facts and built-ins.
    pub proof: Vec<ProofLine>,
    /// What stands in the way, the likeliest first; the first is the one to look at.
    pub findings: Vec<Diagnostic>,
    /// The state that it is about, where a plan is checked, and its text.
    pub state: Option<(Record, String)>,
    /// Remarks that stand below: the smallest set of goals that fails, what was left out.
    pub notes: Vec<String>,
}

/// What may be wrong.
#[derive(Clone, Debug)]
pub struct Advice {
    /// 3: a mistake; 2: most likely one; 1: worth a look.
    pub weight: u8,
    /// What to do, a sentence without a full stop.
    pub hint: String,
    /// The place to blame, if it is not the goal itself, and what to say there.
    pub blame: Option<(Source, Span, String)>,
}

impl Advice {
    pub fn new(weight: u8, hint: impl Into<String>) -> Advice {
        Advice { weight, hint: hint.into(), blame: None }
    }

    pub fn at(mut self, place: Option<(Source, Span)>, text: impl Into<String>) -> Advice {
        self.blame = place.map(|(source, span)| (source, span, text.into()));
        self
    }
}

/// One goal of a proof.
#[derive(Clone, Debug)]
pub struct ProofLine {
    /// How deep it stands in the tree; 0 for the goal that was asked about.
    pub depth: usize,
    /// The goal with the values it has in the end.
    pub goal: String,
    /// The clause that proved it, if that was read from a text.
    pub place: Option<(Source, Span)>,
    /// Variables of the clause, as it names them, and their values.
    pub variables: Vec<(String, String)>,
    /// What else there is to say: `built in`, `no proof of it`.
    pub remark: &'static str,
}

impl ProofLine {
    /// `file:line` of the clause.
    pub fn line(&self) -> Option<String> {
        let (source, span) = self.place.as_ref()?;
        Some(format!("{}:{}", source.name, source.position(span.start).line))
    }
}
