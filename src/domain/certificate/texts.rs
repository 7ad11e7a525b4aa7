//! The canonical texts of many states.

use crate::canonical_text::{canonical_cell_text, canonical_text};
use rustc_hash::FxHashMap;
use std::io::{self, ErrorKind, Write};
use std::ops::Range;
use zug_certificate::Writer;
use zug_machine::Machine;
use zug_prolog::builtins::World;
use zug_search::Limits;
use zug_state::Codec;
use zug_term::{Cell, Heap};

/// The atom that stands for a leaf while the text of a shape is found out. Its length keeps it from being a word of rules,
/// and if it is one there is no harm: the text of the shape does not come apart then.
const LEAF: &str = "a_leaf_of_a_state_whose_text_is_not_known_yet";

/// Leaves of a shape whose text is taken apart; the time of that is quadratic in them.
const MOST_LEAVES: usize = 1000;

/// Writes states as [`canonical_text`] does.
///
/// The text of a state is that of its shape, with texts of leaves in between. What a leaf looks like depends on where it
/// stands (`- 1`, `-(1)`), and on nothing else that varies: between two leaves there is always a comma, a parenthesis or an
/// operator. So texts of leaves are found once for each leaf of a shape and each constant. Where a leaf changes more than its
/// own place, as `[]` at the end of a list does, the whole state is written.
#[derive(Default)]
pub(super) struct Texts {
    marker: Option<Cell>,
    shapes: FxHashMap<u8, Option<ShapeText>>,
}

/// The text of a shape.
struct ShapeText {
    /// What stands before each leaf, and behind the last one.
    between: Vec<String>,
    /// By leaf and constant, its text, as far as constants came up.
    leaves: Vec<Vec<LeafText>>,
}

/// The text of a leaf.
#[derive(Clone, Default)]
enum LeafText {
    /// Not found out yet.
    #[default]
    Unknown,
    /// It changes what is around it.
    Entangled,
    /// What stands in its place.
    Own(Box<str>),
}

impl Texts {
    /// Puts the text of a packed state behind `out`.
    pub fn push(
        &mut self,
        m: &mut Machine,
        w: &World,
        codec: &Codec,
        packed: &[u8],
        out: &mut String,
    ) {
        let begin = out.len();
        if self.push_parts(m, w, codec, packed, out).is_none() {
            out.truncate(begin);
            let state = crate::ask::unpack(m, codec, packed);
            out.push_str(&canonical_text(m, w, &state));
        }
    }

    fn push_parts(
        &mut self,
        m: &mut Machine,
        w: &World,
        codec: &Codec,
        packed: &[u8],
        out: &mut String,
    ) -> Option<()> {
        let (shape, bytes) = codec.short_leaves(packed)?;
        let marker = *self.marker.get_or_insert_with(|| Cell::atom(m.symbols.intern(LEAF)));
        let text = self.shapes.entry(shape);
        let text = text.or_insert_with(|| ShapeText::new(m, w, codec, (shape, marker)));
        let ShapeText { between, leaves } = text.as_mut()?;
        for (number, (&byte, known)) in bytes.iter().zip(leaves).enumerate() {
            out.push_str(&between[number]);
            let constant = usize::from(byte);
            if known.len() <= constant {
                known.resize_with(constant + 1, LeafText::default);
            }
            let text = &mut known[constant];
            if let LeafText::Unknown = text {
                let whole = written(m, w, codec, (shape, marker), Some((number, byte)));
                *text = LeafText::of(&whole, between, number);
            }
            let LeafText::Own(text) = text else { return None };
            out.push_str(text);
        }
        out.push_str(between.last()?);
        Some(())
    }
}

impl ShapeText {
    fn new(m: &Machine, w: &World, codec: &Codec, shape: (u8, Cell)) -> Option<ShapeText> {
        let whole = written(m, w, codec, shape, None);
        let between: Vec<String> = whole.split(LEAF).map(str::to_owned).collect();
        let leaves = codec.leaves_of(shape.0);
        (between.len() == leaves + 1 && leaves <= MOST_LEAVES)
            .then(|| ShapeText { between, leaves: vec![Vec::new(); leaves] })
    }
}

impl LeafText {
    /// What a text has in the place of a leaf of which it is known what stands around it.
    fn of(whole: &str, between: &[String], number: usize) -> LeafText {
        let before = between[..=number].join(LEAF);
        let behind = between[number + 1..].join(LEAF);
        let own = whole.strip_prefix(&before).and_then(|rest| rest.strip_suffix(&behind));
        own.map_or(LeafText::Entangled, |own| LeafText::Own(own.into()))
    }
}

/// The text of a shape, with markers for leaves; one leaf may be a constant.
fn written(
    m: &Machine,
    w: &World,
    codec: &Codec,
    (shape, marker): (u8, Cell),
    known: Option<(usize, u8)>,
) -> String {
    let mut heap = Heap::default();
    let root = codec.skeleton(shape, &mut heap, |heap, number| match known {
        Some((at, byte)) if at == number => codec.short_leaf(byte, heap),
        _ => marker,
    });
    canonical_cell_text(m, w, &heap, root)
}

/// Records of one cost or rank, which are written in the order of their texts.
pub(super) struct Sorted {
    text: String,
    records: Vec<Range<usize>>,
    /// Bytes that they may take.
    most: Option<usize>,
}

impl Sorted {
    /// No records yet, within the memory of a search.
    pub fn new(limits: &Limits) -> Sorted {
        Sorted { text: String::new(), records: Vec::new(), most: limits.memory }
    }

    /// Adds a record, which `write` puts behind what is there.
    ///
    /// # Errors
    /// `OutOfMemory`, if they take more than they may.
    pub fn add(&mut self, write: impl FnOnce(&mut String)) -> io::Result<()> {
        let begin = self.text.len();
        write(&mut self.text);
        self.records.push(begin..self.text.len());
        let bytes = self.text.len() + self.records.len() * size_of::<Range<usize>>();
        match self.most {
            Some(most) if bytes > most => Err(ErrorKind::OutOfMemory.into()),
            _ => Ok(()),
        }
    }

    /// Writes them, and forgets them.
    ///
    /// # Errors
    /// What the stream says.
    pub fn write(&mut self, writer: &mut Writer<impl Write>) -> io::Result<()> {
        let text = self.text.as_bytes();
        let common = self.common();
        // What follows decides most comparisons without a look at the texts.
        let key = |record: &Range<usize>| {
            let rest = &text[record.start + common..record.end];
            let mut key = [0; size_of::<u64>()];
            let length = rest.len().min(key.len());
            key[..length].copy_from_slice(&rest[..length]);
            u64::from_be_bytes(key)
        };
        let mut order: Vec<(u64, &Range<usize>)> =
            self.records.iter().map(|record| (key(record), record)).collect();
        order.sort_unstable_by(|(one_key, one), (other_key, other)| {
            let texts = || text[one.start..one.end].cmp(&text[other.start..other.end]);
            one_key.cmp(other_key).then_with(texts)
        });
        let mut records = order.into_iter().map(|(_, record)| &self.text[record.clone()]);
        records.try_for_each(|record| writer.record(record))?;
        self.records.clear();
        self.text.clear();
        Ok(())
    }

    /// How many bytes all records begin with alike.
    fn common(&self) -> usize {
        let text = self.text.as_bytes();
        let mut records = self.records.iter().map(|record| &text[record.clone()]);
        let first = records.next().unwrap_or_default();
        records.fold(first.len(), |common, record| {
            let pairs = first[..common].iter().zip(record);
            pairs.take_while(|(one, other)| one == other).count()
        })
    }
}
