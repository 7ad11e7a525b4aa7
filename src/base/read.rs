//! Reading a base: [`Base`].

use super::block::Block;
use super::file::{self, DOCUMENT_RANGE, TABLE, block_key, block_range, document_key, word_key};
use super::{BaseError, Meta, Section, WordList};
use redb::{ReadOnlyDatabase, ReadOnlyTable, ReadableDatabase, ReadableTable, StorageError};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use zug_term::watchdog;

/// Steps that reading a block counts as.
const STEPS: usize = 1 << 8;
/// What is wrong when a walk over a file comes to where it was.
const DISORDER: &str = "its keys are out of order";
/// Blocks that are kept as they were read.
const KEPT: usize = 512;

type Table = ReadOnlyTable<&'static [u8], &'static [u8]>;

/// A base that is open to be read. Others may read it at the same time.
/// Its operations fail if the file can't be read or is damaged.
pub struct Base {
    path: PathBuf,
    meta: Meta,
    table: Table,
    // Behind the table, which reads from it.
    _database: ReadOnlyDatabase,
    /// By section and first key.
    blocks: RefCell<FxHashMap<Vec<u8>, Arc<Block>>>,
}

/// The result of a check of all blocks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BaseCheck {
    /// Blocks that were read.
    pub blocks: u64,
    /// Records in them.
    pub records: u64,
    /// Bytes of the blocks with their keys.
    pub bytes: u64,
}

impl Base {
    /// Opens a base.
    ///
    /// # Errors
    /// There is none, it is something else, of another format, damaged, or being written.
    pub fn open(path: &Path) -> Result<Base, BaseError> {
        Base::open_as(path, false)
    }

    /// As [`Base::open`], with the checksums of all pages compared.
    ///
    /// # Errors
    /// As [`Base::open`].
    pub fn open_checked(path: &Path) -> Result<Base, BaseError> {
        Base::open_as(path, true)
    }

