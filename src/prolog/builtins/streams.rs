//! Streams: where text comes from and where it goes.
//!
//! The table of all open streams, and what happens to one character or one piece
//! of text. The predicates over it are in `stream_predicates`,
//! `characters` and `output`.
//!
//! The three standard streams are handed in as trait objects, so whoever embeds
//! the crate decides where output goes; nothing here touches the process's own
//! standard streams. Output is buffered, and [`Streams::flush_standard`] is called when
//! somebody waits for it: before a line is read from `user_input` and at the end
//! of a query.
//!
//! Invariants: streams 0, 1 and 2 are always open; `current_input` is an open
//! input and `current_output` an open output stream.

use super::stream_text::{Encoding, StreamPosition, decode, encode};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io::{self, Read, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;
use zug_machine::{Machine, StopReason};
use zug_syntax::floor_char_boundary;

pub use super::stream_options::{Buffering, EofAction, Mode, Options, SharedBuffer};

/// Number of a stream, as in the term `'$stream'(N)`.
pub type StreamId = usize;

/// Where input comes from.
pub type Incoming = Box<dyn Read + Send>;
/// Where output goes.
pub type Outgoing = Box<dyn Write + Send>;

/// The stream `user_input`.
pub const USER_INPUT: StreamId = 0;
/// The stream `user_output`.
pub const USER_OUTPUT: StreamId = 1;
/// The stream `user_error`.
pub const USER_ERROR: StreamId = 2;

/// The error of a write beyond what rules may write.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the limit of output is reached")]
pub struct OutputLimit;

/// Why a read ended before its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ReadEnded {
    /// There is no memory for more.
    #[error("out of memory")]
    Room,
    /// A limit of time, or an interrupt.
    #[error("{0}")]
    Stopped(StopReason),
}

/// The limits of a read from an input without an end.
#[derive(Default)]
struct ReadLimits {
    deadline: Option<Instant>,
    interrupt: Arc<AtomicBool>,
    /// Bytes that may still be got, if there is a limit.
    room: usize,
    limited: bool,
}

impl ReadLimits {
    /// Whether there is time to read on.
    fn check(&self) -> io::Result<()> {
        let reason = if self.interrupt.load(Ordering::Relaxed) {
            StopReason::Interrupted
        } else if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            StopReason::Time
        } else {
            return Ok(());
        };
        Err(io::Error::other(ReadEnded::Stopped(reason)))
    }
}

/// Bytes of a stream without its contents.
const STREAM: usize = 256;

/// Bytes of output held back before they are passed on.
const OUTPUT_BUFFER: usize = 1 << 14;
/// What UTF-8 text may begin with.
const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";
/// Bytes asked for when an input runs dry.
const INPUT_CHUNK: usize = 1 << 13;

/// The input side of a stream.
pub struct Input {
    /// Where more bytes come from; `None` when all of them are in `buffer`.
    source: Option<Incoming>,
    buffer: Vec<u8>,
    /// The next byte of `buffer`.
    at: usize,
    /// Whether the end was already reported.
    pub past_end: bool,
}

impl Input {
    /// Whether all there is to read is held, so that one can go back in it.
    pub fn is_complete(&self) -> bool {
        self.source.is_none()
    }
}

/// The output side of a stream.
pub struct Output {
    /// Where bytes go; `None` keeps them all in `buffer`.
    sink: Option<Outgoing>,
    buffer: Vec<u8>,
}

/// One direction or the other.
pub enum Channel {
    /// A stream to read from.
    Input(Input),
    /// A stream to write to.
    Output(Output),
}

/// An open stream.
pub struct Stream {
    /// Names it was given by `open/4` or `set_stream/2`.
    pub aliases: Vec<Arc<str>>,
    /// The file behind it, as the program named it.
    pub file: Option<Arc<str>>,
    /// How it was opened.
    pub mode: Mode,
    /// What was chosen at `open/4`.
    pub options: Options,
    /// A byte order mark was read or written at its begin.
    pub is_marked: bool,
    /// Characters, lines and bytes gone by.
    pub place: StreamPosition,
    /// Source or sink.
    pub channel: Channel,
}

