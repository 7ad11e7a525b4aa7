//! The file of a base, and what `redb` says of it.

use super::meta::{FORMAT, Meta};
use super::{BaseError, Section, WordList};
pub(super) use redb::Error as RedbError;
use redb::{
    Builder, Database, DatabaseError, ReadOnlyDatabase, ReadTransaction, ReadableDatabase,
    TableDefinition,
};
use std::io::ErrorKind;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::Path;
use zug_files::Access;
use zug_term::watchdog::AbortReason;

/// The one table: a second one would take a page of its own.
pub(super) const TABLE: TableDefinition<&[u8], &[u8]> = TableDefinition::new("zug");
/// How files of the database begin.
const MAGIC: &[u8; 9] = b"redb\x1A\x0A\xA9\x0D\x0A";
const OTHER_TABLES: &str = "it is a database with other tables";
/// Memory for pages of the file.
const CACHE: usize = 16 << 20;

/// The key under which the format stands.
pub(super) const FORMAT_KEY: &[u8] = &[0];
/// The key of [`Meta`].
pub(super) const META_KEY: &[u8] = &[1];
const WORDS: u8 = 2;
const DOCUMENTS: u8 = 3;
const RECORDS: u8 = 4;

/// The key of a word.
pub(super) fn word_key(words: WordList, number: u32) -> [u8; 6] {
    let [a, b, c, d] = number.to_be_bytes();
    [WORDS, words as u8, a, b, c, d]
}

/// The key of a document.
pub(super) fn document_key(name: &str) -> Vec<u8> {
    [&[DOCUMENTS], name.as_bytes()].concat()
}

/// Where documents begin and end.
pub(super) const DOCUMENT_RANGE: ([u8; 1], [u8; 1]) = ([DOCUMENTS], [DOCUMENTS + 1]);

/// The key of a block.
pub(super) fn block_key(section: Section, first: &[u8]) -> Vec<u8> {
    [&[RECORDS, section as u8], first].concat()
}

/// Where the blocks of a section begin and end.
pub(super) fn block_range(section: Section) -> ([u8; 2], [u8; 2]) {
    ([RECORDS, section as u8], [RECORDS, section as u8 + 1])
}

/// What was wrong, in words; `what` was to be done.
fn describe(path: &Path, what: &'static str, wrong: RedbError) -> BaseError {
    let path = path.to_owned();
    match wrong {
        RedbError::Corrupted(why) => {
            // Some of what is said quotes what should be there at length.
            let why: String = why.chars().take_while(|&c| c != '\n').take(60).collect();
            BaseError::Damaged(path, why)
        }
        RedbError::RepairAborted => BaseError::Damaged(path, "it was not closed".to_owned()),
        RedbError::UpgradeRequired(_) => {
            BaseError::Foreign(path, "it is a database of an old format of redb")
        }
        RedbError::TableTypeMismatch { .. }
        | RedbError::TableIsMultimap(_)
        | RedbError::TableIsNotMultimap(_)
        | RedbError::TypeDefinitionChanged { .. }
        | RedbError::TableDoesNotExist(_)
        | RedbError::TableExists(_)
        | RedbError::TableAlreadyOpen(..) => BaseError::Foreign(path, OTHER_TABLES),
        RedbError::Io(error) => match error.kind() {
            ErrorKind::InvalidData => BaseError::Foreign(path, "it begins otherwise"),
            ErrorKind::UnexpectedEof => BaseError::Damaged(path, "its end is missing".to_owned()),
            ErrorKind::StorageFull | ErrorKind::QuotaExceeded => BaseError::Full(path),
            _ => BaseError::Io(what, path, error),
        },
        RedbError::ValueTooLarge(_)
        | RedbError::Backend(_)
        | RedbError::Unsupported
        | RedbError::PreviousIo
        | RedbError::DatabaseClosed
        | RedbError::LockPoisoned(_)
        | RedbError::TransactionPoisoned => {
            BaseError::Io(what, path, std::io::Error::other(wrong.to_string()))
        }
        _ => BaseError::Busy(path),
    }
}

/// Does something with the database, which may panic over a damaged file.
pub(super) fn guarded<T>(
    path: &Path,
    what: &'static str,
    act: impl FnOnce() -> Result<T, RedbError>,
) -> Result<T, BaseError> {
    match catch_unwind(AssertUnwindSafe(act)) {
        Ok(done) => done.map_err(|wrong| describe(path, what, wrong)),
        // What was abandoned at a limit is no damage.
        Err(payload) if payload.is::<AbortReason>() => resume_unwind(payload),
        Err(_) => {
            Err(BaseError::Damaged(path.to_owned(), "what is in it makes no sense".to_owned()))
        }
    }
}

