//! Bases: files of states that were solved, which later requests are answered from.

use super::{Found, Reports, failed};
use crate::asked::refused;
use crate::errors::Trouble;
use crate::session::Rules;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use zug::record_line;
use zug::usecases::FileTo;
use zug::usecases::base::{attach, check, info, remark};
use zug_domain::bases::leave_base;
use zug_term::watchdog::LimitScope;

impl Rules {
    /// Answers from a base from now on, or from none.
    ///
    /// # Errors
    /// It can't be read, is damaged or of other rules; then everything stays as it was.
    pub(crate) fn answer_from(&mut self, base: Option<&Path>) -> Result<(), Trouble> {
        match base {
            Some(path) => attach(&mut self.session, path).map_err(failed)?,
            None => leave_base(&mut self.session.world),
        }
        self.base = base.map(Path::to_owned);
        Ok(())
    }

    /// Does some work that is answered from a base, if one is given, and keeps what it finds in another.
    ///
    /// # Errors
    /// Those of the work; the base can't be used, or both are wanted at once.
    pub(super) fn with_base(
        &mut self,
        (db, save): (Option<&Path>, Option<&FileTo>),
        work: impl FnOnce(&mut Rules) -> Reports,
    ) -> Reports {
        if save.is_some() && self.base.is_some() {
            let why = "`save` can't be given where the rules are answered from a base (`db`)";
            return Err(refused(why));
        }
        let own = self.base.clone();
        if let Some(db) = db {
            self.answer_from(Some(db))?;
        }
        let done = work(self).map(|found| self.remarked(found, db.is_some()));
        // What is kept may have been read from its base, too.
        if db.is_some() || save.is_some() {
            self.answer_from(None)?;
            if own.is_some() {
                self.answer_from(own.as_deref())?;
            }
        }
        done
    }

    /// With what was missing in the base that was for this request alone.
    fn remarked(&self, mut found: Found, own_base: bool) -> Found {
        found.remarks.extend(remark(&self.session).filter(|_| own_base));
        found
    }
}

/// What is in a base, as a record of JSON.
///
/// # Errors
/// It can't be read or is damaged.
pub(crate) fn base_info(path: &Path, flag: &Arc<AtomicBool>) -> Result<String, Trouble> {
    let found = LimitScope::new(None, flag, 0).within(|| info(path)).map_err(|_| stopped())?;
    Ok(record_line("result", &found.map_err(failed)?))
}

/// Reads all of a base: how much there is, as a record of JSON.
///
/// # Errors
/// It can't be read or is damaged.
pub(crate) fn check_base(path: &Path, flag: &Arc<AtomicBool>) -> Result<String, Trouble> {
    let found = LimitScope::new(None, flag, 0).within(|| check(path)).map_err(|_| stopped())?;
    Ok(record_line("result", &found.map_err(failed)?))
}

fn stopped() -> Trouble {
    Trouble::new("LimitError", "interrupted")
}