/// All open streams.
pub struct Streams {
    table: BTreeMap<StreamId, Stream>,
    next: StreamId,
    /// Where `get_char/1` and friends read.
    pub current_input: StreamId,
    /// Where `write/1` and friends write.
    pub current_output: StreamId,
    /// Outputs being captured: the memory stream and the current output before it.
    captures: Vec<(StreamId, StreamId)>,
    /// The limits of the read that is going on.
    read_limits: RefCell<ReadLimits>,
    /// Bytes held by the captures.
    held: usize,
    /// Bytes that rules wrote since the limit was set, other than into captures.
    emitted: u64,
    /// Bytes that rules may write.
    output_limit: u64,
    /// Whether `user_input` is a terminal: prompts are shown then, and the end is reset.
    pub interactive: bool,
    /// What `prompt/2` set: shown before each line read from a terminal.
    pub prompt: Arc<str>,
}

impl Streams {
    /// The three standard streams over the given source and sinks.
    pub fn new(input: Incoming, output: Outgoing, error: Outgoing) -> Streams {
        let mut streams = Streams {
            table: BTreeMap::new(),
            next: 0,
            current_input: USER_INPUT,
            current_output: USER_OUTPUT,
            captures: Vec::new(),
            read_limits: RefCell::default(),
            held: 0,
            emitted: 0,
            output_limit: u64::MAX,
            interactive: false,
            prompt: "|: ".into(),
        };
        let reset = Options { eof_action: EofAction::Reset, ..Options::default() };
        streams.add_input(Some(input), Vec::new(), None, reset);
        let line = Options { buffering: Buffering::Full, ..Options::default() };
        streams.add_output(Some(output), None, Mode::Append, line);
        let unbuffered = Options { buffering: Buffering::None, ..Options::default() };
        streams.add_output(Some(error), None, Mode::Append, unbuffered);
        for (id, name) in [(0, "user_input"), (1, "user_output"), (2, "user_error")] {
            streams.add_alias(id, name);
        }
        streams
    }

    /// Says that `user_input` and `user_output` are a terminal: prompts are
    /// shown, and output appears line by line.
    pub fn set_interactive(&mut self, interactive: bool) {
        self.interactive = interactive;
        if let Some(stream) = self.table.get_mut(&USER_OUTPUT) {
            stream.options.buffering = if interactive { Buffering::Line } else { Buffering::Full };
        }
    }

    /// Adds a stream that begins after N bytes of a byte order mark.
    fn add(
        &mut self,
        file: Option<&str>,
        mode: Mode,
        options: Options,
        mark: usize,
        channel: Channel,
    ) -> StreamId {
        let id = self.next;
        self.next += 1;
        let stream = Stream {
            aliases: Vec::new(),
            file: file.map(Arc::from),
            mode,
            options,
            is_marked: mark > 0,
            place: StreamPosition { bytes: mark, ..StreamPosition::start() },
            channel,
        };
        self.table.insert(id, stream);
        id
    }

    /// Opens an input: `buffer` comes first, then what `source` gives. A source that has
    /// nothing yet may say so with [`io::ErrorKind::WouldBlock`] after a while: then the limits
    /// are looked at, and it is asked again.
    pub fn add_input(
        &mut self,
        source: Option<Incoming>,
        buffer: Vec<u8>,
        file: Option<&str>,
        options: Options,
    ) -> StreamId {
        let looks = !options.binary && options.mark != Some(false);
        let is_marked =
            looks && options.encoding == Encoding::Utf8 && buffer.starts_with(BYTE_ORDER_MARK);
        let at = if is_marked { BYTE_ORDER_MARK.len() } else { 0 };
        if source.is_none() {
            self.held += buffer.len() + STREAM;
        }
        let input = Input { source, buffer, at, past_end: false };
        self.add(file, Mode::Read, options, at, Channel::Input(input))
    }

    /// Opens an output; without a sink it collects what is written.
    pub fn add_output(
        &mut self,
        sink: Option<Outgoing>,
        file: Option<&str>,
        mode: Mode,
        options: Options,
    ) -> StreamId {
        let is_marked = mode == Mode::Write
            && options.mark == Some(true)
            && !options.binary
            && options.encoding == Encoding::Utf8;
        let begin = if is_marked { BYTE_ORDER_MARK } else { &[] };
        let output = Output { sink, buffer: begin.to_vec() };
        self.add(file, mode, options, begin.len(), Channel::Output(output))
    }

    /// The stream with this number, if it is open.
    pub fn get(&self, id: StreamId) -> Option<&Stream> {
        self.table.get(&id)
    }

    /// The stream with this number, to change it.
    pub fn get_mut(&mut self, id: StreamId) -> Option<&mut Stream> {
        self.table.get_mut(&id)
    }

    /// The numbers of all open streams, in the order they were opened.
    pub fn ids(&self) -> Vec<StreamId> {
        self.table.keys().copied().collect()
    }

