//! Writing a base: [`Writer`].

use super::block::{Block, Builder};
use super::file::{
    self, FORMAT_KEY, META_KEY, RedbError, TABLE, block_key, block_range, document_key, word_key,
};
use super::meta::{FORMAT, Meta};
use super::read::all_words;
use super::{BaseError, Section, WordList};
use redb::{Database, ReadableDatabase, ReadableTable, Table};
use std::path::{Path, PathBuf};
use zug_files::Access;

/// Blocks of a transaction.
const BLOCKS: usize = 128;
/// Times that the file is made smaller.
const COMPACTIONS: usize = 8;

/// A base that is open for writing. No one else can read or write it at the same time.
pub struct Writer {
    path: PathBuf,
    database: Database,
    meta: Option<Meta>,
}

/// The result of adding records.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Added {
    /// Records that are new.
    pub new: u64,
    /// Records that were there.
    pub known: u64,
}

impl Writer {
    /// Opens a base or makes an empty one.
    ///
    /// # Errors
    /// It is something else, of another format, damaged, or in use.
    pub fn open(path: &Path) -> Result<Writer, BaseError> {
        let database = file::open_to_write(path)?;
        let meta = file::meta(path, &database)?;
        Ok(Writer { path: path.to_owned(), database, meta })
    }

    /// Makes an empty base in the place of one that may be there, of whatever rules and format.
    ///
    /// # Errors
    /// There is something that is no base, or is in use; or the I/O error.
    pub fn replace(path: &Path) -> Result<Writer, BaseError> {
        match Writer::open(path) {
            Ok(_) | Err(BaseError::Format { .. } | BaseError::Damaged(..)) => {}
            Err(error) => return Err(error),
        }
        let removed = Access::FREE.remove(path);
        removed.map_err(|error| BaseError::Io("replace", path.to_owned(), error))?;
        Writer::open(path)
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What the base is about, if anything was ever kept in it.
    pub fn meta(&self) -> Option<&Meta> {
        self.meta.as_ref()
    }

    fn guarded<T>(&self, act: impl FnOnce() -> Result<T, RedbError>) -> Result<T, BaseError> {
        file::guarded(&self.path, "write", act)
    }

    /// A list of words, in the order of their numbers.
    ///
    /// # Errors
    /// The file can't be read or is damaged.
    pub fn words(&self, words: WordList) -> Result<Vec<Vec<u8>>, BaseError> {
        if self.meta.is_none() {
            return Ok(Vec::new());
        }
        self.guarded(|| all_words(&self.database.begin_read()?.open_table(TABLE)?, words))
    }

    /// Notes what the base is about, with words that are new: a list, the number of the first,
    /// and the words.
    ///
    /// # Errors
    /// The file can't be written; then it is as before.
    pub fn note(
        &mut self,
        meta: &Meta,
        words: &[(WordList, u32, Vec<Vec<u8>>)],
    ) -> Result<(), BaseError> {
        self.guarded(|| {
            let transaction = self.database.begin_write()?;
            {
                let mut table = transaction.open_table(TABLE)?;
                table.insert(FORMAT_KEY, &FORMAT.to_le_bytes()[..])?;
                put_meta(&mut table, meta)?;
                for (list, first, words) in words {
                    for (number, word) in (*first..).zip(words) {
                        table.insert(&word_key(*list, number)[..], &word[..])?;
                    }
                }
            }
            Ok(transaction.commit()?)
        })?;
        self.meta = Some(meta.clone());
        Ok(())
    }

    /// Keeps a document under a name, in the place of one that has it.
    ///
    /// # Errors
    /// The file can't be written; then it is as before.
    pub fn put_document(&mut self, name: &str, text: &[u8]) -> Result<(), BaseError> {
        let key = document_key(name);
        self.guarded(|| {
            let transaction = self.database.begin_write()?;
            transaction.open_table(TABLE)?.insert(&key[..], text)?;
            Ok(transaction.commit()?)
        })
    }

    /// Adds records in the order of their keys. `count` is told of each new value, with what the
    /// base is about; `go_on` is asked now and then. Returns what was added, and whether that is
    /// all.
    ///
    /// # Errors
    /// The file can't be written; what was committed before is there.
    pub fn add<K: AsRef<[u8]>, V: AsRef<[u8]>>(
        &mut self,
        section: Section,
        records: impl Iterator<Item = (K, V)>,
        mut count: impl FnMut(&mut Meta, &[u8], &[u8]),
        mut go_on: impl FnMut() -> bool,
    ) -> Result<(Added, bool), BaseError> {
        let mut records = records.peekable();
        let mut meta = self.meta.clone().unwrap_or_default();
        let mut added = Added::default();
        while records.peek().is_some() {
            if !go_on() {
                return Ok((added, false));
            }
            self.guarded(|| {
                let transaction = self.database.begin_write()?;
                let before = added.new;
                {
                    let mut table = transaction.open_table(TABLE)?;
                    let mut written = 0;
                    while written < BLOCKS && records.peek().is_some() && go_on() {
                        let mut run = Run::new(&mut table, section);
                        run.merge(&mut records, |key, value| {
                            count(&mut meta, key, value);
                        })?;
                        written += run.finish(&mut added)?;
                    }
                    if added.new > before {
                        put_meta(&mut table, &meta)?;
                    }
                }
                if added.new > before {
                    transaction.commit()?;
                } else {
                    transaction.abort()?;
                }
                Ok(())
            })?;
            self.meta = Some(meta.clone());
        }
        Ok((added, true))
    }

    /// Notes what the base is about in the end, and makes the file as small as it can be.
    ///
    /// # Errors
    /// The file can't be written; what was added is there.
    pub fn finish(mut self, meta: &Meta) -> Result<(), BaseError> {
        self.note(meta, &[])?;
        let Writer { path, mut database, .. } = self;
        file::guarded(&path, "write", || {
            for _ in 0..COMPACTIONS {
                if !database.compact()? {
                    break;
                }
            }
            Ok(database.close()?)
        })
    }

    /// Leaves the base as it is.
    ///
    /// # Errors
    /// The file can't be written.
    pub fn close(self) -> Result<(), BaseError> {
        let Writer { path, database, .. } = self;
        file::guarded(&path, "write", || Ok(database.close()?))
    }
}

type Open<'t> = Table<'t, &'static [u8], &'static [u8]>;

fn put_meta(table: &mut Open<'_>, meta: &Meta) -> Result<(), RedbError> {
    // Only maps with other keys than strings can fail.
    let text = serde_json::to_vec(meta).unwrap_or_default();
    table.insert(META_KEY, &text[..])?;
    Ok(())
}

/// A run of blocks that become others.
struct Run<'r, 't> {
    table: &'r mut Open<'t>,
    section: Section,
    /// The keys of the blocks that were read.
    old: Vec<Vec<u8>>,
    /// The records of the one read last, and how many of them are taken over.
    block: Block,
    taken: usize,
    builder: Builder,
    built: Vec<(Vec<u8>, Vec<u8>)>,
    added: Added,
}

impl<'r, 't> Run<'r, 't> {
    fn new(table: &'r mut Open<'t>, section: Section) -> Self {
        Run {
            table,
            section,
            old: Vec::new(),
            block: Block::default(),
            taken: 0,
            builder: Builder::default(),
            built: Vec::new(),
            added: Added::default(),
        }
    }