    fn open_as(path: &Path, check: bool) -> Result<Base, BaseError> {
        let database = file::open_to_read(path, check)?;
        let Some(meta) = file::meta(path, &database)? else {
            return Err(BaseError::Empty(path.to_owned()));
        };
        let table =
            file::guarded(path, "read", || Ok(database.begin_read()?.open_table(TABLE)?))?;
        let blocks = RefCell::default();
        Ok(Base { path: path.to_owned(), meta, table, _database: database, blocks })
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What it is about.
    pub fn meta(&self) -> &Meta {
        &self.meta
    }

    fn guarded<T>(&self, act: impl FnOnce() -> Result<T, file::RedbError>) -> Result<T, BaseError> {
        file::guarded(&self.path, "read", act)
    }

    /// A list of words, in the order of their numbers.
    pub fn words(&self, words: WordList) -> Result<Vec<Vec<u8>>, BaseError> {
        self.guarded(|| all_words(&self.table, words))
    }

    /// The value of a key.
    pub fn get(&self, section: Section, key: &[u8]) -> Result<Option<Vec<u8>>, BaseError> {
        let wanted = block_key(section, key);
        let from = block_range(section).0;
        let first = self.guarded(|| {
            let mut before = self.table.range::<&[u8]>(&from[..]..=&wanted[..])?;
            Ok(before.next_back().transpose()?.map(|(first, bytes)| {
                let known = self.blocks.borrow().get(first.value()).cloned();
                known.ok_or_else(|| (first.value().to_vec(), bytes.value().to_vec()))
            }))
        })?;
        let block = match first {
            None => return Ok(None),
            Some(Ok(block)) => block,
            Some(Err((first, bytes))) => {
                let block = Arc::new(self.read(&first, &bytes)?);
                let mut kept = self.blocks.borrow_mut();
                if kept.len() >= KEPT {
                    kept.clear();
                }
                kept.insert(first, block.clone());
                block
            }
        };
        Ok(block.get(key).map(<[u8]>::to_vec))
    }

    fn read(&self, first: &[u8], bytes: &[u8]) -> Result<Block, BaseError> {
        let block = first.get(2..).and_then(|first| Block::read(first, bytes));
        block.ok_or_else(|| {
            BaseError::Damaged(self.path.clone(), "a block of records can't be read".to_owned())
        })
    }

    /// Calls `each` with all records of a section in the order of their keys, until it says no.
    pub fn each(
        &self,
        section: Section,
        mut each: impl FnMut(&[u8], &[u8]) -> bool,
    ) -> Result<BaseCheck, BaseError> {
        let (from, to) = block_range(section);
        let mut checked = BaseCheck::default();
        let mut from = from.to_vec();
        let mut first = true;
        loop {
            // Block by block: what `each` does is not guarded.
            let next = self.guarded(|| {
                let start = match first {
                    true => std::ops::Bound::Included(&from[..]),
                    false => std::ops::Bound::Excluded(&from[..]),
                };
                let bounds = (start, std::ops::Bound::Excluded(&to[..]));
                let next = self.table.range::<&[u8]>(bounds)?.next().transpose()?;
                Ok(next.map(|(key, bytes)| (key.value().to_vec(), bytes.value().to_vec())))
            })?;
            let Some((key, bytes)) = next else { return Ok(checked) };
            if !first && key <= from {
                return Err(BaseError::Damaged(self.path.clone(), DISORDER.to_owned()));
            }
            let block = self.read(&key, &bytes)?;
            watchdog::steps(STEPS);
            checked.blocks += 1;
            checked.records += block.len() as u64;
            checked.bytes += (key.len() + bytes.len()) as u64;
            for (key, value) in block.records() {
                if !each(key, value) {
                    return Ok(checked);
                }
            }
            from = key;
            first = false;
        }
    }

    /// Counts the blocks of a section and their bytes, without reading into them.
    pub fn measure(&self, section: Section) -> Result<BaseCheck, BaseError> {
        let (from, to) = block_range(section);
        self.guarded(|| {
            let mut checked = BaseCheck::default();
            let mut order = AscendingKeys::default();
            for found in self.table.range::<&[u8]>(&from[..]..&to[..])? {
                let (key, bytes) = found?;
                order.next(key.value())?;
                checked.blocks += 1;
                checked.bytes += (key.value().len() + bytes.value().len()) as u64;
            }
            Ok(checked)
        })
    }

    /// A document.
    pub fn document(&self, name: &str) -> Result<Option<Vec<u8>>, BaseError> {
        let key = document_key(name);
        self.guarded(|| Ok(self.table.get(&key[..])?.map(|value| value.value().to_vec())))
    }

    /// The names of all documents, each with its length.
    pub fn documents(&self) -> Result<Vec<(String, u64)>, BaseError> {
        let (from, to) = DOCUMENT_RANGE;
        self.guarded(|| {
            let (mut names, mut order) = (Vec::new(), AscendingKeys::default());
            for found in self.table.range::<&[u8]>(&from[..]..&to[..])? {
                let (key, value) = found?;
                order.next(key.value())?;
                let name = key.value().get(1..).unwrap_or_default();
                let name = String::from_utf8_lossy(name).into_owned();
                names.push((name, value.value().len() as u64));
            }
            Ok(names)
        })
    }

    /// Bytes of the file.
    pub fn bytes(&self) -> u64 {
        self.path.metadata().map_or(0, |file| file.len())
    }
}

/// All words of a list.
pub(super) fn all_words(
    table: &impl ReadableTable<&'static [u8], &'static [u8]>,
    words: WordList,
) -> Result<Vec<Vec<u8>>, file::RedbError> {
    let (from, to) = (word_key(words, 0), word_key(words, u32::MAX));
    let (mut all, mut order) = (Vec::new(), AscendingKeys::default());
    for found in table.range::<&[u8]>(&from[..]..=&to[..])? {
        let (key, word) = found?;
        order.next(key.value())?;
        all.push(word.value().to_vec());
    }
    Ok(all)
}

/// The keys of a walk over the database, which ascend: where pages of a damaged file lead back to
/// each other the walk would have no end.
#[derive(Default)]
struct AscendingKeys(Option<Vec<u8>>);

impl AscendingKeys {
    fn next(&mut self, key: &[u8]) -> Result<(), file::RedbError> {
        watchdog::step();
        if self.0.as_deref().is_some_and(|last| key <= last) {
            return Err(StorageError::Corrupted(DISORDER.to_owned()).into());
        }
        self.0 = Some(key.to_vec());
        Ok(())
    }
}
