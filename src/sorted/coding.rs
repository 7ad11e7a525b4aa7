//! Keys as numbers: [`Coding`].

use super::number::Number;
use std::sync::Arc;

/// A digit of a byte that was not seen.
const UNSEEN: u16 = 0x8000;
/// Where a coding begins: N bytes of a length, and the bytes seen at each place of such keys.
pub type Seen = Vec<(u32, Vec<Vec<u8>>)>;

#[derive(Clone, Debug)]
struct Digit {
    /// Its place in the key.
    at: usize,
    radix: u32,
    /// 2^64 over the radix, rounded up: the quotient of a small number is the high word of its product with it
    /// (D. Lemire, O. Kaser, N. Kurz, *Faster Remainder by Direct Computation*, 2019).
    inverse: u64,
}

/// Keys of one length.
#[derive(Clone, Debug)]
struct Form<const W: usize> {
    /// The first byte seen at each place.
    template: Vec<u8>,
    /// The bytes seen at each place, in the order of their digits.
    bytes: Vec<Vec<u8>>,
    /// The digit of each byte at each place, or [`UNSEEN`].
    digits: Vec<[u16; 256]>,
    /// What a digit of each place counts.
    weights: Vec<Number<W>>,
    /// The digits that vary, the lowest first, in groups whose radices have a product below 2^32.
    groups: Vec<(u32, Vec<Digit>)>,
    /// Numbers of keys of this length begin here.
    offset: Number<W>,
    size: Number<W>,
}

impl<const W: usize> Form<W> {
    fn new(length: usize) -> Self {
        Self {
            template: vec![0; length],
            bytes: vec![Vec::new(); length],
            digits: vec![[UNSEEN; 256]; length],
            weights: vec![Number::ZERO; length],
            groups: Vec::new(),
            offset: Number::ZERO,
            size: Number::ZERO,
        }
    }

    fn learn(&mut self, at: usize, byte: u8) -> bool {
        let digit = &mut self.digits[at][usize::from(byte)];
        if *digit != UNSEEN {
            return false;
        }
        *digit = self.bytes[at].len() as u16;
        self.bytes[at].push(byte);
        self.template[at] = self.bytes[at][0];
        true
    }

    /// Finds weights again; `None` if there are too many numbers.
    fn weigh(&mut self) -> Option<()> {
        let mut weight = Number::small(1);
        let mut digits = Vec::new();
        for (at, bytes) in self.bytes.iter().enumerate().rev() {
            let radix = bytes.len() as u32;
            self.weights[at] = weight;
            if radix > 1 {
                digits.push(Digit { at, radix, inverse: u64::MAX / u64::from(radix) + 1 });
                weight = weight.times(radix)?;
            }
        }
        self.size = weight;
        self.groups.clear();
        for digit in digits {
            match self.groups.last_mut() {
                Some((product, group)) if product.checked_mul(digit.radix).is_some() => {
                    *product *= digit.radix;
                    group.push(digit);
                }
                _ => self.groups.push((digit.radix, vec![digit])),
            }
        }
        Some(())
    }
}

/// How keys of bytes are numbered. A key has a number if each byte of it was [learned](Coding::learn) at its place
/// in keys of its length.
#[derive(Clone, Debug)]
pub struct Coding<const W: usize> {
    forms: Vec<Form<W>>,
    /// The form of each length, plus one.
    by_length: Vec<u32>,
    learned: u32,
}

impl<const W: usize> Default for Coding<W> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const W: usize> Coding<W> {
    /// The coding of no key.
    pub fn new() -> Self {
        Self { forms: Vec::new(), by_length: Vec::new(), learned: 0 }
    }

    /// Learns a key that has no number yet, and numbers again what was numbered before: its number, if `W` words
    /// suffice.
    #[cold]
    pub fn learn_and_renumber(
        coding: &mut Arc<Self>,
        key: &[u8],
        numbers: &mut [Number<W>],
    ) -> Option<Number<W>> {
        let old = coding.clone();
        if !Arc::make_mut(coding).learn(key) {
            return None;
        }
        let mut known = Vec::new();
        for number in numbers {
            old.key(*number, &mut known);
            *number = coding.number(&known)?;
        }
        coding.number(key)
    }