/// What a path leads to: a base, nothing, or something else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PathKind {
    /// Nothing, an empty file, or one whose making was cut off at once.
    Nothing,
    /// A database.
    Database,
}

/// Looks what there is.
///
/// # Errors
/// A folder, a file of another kind, or the I/O error.
pub(super) fn look(path: &Path) -> Result<PathKind, BaseError> {
    let metadata = match path.metadata() {
        Ok(metadata) => metadata,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(PathKind::Nothing),
        Err(error) => return Err(BaseError::Io("read", path.to_owned(), error)),
    };
    if metadata.is_dir() {
        return Err(BaseError::Folder(path.to_owned()));
    }
    if !metadata.is_file() {
        return Err(BaseError::Foreign(path.to_owned(), "it is a device or a pipe"));
    }
    let start = Access::FREE.beginning(path, MAGIC.len() as u64);
    let start = start.map_err(|error| BaseError::Io("read", path.to_owned(), error))?;
    if start == MAGIC {
        return Ok(PathKind::Database);
    }
    // The database writes how it begins last.
    if start.iter().all(|&byte| byte == 0) {
        return Ok(PathKind::Nothing);
    }
    Err(BaseError::Foreign(path.to_owned(), "it begins otherwise"))
}

fn builder() -> Builder {
    let mut builder = Builder::new();
    builder.set_cache_size(CACHE);
    builder
}

/// Whether a file is a base, or is to be one by its name: it ends in `.db` and is not there.
pub fn is_base(path: &Path) -> bool {
    match look(path) {
        Ok(PathKind::Database) => true,
        Ok(PathKind::Nothing) => path.extension().is_some_and(|extension| extension == "db"),
        Err(_) => false,
    }
}

/// Opens a database to be written, or makes one.
pub(super) fn open_to_write(path: &Path) -> Result<Database, BaseError> {
    if look(path)? == PathKind::Nothing && path.metadata().is_ok_and(|found| found.len() > 0) {
        let emptied = Access::FREE.create(path).map(drop);
        emptied.map_err(|error| BaseError::Io("write", path.to_owned(), error))?;
    }
    guarded(path, "write", || Ok(builder().create(path)?))
}

/// Opens a database to be read, which is repaired first if it was not closed; the checksums of
/// all pages are compared if they are to be.
pub(super) fn open_to_read(path: &Path, check: bool) -> Result<ReadOnlyDatabase, BaseError> {
    if look(path)? == PathKind::Nothing {
        return Err(BaseError::Missing(path.to_owned()));
    }
    let mut reading = builder();
    reading.set_check_integrity_on_open(check);
    let opened = guarded(path, "read", || match reading.open_read_only(path) {
        Ok(database) => Ok(Some(database)),
        Err(DatabaseError::RepairAborted) => Ok(None),
        Err(error) => Err(error.into()),
    })?;
    if let Some(database) = opened {
        return Ok(database);
    }
    guarded(path, "repair", || Ok(builder().open(path)?.close()?))?;
    guarded(path, "read", || Ok(reading.open_read_only(path)?))
}

/// The meta data of a base; `None` if nothing was ever written into the database.
///
/// # Errors
/// It is another database, another format, or damaged.
pub(super) fn meta(
    path: &Path,
    database: &impl ReadableDatabase,
) -> Result<Option<Meta>, BaseError> {
    let found = guarded(path, "read", || {
        let transaction: ReadTransaction = database.begin_read()?;
        let mut tables = transaction.list_tables()?.peekable();
        if tables.peek().is_none() {
            return Ok(None);
        }
        drop(tables);
        let table = transaction.open_table(TABLE)?;
        let bytes = |key: &[u8]| -> Result<Option<Vec<u8>>, RedbError> {
            Ok(table.get(key)?.map(|value| value.value().to_vec()))
        };
        Ok(Some((bytes(FORMAT_KEY)?, bytes(META_KEY)?)))
    })?;
    let Some((format, meta)) = found else { return Ok(None) };
    let format = format.and_then(|bytes| bytes.try_into().ok()).map(u32::from_le_bytes);
    let Some(format) = format else {
        return Err(BaseError::Foreign(path.to_owned(), OTHER_TABLES));
    };
    if format != FORMAT {
        return Err(BaseError::Format { path: path.to_owned(), found: format, own: FORMAT });
    }
    match meta.as_deref().map(serde_json::from_slice) {
        Some(Ok(meta)) => Ok(Some(meta)),
        _ => Err(BaseError::Damaged(path.to_owned(), "what it is about can't be read".to_owned())),
    }
}
