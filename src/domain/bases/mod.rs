//! Stored results about a program's states: [`OpenBase`] reads, [`BaseWriter`] writes.
//!
//! A base has words of its own for shapes, constants and players; with them a `Codec` packs
//! states into the same bytes in every session. [`fingerprint`] says which rules they belong to.

mod fingerprint;
mod heuristics;
pub mod predicates;
mod saving;
mod terms;

pub use fingerprint::fingerprint;
pub use heuristics::{
    KeptHeuristic, has_new_heuristics, is_of_heuristics, kept_heuristics, save_heuristics,
    want_heuristics,
};
pub(crate) use heuristics::{concerns_heuristics, kept_heuristic, kept_words, note_heuristic};
pub(super) use saving::{Keys, SaveLimits};
pub use saving::{SaveError, Saved};
pub use terms::Terms;

use crate::memory::{Stamp, forget, stamp};
use std::path::Path;
use zug_base::{Added, Base, BaseError, Meta, Section, Start, Writer};
use zug_machine::Machine;
use zug_prolog::builtins::World;

/// A base that is read from in a session: [`use_base`].
pub struct OpenBase {
    /// The base.
    pub base: Base,
    pub(super) terms: Terms,
    /// For which state of the program its fingerprint was compared, and whether it is the same.
    compared: Option<(Stamp, bool)>,
    /// States that were asked for and are there.
    pub found: u64,
    /// States that were asked for and are not there.
    pub missing: u64,
    /// What went wrong when it was read; then it is not read any more.
    pub failed: Option<BaseError>,
}

impl OpenBase {
    /// Opens a base of the rules that are loaded.
    ///
    /// # Errors
    /// It can't be opened, or is one of other rules.
    pub fn open(m: &mut Machine, w: &World, path: &Path) -> Result<OpenBase, BaseError> {
        let base = Base::open(path)?;
        check(base.meta(), m, w, path, "take the base of these rules, or make one: --save")?;
        let terms = Terms::read(m, base.meta(), |words| base.words(words))?;
        let terms = terms.ok_or_else(|| OpenBase::nonsense(path))?;
        let compared = Some((stamp(m, w), true));
        Ok(OpenBase { base, terms, compared, found: 0, missing: 0, failed: None })
    }

    fn nonsense(path: &Path) -> BaseError {
        BaseError::Damaged(path.to_owned(), "its words can't be read".to_owned())
    }

    /// Whether it belongs to the program as it is now.
    pub(super) fn fits(&mut self, m: &Machine, w: &World) -> bool {
        let now = stamp(m, w);
        let same = match self.compared {
            Some((then, same)) if then == now => same,
            _ => fingerprint(m, w) == self.base.meta().fingerprint,
        };
        self.compared = Some((now, same));
        same && self.failed.is_none()
    }
}

/// Has a session read from a base from now on.
///
/// # Errors
/// It can't be opened, or is one of other rules; then the session goes on as before.
pub fn use_base(m: &mut Machine, w: &mut World, path: &Path) -> Result<(), BaseError> {
    let kept = OpenBase::open(m, w, path)?;
    put_back(w, Some(Box::new(kept)));
    // What was found out before says nothing about where it came from.
    forget(w);
    Ok(())
}

/// The base that a session reads from.
#[derive(Default)]
struct InUse(Option<Box<OpenBase>>);

/// The base that a session reads from.
pub fn base_in_use(w: &World) -> Option<&OpenBase> {
    w.slots.get::<InUse>()?.0.as_deref()
}

/// Has a session read from no base.
pub fn leave_base(w: &mut World) {
    put_back(w, None);
}

/// Takes the base out of the world while it is asked; it has to be put back.
pub(super) fn take(w: &mut World) -> Option<Box<OpenBase>> {
    w.slots.get_mut::<InUse>().0.take()
}

/// Puts it back.
pub(super) fn put_back(w: &mut World, base: Option<Box<OpenBase>>) {
    w.slots.get_mut::<InUse>().0 = base;
}

/// A base that is being written.
pub struct BaseWriter {
    pub(super) writer: Writer,
    pub(super) terms: Terms,
    pub(super) meta: Meta,
    /// How many words of each list are in the base.
    written: [usize; 4],
}