    /// The stream with this alias.
    pub fn by_alias(&self, name: &str) -> Option<StreamId> {
        let has = |stream: &Stream| stream.aliases.iter().any(|alias| &**alias == name);
        self.table.iter().find(|(_, stream)| has(stream)).map(|(&id, _)| id)
    }

    /// Gives a stream one more name, which no other stream keeps.
    pub fn add_alias(&mut self, id: StreamId, name: &str) {
        for stream in self.table.values_mut() {
            stream.aliases.retain(|alias| &**alias != name);
        }
        if let Some(stream) = self.table.get_mut(&id) {
            stream.aliases.push(name.into());
        }
    }

    /// Closes a stream; the standard ones are only flushed. Closing a current
    /// stream makes the standard one current.
    pub fn close(&mut self, id: StreamId) -> io::Result<()> {
        let flushed = self.flush(id);
        if id > USER_ERROR
            && let Some(Stream { channel: Channel::Input(input), .. }) = self.table.remove(&id)
            && input.source.is_none()
        {
            self.held = self.held.saturating_sub(input.buffer.len() + STREAM);
        }
        if self.current_input == id {
            self.current_input = USER_INPUT;
        }
        if self.current_output == id {
            self.current_output = USER_OUTPUT;
        }
        flushed
    }
}

/// Output.
impl Streams {
    /// How much rules may write from now on; `None`: as much as they like.
    pub fn limit_output(&mut self, bytes: Option<u64>) {
        self.emitted = 0;
        self.output_limit = bytes.unwrap_or(u64::MAX);
    }

    /// Bytes that rules wrote since [`Streams::limit_output`], other than into captures.
    pub fn emitted(&self) -> u64 {
        self.emitted
    }

    /// Writes text that counts towards the limit of output, but for what is captured.
    ///
    /// # Errors
    /// [`OutputLimit`] when not all of it may be written: the beginning was.
    pub fn emit(&mut self, id: StreamId, text: &str) -> io::Result<()> {
        if self.is_capture(id) {
            self.held += text.len();
            return self.put_str(id, text);
        }
        let may = floor_char_boundary(text, self.may_emit(id));
        self.emitted += may as u64;
        self.put_str(id, &text[..may])?;
        if may < text.len() { Err(io::Error::other(OutputLimit)) } else { Ok(()) }
    }

    /// Bytes that may still be written there.
    pub fn may_emit(&self, id: StreamId) -> usize {
        if self.is_capture(id) {
            return usize::MAX;
        }
        usize::try_from(self.output_limit - self.emitted).unwrap_or(usize::MAX)
    }

    /// Writes a byte that counts as text does.
    ///
    /// # Errors
    /// [`OutputLimit`] when it may not be written.
    pub fn emit_byte(&mut self, id: StreamId, byte: u8) -> io::Result<()> {
        if self.is_capture(id) {
            self.held += 1;
        } else if self.emitted >= self.output_limit {
            return Err(io::Error::other(OutputLimit));
        } else {
            self.emitted += 1;
        }
        self.put_byte(id, byte)
    }

    /// Whether what is written there stays in memory.
    pub fn is_capture(&self, id: StreamId) -> bool {
        self.captures.iter().any(|&(capture, _)| capture == id)
    }

    /// Bytes of captured output that are held.
    pub fn held(&self) -> usize {
        self.held
    }

    /// Writes text. Output streams only; anything else is ignored.
    pub fn put_str(&mut self, id: StreamId, text: &str) -> io::Result<()> {
        let Some(stream) = self.table.get_mut(&id) else { return Ok(()) };
        let Channel::Output(output) = &mut stream.channel else { return Ok(()) };
        let before = output.buffer.len();
        encode(text, stream.options.encoding, &mut output.buffer);
        stream.place.advance(text, output.buffer.len() - before);
        let due = match stream.options.buffering {
            Buffering::None => true,
            Buffering::Line => text.contains('\n'),
            Buffering::Full => false,
        };
        if due || output.buffer.len() >= OUTPUT_BUFFER { output.flush() } else { Ok(()) }
    }

    /// Writes one byte.
    pub fn put_byte(&mut self, id: StreamId, byte: u8) -> io::Result<()> {
        let Some(stream) = self.table.get_mut(&id) else { return Ok(()) };
        let Channel::Output(output) = &mut stream.channel else { return Ok(()) };
        output.buffer.push(byte);
        stream.place.bytes += 1;
        if output.buffer.len() >= OUTPUT_BUFFER { output.flush() } else { Ok(()) }
    }

