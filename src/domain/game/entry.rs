//! What is kept of a position, as bytes: [`Entry`].

use super::value::GameValue;
use crate::Number;
use num_bigint::BigInt;
use num_traits::ToPrimitive;
use zug_base::RecordCounts;
use zug_search::game::{CHANCE, Expected, Player, SolvedState, StateValues};
use zug_term::varint;

/// The numbers that players have in a base, by those they have in the session.
pub(super) struct PlayerNumbers(pub Vec<Player>);

impl PlayerNumbers {
    pub fn kept(&self, own: Player) -> Option<Player> {
        if own == CHANCE { Some(CHANCE) } else { self.0.get(usize::from(own)).copied() }
    }

    pub fn own(&self, kept: Player) -> Option<Player> {
        self.0.iter().position(|&seat| seat == kept).map(|seat| seat as Player)
    }
}

/// What is kept of a state.
pub(super) struct Entry {
    pub state: SolvedState<GameValue>,
    /// The place of the best move, where there is one and symmetries don't hide it.
    pub best: Option<usize>,
}

/// Moves to the end are known.
const DISTANCE: u8 = 1;
/// What follows are means. (2 once said that play can go round.)
const MEANS: u8 = 4;
/// The values rest on a choice among equals.
const TIES: u8 = 8;

impl Entry {
    /// As bytes:
    ///
    /// ```text
    /// flags      1 byte
    /// best       varint     the place of the best move, plus one; 0 if it is not known
    /// distance   varint     if there is one
    /// error      8 bytes    of means: by how much they may be off
    /// values     to the player to move, or to each by their numbers in the base
    /// ```
    pub fn written(&self, seats: &PlayerNumbers) -> Vec<u8> {
        let SolvedState { worths, distance, ties } = &self.state;
        let means = matches!(worths, StateValues::Means(..));
        let flag = |is: bool, flag: u8| if is { flag } else { 0 };
        let flags = flag(distance.is_some(), DISTANCE) | flag(means, MEANS) | flag(*ties, TIES);
        let mut bytes = vec![flags];
        varint::push(self.best.map_or(0, |best| best as u64 + 1), &mut bytes);
        if let Some(distance) = distance {
            varint::push(u64::from(*distance), &mut bytes);
        }
        let values: Vec<Expected> = match worths {
            StateValues::Values(values) => {
                values.iter().map(|&value| Expected::of(value)).collect()
            }
            StateValues::Means(values, error) => {
                bytes.extend(error.to_le_bytes());
                match values.as_slice() {
                    [first] if seats.kept(0) != Some(0) => vec![first.negated()],
                    values => values.to_vec(),
                }
            }
        };
        if values.len() == 1 {
            push_value(&values[0], &mut bytes);
        } else {
            for seat in 0..values.len() as Player {
                let own = seats.own(seat).unwrap_or(seat);
                push_value(&values[usize::from(own)], &mut bytes);
            }
        }
        bytes
    }

    /// What these bytes say.
    pub fn read(mut bytes: &[u8], seats: &PlayerNumbers) -> Option<Entry> {
        let bytes = &mut bytes;
        let (&flags, rest) = bytes.split_first()?;
        *bytes = rest;
        let best = varint::take_size(bytes)?.checked_sub(1);
        let distance = match flags & DISTANCE {
            0 => None,
            _ => Some(u32::try_from(varint::take(bytes)?).ok()?),
        };
        let error = match flags & MEANS {
            0 => 0.0,
            _ => f64::from_le_bytes(take(bytes)?),
        };
        let mut values = Vec::new();
        while !bytes.is_empty() {
            values.push(take_value(bytes)?);
        }
        if values.len() > 1 {
            let kept = values.clone();
            for (own, value) in values.iter_mut().enumerate() {
                *value = kept.get(usize::from(seats.kept(own as Player)?))?.clone();
            }
        }
        let worths = if flags & MEANS == 0 {
            StateValues::Values(values.iter().map(worth).collect::<Option<_>>()?)
        } else {
            if values.len() == 1 && seats.kept(0) != Some(0) {
                values[0] = values[0].negated();
            }
            StateValues::Means(values, error)
        };
        let state = SolvedState { worths, distance, ties: flags & TIES != 0 };
        Some(Entry { state, best })
    }

    /// Counts a position whose player to move has this number in the base.
    pub fn count(&self, mover: Player, tally: &mut RecordCounts) {
        tally.all += 1;
        tally.largest_distance = tally.largest_distance.max(self.state.distance);
        if mover == CHANCE {
            tally.chance += 1;
            return;
        }
        let zero = Expected::zero();
        let sign = match &self.state.worths {
            StateValues::Values(values) => {
                let own = if values.len() == 1 { 0 } else { usize::from(mover) };
                values.get(own).map(|value| Expected::of(*value).cmp(&zero))
            }
            StateValues::Means(values, _) if values.len() == 1 => {
                let to_first = values[0].cmp(&zero);
                Some(if mover == 0 { to_first } else { to_first.reverse() })
            }
            StateValues::Means(values, _) => {
                values.get(usize::from(mover)).map(|value| value.cmp(&zero))
            }
        };
        match sign {
            Some(std::cmp::Ordering::Greater) => tally.won += 1,
            Some(std::cmp::Ordering::Less) => tally.lost += 1,
            _ => tally.drawn += 1,
        }
    }
}

/// A value of the game that was written as a number.
fn worth(value: &Expected) -> Option<GameValue> {
    Some(GameValue(match value {
        Expected::Float(value) => Number::Float(*value),
        Expected::Exact(value) if value.is_integer() => Number::Int(value.numer().to_i64()?),
        Expected::Exact(_) => return None,
    }))
}

const AN_INTEGER: u8 = 0;
const A_FLOAT: u8 = 1;
const A_FRACTION: u8 = 2;

fn push_value(value: &Expected, out: &mut Vec<u8>) {
    match value {
        Expected::Float(value) => {
            out.push(A_FLOAT);
            out.extend(value.to_le_bytes());
        }
        Expected::Exact(value) => match value.numer().to_i64().filter(|_| value.is_integer()) {
            Some(value) => {
                out.push(AN_INTEGER);
                varint::push((value << 1 ^ value >> 63) as u64, out);
            }
            None => {
                out.push(A_FRACTION);
                for part in [value.numer(), value.denom()] {
                    let bytes = part.to_signed_bytes_le();
                    varint::push(bytes.len() as u64, out);
                    out.extend(bytes);
                }
            }
        },
    }
}

fn take_value(bytes: &mut &[u8]) -> Option<Expected> {
    let (&kind, rest) = bytes.split_first()?;
    *bytes = rest;
    match kind {
        AN_INTEGER => {
            let value = varint::take(bytes)?;
            Some(Expected::integer((value >> 1) as i64 ^ -((value & 1) as i64)))
        }
        A_FLOAT => {
            let value = f64::from_le_bytes(take(bytes)?);
            (!value.is_nan()).then_some(Expected::Float(value))
        }
        A_FRACTION => {
            let mut part = || {
                let length = varint::take_size(bytes)?;
                let (part, rest) = bytes.split_at_checked(length)?;
                *bytes = rest;
                Some(BigInt::from_signed_bytes_le(part))
            };
            let (numerator, denominator) = (part()?, part()?);
            Expected::fraction(numerator, denominator)
        }
        _ => None,
    }
}

fn take<const N: usize>(bytes: &mut &[u8]) -> Option<[u8; N]> {
    let (first, rest) = bytes.split_first_chunk::<N>()?;
    *bytes = rest;
    Some(*first)
}