impl BaseWriter {
    /// Opens a base of the rules that are loaded, or makes an empty one; `rules` is the name of
    /// their file. By `force` a base of other rules is replaced.
    ///
    /// # Errors
    /// It can't be opened, or is one of other rules.
    pub fn open(
        m: &mut Machine,
        w: &World,
        path: &Path,
        rules: &str,
        force: bool,
    ) -> Result<BaseWriter, BaseError> {
        let advice = "take another file, or replace it: --force";
        // Looked at before it is opened to be written, which changes it.
        let looked = Base::open(path).and_then(|base| check(base.meta(), m, w, path, advice));
        let writer =
            match looked {
                Ok(()) | Err(BaseError::Missing(_) | BaseError::Empty(_)) => Writer::open(path)?,
                Err(
                    BaseError::Format { .. } | BaseError::Damaged(..) | BaseError::Rules { .. },
                ) if force => Writer::replace(path)?,
                Err(error) => return Err(error),
            };
        let meta = writer.meta().cloned().unwrap_or_else(|| Meta {
            zug: env!("CARGO_PKG_VERSION").to_owned(),
            rules: rules.to_owned(),
            fingerprint: fingerprint(m, w),
            ..Meta::default()
        });
        let terms = Terms::read(m, &meta, |words| writer.words(words))?;
        let terms = terms.ok_or_else(|| OpenBase::nonsense(path))?;
        let written = terms.counts();
        Ok(BaseWriter { writer, terms, meta, written })
    }

    /// The file.
    pub fn path(&self) -> &Path {
        self.writer.path()
    }

    /// What is kept already.
    pub fn meta(&self) -> &Meta {
        &self.meta
    }

    /// How terms are written.
    pub(super) fn terms_mut(&mut self) -> &mut Terms {
        &mut self.terms
    }

    /// Notes that what can be reached from a start will be kept, with the words for it.
    pub(super) fn begin(&mut self, m: &Machine, start: &Start) -> Result<(), BaseError> {
        self.meta.note(start.clone());
        self.note(m)
    }

    /// Adds records in the order of their keys, and notes the start as there when they are.
    pub(super) fn add<K: AsRef<[u8]>, V: AsRef<[u8]>>(
        &mut self,
        section: Section,
        records: impl Iterator<Item = (K, V)>,
        count: impl FnMut(&mut Meta, &[u8], &[u8]),
        go_on: impl FnMut() -> bool,
        start: &Start,
    ) -> Result<Added, BaseError> {
        let (added, all) = self.writer.add(section, records, count, go_on)?;
        self.meta = self.writer.meta().cloned().unwrap_or_default();
        if all {
            self.meta.note(Start { complete: true, ..start.clone() });
        }
        Ok(added)
    }

    /// Writes what the base is about, with the words that are new.
    pub(super) fn note(&mut self, m: &Machine) -> Result<(), BaseError> {
        let words = self.terms.new_words(m, self.written);
        self.meta.shapes_full = self.terms.codec.is_full();
        self.writer.note(&self.meta, &words)?;
        self.written = self.terms.counts();
        Ok(())
    }

    /// Keeps a document under a name.
    ///
    /// # Errors
    /// The file can't be written.
    pub fn put_document(&mut self, m: &Machine, name: &str, text: &[u8]) -> Result<(), BaseError> {
        self.note(m)?;
        self.writer.put_document(name, text)
    }

    /// Writes what the base is about in the end, and makes the file small.
    ///
    /// # Errors
    /// The file can't be written.
    pub fn finish(self) -> Result<(), BaseError> {
        let BaseWriter { writer, meta, .. } = self;
        writer.finish(&meta)
    }

    /// Leaves what is written so far: nothing, if nothing is.
    ///
    /// # Errors
    /// The file can't be written.
    pub fn leave(self) -> Result<(), BaseError> {
        let path = self.writer.path().to_owned();
        let empty = self.writer.meta().is_none();
        self.writer.close()?;
        if empty {
            // A file without anything in it is of no use to anybody.
            let _ = zug_files::Access::FREE.remove(&path);
        }
        Ok(())
    }
}

/// Whether a base is one of the rules that are loaded.
fn check(
    meta: &Meta,
    m: &Machine,
    w: &World,
    path: &Path,
    advice: &'static str,
) -> Result<(), BaseError> {
    let own = fingerprint(m, w);
    if own == meta.fingerprint {
        return Ok(());
    }
    Err(BaseError::Rules {
        path: path.to_owned(),
        rules: meta.rules.clone(),
        found: short(&meta.fingerprint),
        own: short(&own),
        advice,
    })
}

/// As much of a fingerprint as people compare.
fn short(fingerprint: &str) -> String {
    fingerprint.chars().take(8).collect()
}