    /// Passes on what is buffered.
    pub fn flush(&mut self, id: StreamId) -> io::Result<()> {
        match self.table.get_mut(&id).map(|stream| &mut stream.channel) {
            Some(Channel::Output(output)) => output.flush(),
            _ => Ok(()),
        }
    }

    /// Passes on what `user_output` and `user_error` hold: at the end of a query
    /// and before waiting for input.
    pub fn flush_standard(&mut self) -> io::Result<()> {
        self.flush(USER_OUTPUT)?;
        self.flush(USER_ERROR)
    }

    /// The column the next character is written in, counted from 0.
    pub fn column(&self, id: StreamId) -> usize {
        self.table.get(&id).map_or(0, |stream| stream.place.column)
    }

    /// Makes a stream in memory the current output.
    pub fn push_capture(&mut self) {
        let id = self.add_output(None, None, Mode::Write, Options::default());
        self.captures.push((id, self.current_output));
        self.current_output = id;
    }

    /// How many captures are open.
    pub fn captures(&self) -> usize {
        self.captures.len()
    }

    /// Ends the innermost capture and all but `keep` of those around it; the text
    /// the outermost one of them took.
    pub fn pop_captures(&mut self, keep: usize) -> Option<String> {
        let mut text = None;
        while self.captures.len() > keep {
            let (id, before) = self.captures.pop().expect("longer than what is kept");
            self.current_output =
                if self.table.contains_key(&before) { before } else { USER_OUTPUT };
            text = self.table.remove(&id).and_then(|stream| match stream.channel {
                Channel::Output(output) => {
                    self.held = self.held.saturating_sub(output.buffer.len());
                    Some(String::from_utf8_lossy(&output.buffer).into_owned())
                }
                Channel::Input(_) => None,
            });
        }
        text
    }

    /// What a session does when a query is over, however it ended: captures are
    /// dropped and all output is passed on.
    pub fn end_query(&mut self) -> io::Result<()> {
        self.pop_captures(0);
        let standard = self.flush_standard();
        for stream in self.table.values_mut() {
            if let Channel::Output(output) = &mut stream.channel {
                // A file that can't be written says so when it is closed.
                let _ = output.flush();
            }
        }
        standard?;
        self.flush_standard()
    }
}

impl Output {
    fn flush(&mut self) -> io::Result<()> {
        let Some(sink) = &mut self.sink else { return Ok(()) };
        let written = sink.write_all(&self.buffer).and_then(|()| sink.flush());
        // What can't be written is dropped: the next write must not fail for it again.
        self.buffer.clear();
        written
    }
}

/// Input.
impl Streams {
    /// What a read that begins now may take.
    pub fn begin_read(&self, machine: &Machine) {
        *self.read_limits.borrow_mut() = ReadLimits {
            deadline: machine.deadline,
            interrupt: machine.interrupt.clone(),
            // What is read stands in a buffer first, and in the text made of it.
            room: machine.room() / 3,
            limited: true,
        };
    }

    /// The next character and its length in bytes, without taking it; `None` at the end.
    pub fn peek_char(&mut self, id: StreamId) -> io::Result<Option<(char, usize)>> {
        loop {
            let Some(stream) = self.table.get_mut(&id) else { return Ok(None) };
            let Channel::Input(input) = &mut stream.channel else { return Ok(None) };
            let rest = &input.buffer[input.at..];
            if let Some(found) = decode(rest, stream.options.encoding, input.source.is_none()) {
                return Ok(Some(found));
            }
            if !self.fill(id)? {
                // The end, or the broken beginning of a character before it.
                return Ok(self.rest(id).and_then(|rest| decode(rest, Encoding::Latin1, true)));
            }
        }
    }

    /// Takes the next character; `None` at the end, which is noted as passed.
    pub fn next_char(&mut self, id: StreamId) -> io::Result<Option<char>> {
        let found = self.peek_char(id)?;
        match found {
            Some((c, length)) => {
                let Some(stream) = self.table.get_mut(&id) else { return Ok(None) };
                stream.place.advance(c.encode_utf8(&mut [0; 4]), length);
                if let Channel::Input(input) = &mut stream.channel {
                    input.at += length;
                }
            }
            None => self.pass_end(id),
        }
        Ok(found.map(|(c, _)| c))
    }

    /// The next byte, without taking it.
    pub fn peek_byte(&mut self, id: StreamId) -> io::Result<Option<u8>> {
        loop {
            if let Some(&byte) = self.rest(id).and_then(|rest| rest.first()) {
                return Ok(Some(byte));
            }
            if !self.fill(id)? {
                return Ok(None);
            }
        }
    }