    /// Merges new records with the blocks they belong to, some blocks' worth.
    fn merge<K: AsRef<[u8]>, V: AsRef<[u8]>>(
        &mut self,
        records: &mut std::iter::Peekable<impl Iterator<Item = (K, V)>>,
        mut count: impl FnMut(&[u8], &[u8]),
    ) -> Result<(), RedbError> {
        let Some((first, _)) = records.peek() else { return Ok(()) };
        let first = block_key(self.section, first.as_ref());
        self.read_around(&first)?;
        loop {
            // New records up to the next block that was not read.
            let next = self.next_block(&first)?;
            while self.built.len() < BLOCKS
                && let Some((key, value)) = records.next_if(|(key, _)| {
                    next.as_ref()
                        .is_none_or(|next| key.as_ref() < next.get(2..).unwrap_or_default())
                })
            {
                let (key, value) = (key.as_ref(), value.as_ref());
                self.take_over(Some(key));
                let known = self.taken < self.block.len() && self.block.record(self.taken).0 == key;
                if known {
                    self.added.known += 1;
                    continue;
                }
                self.push(key, value);
                self.added.new += 1;
                count(key, value);
            }
            self.take_over(None);
            // What is left over of a block goes together with the next one.
            let Some(next) = next.filter(|_| self.added.new > 0 && self.builder.is_small()) else {
                return Ok(());
            };
            if self.built.len() >= BLOCKS {
                return Ok(());
            }
            self.read(next)?;
        }
    }

    /// Reads the block in which a key belongs, if there is one.
    fn read_around(&mut self, key: &[u8]) -> Result<(), RedbError> {
        let from = block_range(self.section).0;
        let before = self.table.range::<&[u8]>(&from[..]..=key)?.next_back().transpose()?;
        let first = before.map(|(first, _)| first.value().to_vec());
        first.map_or(Ok(()), |first| self.read(first))
    }

    fn read(&mut self, key: Vec<u8>) -> Result<(), RedbError> {
        let bytes = self.table.get(&key[..])?;
        let block = bytes.and_then(|bytes| Block::read(key.get(2..)?, bytes.value()));
        let damaged = || redb::StorageError::Corrupted("a block can't be read".to_owned());
        self.block = block.ok_or_else(damaged)?;
        self.taken = 0;
        self.old.push(key);
        Ok(())
    }

    /// The key of the first block behind those that were read, or behind a key.
    fn next_block(&self, key: &[u8]) -> Result<Option<Vec<u8>>, RedbError> {
        use std::ops::Bound::Excluded;
        let to = block_range(self.section).1;
        let last = self.old.last().map_or(key, |key| &key[..]);
        let mut behind = self.table.range::<&[u8]>((Excluded(last), Excluded(&to[..])))?;
        Ok(behind.next().transpose()?.map(|(first, _)| first.value().to_vec()))
    }

    /// Takes over old records up to a key, or all.
    fn take_over(&mut self, below: Option<&[u8]>) {
        let block = std::mem::take(&mut self.block);
        while self.taken < block.len() {
            let (key, value) = block.record(self.taken);
            if below.is_some_and(|below| key >= below) {
                break;
            }
            self.push(key, value);
            self.taken += 1;
        }
        self.block = block;
    }

    fn push(&mut self, key: &[u8], value: &[u8]) {
        if self.builder.is_full_for(key, value) {
            self.built.push(self.builder.finish());
        }
        self.builder.add(key, value);
    }

    /// Writes the blocks, if there is anything new in them; how many it was.
    fn finish(mut self, added: &mut Added) -> Result<usize, RedbError> {
        added.known += self.added.known;
        if self.added.new == 0 {
            return Ok(0);
        }
        added.new += self.added.new;
        if !self.builder.is_empty() {
            self.built.push(self.builder.finish());
        }
        for key in &self.old {
            self.table.remove(&key[..])?;
        }
        for (first, bytes) in &self.built {
            self.table.insert(&block_key(self.section, first)[..], &bytes[..])?;
        }
        Ok(self.built.len())
    }
}