    /// Learns what is new in a key: whether it has a number then, which it has not if there are too many
    /// numbers for `W` words; the coding is useless any more in this case.
    #[must_use]
    pub fn learn(&mut self, key: &[u8]) -> bool {
        if self.by_length.len() <= key.len() {
            self.by_length.resize(key.len() + 1, 0);
        }
        let mut new = 0;
        if self.by_length[key.len()] == 0 {
            self.forms.push(Form::new(key.len()));
            self.by_length[key.len()] = self.forms.len() as u32;
            new += 1;
        }
        let form = &mut self.forms[self.by_length[key.len()] as usize - 1];
        for (at, &byte) in key.iter().enumerate() {
            new += u32::from(form.learn(at, byte));
        }
        self.learned += new;
        if new == 0 {
            return true;
        }
        form.weigh().and_then(|()| self.place()).is_some()
    }

    /// Gives each form its place among the numbers.
    fn place(&mut self) -> Option<()> {
        let mut offset = Number::ZERO;
        for form in &mut self.forms {
            form.offset = offset;
            offset = offset.plus(&form.size)?;
        }
        Some(())
    }

    /// How many bytes were learned at some place: codings of which one comes from the other by learning are the same
    /// if this is.
    pub fn learned(&self) -> u32 {
        self.learned
    }

    /// Bits of the greatest number there may be.
    pub fn bits(&self) -> u32 {
        self.forms.last().and_then(|form| form.offset.plus(&form.size)).map_or(0, |n| n.bits())
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        let of = |form: &Form<W>| form.template.len() * (size_of::<[u16; 256]>() + 8 * W + 64);
        self.forms.iter().map(of).sum::<usize>() + self.by_length.capacity() * 4
    }

    /// The number of a key; `None` if a byte of it was not learned.
    #[inline]
    pub fn number(&self, key: &[u8]) -> Option<Number<W>> {
        let form = self.by_length.get(key.len())?.checked_sub(1)?;
        let form = &self.forms[form as usize];
        let (mut number, mut all) = (form.offset, 0);
        let places = form.digits.iter().zip(&form.weights);
        for (&byte, (digits, weight)) in key.iter().zip(places) {
            let digit = digits[usize::from(byte)];
            all |= digit;
            number.add_times(weight, u64::from(digit));
        }
        (all & UNSEEN == 0).then_some(number)
    }

    /// Puts the key with a number, which has one, in `key`.
    #[inline]
    pub fn key(&self, number: Number<W>, key: &mut Vec<u8>) {
        let behind = self.forms.partition_point(|form| form.offset <= number);
        let Some(form) = behind.checked_sub(1).and_then(|at| self.forms.get(at)) else {
            return key.clear();
        };
        key.clone_from(&form.template);
        let mut rest = number.minus(&form.offset);
        for (product, digits) in &form.groups {
            let (quotient, mut group) = rest.divided(*product);
            rest = quotient;
            for digit in digits {
                let quotient = ((u128::from(digit.inverse) * u128::from(group)) >> 64) as u32;
                let value = group - quotient * digit.radix;
                key[digit.at] = form.bytes[digit.at][value as usize];
                group = quotient;
            }
        }
    }

    /// What was seen of keys of each length, in the order of the forms, from which [`Coding::of`] makes the same coding.
    pub fn seen(&self) -> Seen {
        self.forms.iter().map(|form| (form.template.len() as u32, form.bytes.clone())).collect()
    }

    /// The coding that has seen this; `None` if it makes no sense, or there are too many numbers.
    pub fn of(seen: &Seen) -> Option<Self> {
        let mut coding = Self::new();
        for (length, bytes) in seen {
            let length = *length as usize;
            if bytes.len() != length || bytes.iter().any(Vec::is_empty) {
                return None;
            }
            let mut form = Form::new(length);
            for (at, bytes) in bytes.iter().enumerate() {
                for &byte in bytes {
                    if !form.learn(at, byte) {
                        return None;
                    }
                    coding.learned += 1;
                }
            }
            form.weigh()?;
            coding.by_length.resize(coding.by_length.len().max(length + 1), 0);
            if coding.by_length[length] != 0 {
                return None;
            }
            coding.forms.push(form);
            coding.learned += 1;
            coding.by_length[length] = coding.forms.len() as u32;
        }
        coding.place()?;
        Some(coding)
    }
}