    /// Takes the next byte; `None` at the end, which is noted as passed.
    pub fn next_byte(&mut self, id: StreamId) -> io::Result<Option<u8>> {
        let found = self.peek_byte(id)?;
        match (found, self.table.get_mut(&id)) {
            (Some(_), Some(stream)) => {
                stream.place.bytes += 1;
                if let Channel::Input(input) = &mut stream.channel {
                    input.at += 1;
                }
            }
            _ => self.pass_end(id),
        }
        Ok(found)
    }

    /// The next line without its end, `None` at the end of the input. A session
    /// on a pipe reads its queries with this, so that a goal which reads takes
    /// the lines behind its query.
    pub fn read_line(&mut self, id: StreamId) -> io::Result<Option<String>> {
        let mut line = String::new();
        loop {
            match self.next_char(id)? {
                None if line.is_empty() => return Ok(None),
                None => return Ok(Some(line)),
                Some('\n') => {
                    if line.ends_with('\r') {
                        line.pop();
                    }
                    return Ok(Some(line));
                }
                Some(c) => line.push(c),
            }
        }
    }

    /// Whether the stream stands at its end now, which may mean to wait for more.
    pub fn at_end(&mut self, id: StreamId) -> io::Result<bool> {
        Ok(self.peek_byte(id)?.is_none())
    }

    /// Whether the end was already read.
    pub fn past_end(&self, id: StreamId) -> bool {
        matches!(self.table.get(&id).map(|stream| &stream.channel), Some(Channel::Input(input)) if input.past_end)
    }

    /// Goes back to a place noted before. False when the stream can't.
    pub fn seek(&mut self, id: StreamId, place: StreamPosition) -> bool {
        let Some(stream) = self.table.get_mut(&id) else { return false };
        let Channel::Input(input) = &mut stream.channel else { return false };
        if !stream.options.reposition || input.source.is_some() || place.bytes > input.buffer.len()
        {
            return false;
        }
        input.at = place.bytes;
        input.past_end = false;
        stream.place = place;
        true
    }

    fn pass_end(&mut self, id: StreamId) {
        let Some(stream) = self.table.get_mut(&id) else { return };
        let again = stream.options.eof_action == EofAction::Reset;
        if let Channel::Input(input) = &mut stream.channel {
            input.past_end = !again;
        }
    }

    fn rest(&self, id: StreamId) -> Option<&[u8]> {
        match &self.table.get(&id)?.channel {
            Channel::Input(input) => Some(&input.buffer[input.at..]),
            Channel::Output(_) => None,
        }
    }

    /// Gets more bytes; false at the end. Shows the prompt on a terminal.
    fn fill(&mut self, id: StreamId) -> io::Result<bool> {
        if id == USER_INPUT {
            self.invite()?;
        }
        let Some(stream) = self.table.get_mut(&id) else { return Ok(false) };
        let Channel::Input(input) = &mut stream.channel else { return Ok(false) };
        let Some(source) = &mut input.source else { return Ok(false) };
        let read_limits = self.read_limits.get_mut();
        read_limits.check()?;
        if read_limits.limited && read_limits.room < INPUT_CHUNK {
            return Err(io::Error::other(ReadEnded::Room));
        }
        read_limits.room = read_limits.room.saturating_sub(INPUT_CHUNK);
        if input.at > 0 {
            input.buffer.drain(..input.at);
            input.at = 0;
        }
        let held = input.buffer.len();
        input.buffer.resize(held + INPUT_CHUNK, 0);
        let read = loop {
            match source.read(&mut input.buffer[held..]) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                // Nothing is there yet: the source waits a little each time.
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    if let Err(ended) = read_limits.check() {
                        break Err(ended);
                    }
                }
                other => break other,
            }
        };
        input.buffer.truncate(held + *read.as_ref().unwrap_or(&0));
        Ok(read? > 0)
    }

    /// Before waiting for the user: shows all output, and the prompt on a terminal.
    fn invite(&mut self) -> io::Result<()> {
        if self.interactive {
            let prompt = self.prompt.clone();
            if self.column(USER_OUTPUT) == 0 {
                self.put_str(USER_OUTPUT, &prompt)?;
            }
            // The user's Return ends the line the prompt began.
            if let Some(stream) = self.table.get_mut(&USER_OUTPUT) {
                stream.place.column = 0;
            }
        }
        self.flush_standard()
    }
}
