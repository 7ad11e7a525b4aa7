//! A clock: what every move changes by the same amount. States of two layers differ by it, so that no layer has to
//! be told from those before.
//!
//! What is tried is how many leaves have a value: the empty squares of a board on which discs are put.

use super::bits::When;
use super::conditions::Maker;
use super::events::{Change, Events};
use super::store::Stop;
use std::collections::BTreeMap;
use zug_derived::Value;

/// Whether there is one.
pub fn has_clock(maker: &mut Maker<'_, '_>, sides: &[Events]) -> Result<bool, Stop> {
    let mut clocks: Option<BTreeMap<Value, i64>> = None;
    for event in sides.iter().flat_map(|side| &side.all) {
        let Change::Values { assignment, .. } = &event.change else { return Ok(false) };
        // The least and the most that the number of leaves with a value changes by.
        let mut changes: BTreeMap<Value, (i64, i64)> = BTreeMap::new();
        for &(leaf, value) in assignment {
            let new = changes.entry(value).or_default();
            *new = (new.0 + 1, new.1 + 1);
            let mut before = Vec::new();
            for old in maker.bits.places[usize::from(leaf)].values.clone() {
                let is = maker.is(leaf, old, When::Before)?;
                if maker.store.and(&event.condition, &is)? != maker.store.never {
                    before.push(old);
                }
            }
            let is_certain = before.len() == 1;
            for old in before {
                let change = changes.entry(old).or_default();
                *change = (change.0 - 1, change.1 - i64::from(is_certain));
            }
        }
        let certain = changes.iter().filter(|(_, change)| change.0 == change.1 && change.0 != 0);
        let certain: BTreeMap<Value, i64> =
            certain.map(|(&value, change)| (value, change.0)).collect();
        match &mut clocks {
            None => clocks = Some(certain),
            Some(clocks) => clocks.retain(|value, change| certain.get(value) == Some(change)),
        }
    }
    Ok(clocks.is_some_and(|clocks| !clocks.is_empty()))
}
