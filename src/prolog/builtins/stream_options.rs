//! How a stream was opened, and the sink that keeps what is written.

use super::stream_text::Encoding;
use std::io::{self, Write};
use std::sync::{Arc, Mutex};

/// What reading behind the end of an input does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EofAction {
    /// A permission error.
    Error,
    /// The end-of-file value again.
    EofCode,
    /// Ask the source again: what terminals do.
    Reset,
}

impl EofAction {
    /// The name `stream_property/2` shows.
    pub fn name(self) -> &'static str {
        match self {
            EofAction::Error => "error",
            EofAction::EofCode => "eof_code",
            EofAction::Reset => "reset",
        }
    }
}

/// How a file was opened.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// For input.
    Read,
    /// For output, from nothing.
    Write,
    /// For output, behind what is there.
    Append,
    /// For output over what is there.
    Update,
}

impl Mode {
    /// The name `stream_property/2` shows.
    pub fn name(self) -> &'static str {
        match self {
            Mode::Read => "read",
            Mode::Write => "write",
            Mode::Append => "append",
            Mode::Update => "update",
        }
    }
}

/// When output is passed on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Buffering {
    /// When the buffer is full.
    Full,
    /// At the end of each line.
    Line,
    /// At once.
    None,
}

impl Buffering {
    /// The name `stream_property/2` shows.
    pub fn name(self) -> &'static str {
        match self {
            Buffering::Full => "full",
            Buffering::Line => "line",
            Buffering::None => "none",
        }
    }
}

/// What `open/4` lets one choose.
#[derive(Clone, Debug)]
pub struct Options {
    /// Bytes rather than characters.
    pub binary: bool,
    /// How characters are spelt in bytes.
    pub encoding: Encoding,
    /// What reading behind the end does.
    pub eof_action: EofAction,
    /// When output is passed on.
    pub buffering: Buffering,
    /// Whether one may go back to a position noted before, where the source is a file.
    pub reposition: bool,
    /// Whether to look for a byte order mark at the begin of an input, or to write one; by default to look.
    pub mark: Option<bool>,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            binary: false,
            encoding: Encoding::Utf8,
            eof_action: EofAction::EofCode,
            buffering: Buffering::Full,
            reposition: true,
            mark: None,
        }
    }
}

/// A sink that keeps what is written where its owner can look at it: output of
/// an embedded session, or of a test. Clones share the text.
#[derive(Clone, Default, Debug)]
pub struct SharedBuffer(Arc<Mutex<Vec<u8>>>);

impl SharedBuffer {
    /// An empty buffer.
    pub fn new() -> SharedBuffer {
        SharedBuffer::default()
    }

    /// What was written since the last call.
    pub fn take(&self) -> String {
        let mut bytes = self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        String::from_utf8_lossy(&std::mem::take(&mut *bytes)).into_owned()
    }
}

impl Write for SharedBuffer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner).extend_from_slice(bytes);
        Ok(bytes.len())
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
