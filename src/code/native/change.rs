//! By how much a sum over leaves differs when some of them are written.

use crate::code::Sum;
use crate::moves::UNKNOWN_CHANGE;
use zug_jit::{Builder, Compare, Index, Int};

/// A byte as far as it is known.
#[derive(Clone, Copy)]
pub enum Filled<'f> {
    /// Always this one.
    Byte(u8),
    /// What is computed.
    Index(Index<'f>),
}

/// A leaf that is written.
pub struct Written<'f> {
    /// What it adds to the sum, by its byte.
    pub table: &'f [i32; 256],
    /// What is written.
    pub new: Filled<'f>,
    pub old: Filled<'f>,
}

/// By how much the sum differs; [`UNKNOWN_CHANGE`] where a table does not tell.
pub fn change<'f>(b: &mut Builder<'f>, written: &[Written<'f>]) -> Int<'f> {
    let (mut fixed, mut change) = (0, None);
    // The bits of all that was looked up, and whether something in it is unknown.
    let (mut bits, mut unknown) = (None, None);
    for &Written { table, new, old } in written {
        for (known, is_new) in [(new, true), (old, false)] {
            let byte = match known {
                Filled::Byte(byte) => {
                    let value = table[usize::from(byte)];
                    if value == Sum::UNKNOWN {
                        return b.int(UNKNOWN_CHANGE);
                    }
                    fixed += if is_new { i64::from(value) } else { -i64::from(value) };
                    continue;
                }
                Filled::Index(byte) => byte,
            };
            let value = b.look_up(table, byte);
            // What is unknown is less than all else: where nothing else is negative, all
            // signs are looked at together.
            let any = table.contains(&Sum::UNKNOWN);
            if any && table.iter().all(|&value| value >= 0 || value == Sum::UNKNOWN) {
                bits = Some(bits.map_or(value, |bits| b.or(bits, value)));
            } else if any {
                let none = b.compare_with(Compare::Equal, value, i64::from(Sum::UNKNOWN));
                unknown = Some(unknown.map_or(none, |all| b.or(all, none)));
            }
            change = Some(match (change, is_new) {
                (None, true) => value,
                (None, false) => b.neg(value),
                (Some(change), true) => b.add(change, value),
                (Some(change), false) => b.sub(change, value),
            });
        }
    }
    let change = match change {
        Some(change) => b.add_const(change, fixed),
        None => return b.int(fixed),
    };
    if let Some(bits) = bits {
        let negative = b.compare_with(Compare::Less, bits, 0);
        unknown = Some(unknown.map_or(negative, |all| b.or(all, negative)));
    }
    match unknown {
        Some(unknown) => {
            let none = b.int(UNKNOWN_CHANGE);
            b.select::<i64>(unknown, none, change)
        }
        None => change,
    }
}
