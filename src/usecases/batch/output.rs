//! What rules write during a batch: kept up to a limit, the rest only counted.

use std::io::{self, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A sink for a session; clones share it.
#[derive(Clone, Default)]
pub struct Output(Arc<Mutex<CapturedText>>);

#[derive(Default)]
struct CapturedText {
    bytes: Vec<u8>,
    most: usize,
    cut: bool,
}

impl Output {
    /// A sink that keeps so many bytes at a time.
    pub fn new(most: usize) -> Output {
        Output(Arc::new(Mutex::new(CapturedText { bytes: Vec::new(), most, cut: false })))
    }

    fn lock(&self) -> MutexGuard<'_, CapturedText> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What was written since the last call, and whether that was more.
    pub fn take(&self) -> (String, bool) {
        let mut kept = self.lock();
        let mut bytes = std::mem::take(&mut kept.bytes);
        let cut = std::mem::take(&mut kept.cut);
        if cut {
            // Not in the middle of a character.
            let whole = std::str::from_utf8(&bytes).map_or_else(
                |error| if error.error_len().is_none() { error.valid_up_to() } else { bytes.len() },
                |text| text.len(),
            );
            bytes.truncate(whole);
        }
        (String::from_utf8_lossy(&bytes).into_owned(), cut)
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut kept = self.lock();
        let room = kept.most.saturating_sub(kept.bytes.len());
        kept.bytes.extend_from_slice(&bytes[..bytes.len().min(room)]);
        kept.cut |= bytes.len() > room;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cuts_between_characters() {
        let mut output = Output::new(4);
        output.write_all("ab€".as_bytes()).expect("written");
        assert_eq!(output.take(), ("ab".to_owned(), true));
        output.write_all("abcd".as_bytes()).expect("written");
        assert_eq!(output.take(), ("abcd".to_owned(), false));
    }
}
