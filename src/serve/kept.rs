//! Pages that jobs made, kept until newer ones take their place: trees to be explored.
//!
//! Each is shown in a frame that has no origin, and so no cookies: its name is what nobody guesses.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

/// Pages kept.
const MOST: usize = 24;
/// Bytes of them.
const MOST_BYTES: usize = 256 << 20;

/// The pages, the oldest first, by their names.
#[derive(Default)]
pub struct KeptPages(Mutex<VecDeque<(String, String)>>);

impl KeptPages {
    /// Keeps a page under a name.
    pub fn keep(&self, name: String, page: String) {
        let mut pages = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        pages.push_back((name, page));
        let bytes = |pages: &VecDeque<(String, String)>| -> usize {
            pages.iter().map(|(_, page)| page.len()).sum()
        };
        while pages.len() > 1 && (pages.len() > MOST || bytes(&pages) > MOST_BYTES) {
            pages.pop_front();
        }
    }

    /// The page of a name, if it is still there.
    pub fn get(&self, name: &str) -> Option<String> {
        let pages = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        pages.iter().find(|(known, _)| known == name).map(|(_, page)| page.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_pages_give_way() {
        let pages = KeptPages::default();
        for number in 0..=MOST {
            pages.keep(number.to_string(), format!("page {number}"));
        }
        assert_eq!(pages.get("0"), None);
        assert_eq!(pages.get("1").as_deref(), Some("page 1"));
        pages.keep("large".to_owned(), "x".repeat(MOST_BYTES + 1));
        assert_eq!(pages.get("1"), None);
        assert!(pages.get("large").is_some());
    }
}
