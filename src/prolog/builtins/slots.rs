//! Data of extensions in a session: one value of each type, private to who can name the type.

use rustc_hash::FxHashMap;
use std::any::{Any, TypeId};

/// A value of a type that an extension has of its own.
pub trait Slot: Any + Send {}

impl<T: Any + Send> Slot for T {}

/// Values by their types. A type is the key to its value, so that what an extension keeps with a
/// session has as much privacy as its type.
#[derive(Default)]
pub struct Slots(FxHashMap<TypeId, Box<dyn Any + Send>>);

impl Slots {
    /// The value of a type, if there is one.
    pub fn get<T: Slot>(&self) -> Option<&T> {
        self.0.get(&TypeId::of::<T>())?.downcast_ref()
    }

    /// The value of a type; its default, if there was none.
    pub fn get_mut<T: Slot + Default>(&mut self) -> &mut T {
        let value = self.0.entry(TypeId::of::<T>()).or_insert_with(|| Box::<T>::default());
        value.downcast_mut().expect("a value lies under its own type")
    }

    /// Puts a value in the place of the one of its type.
    pub fn put<T: Slot>(&mut self, value: T) {
        self.0.insert(TypeId::of::<T>(), Box::new(value));
    }

    /// Takes the value of a type out.
    pub fn take<T: Slot>(&mut self) -> Option<T> {
        let value = self.0.remove(&TypeId::of::<T>())?;
        value.downcast().ok().map(|value| *value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Default, PartialEq, Debug)]
    struct Count(u32);

    #[test]
    fn a_type_has_one_value() {
        let mut slots = Slots::default();
        assert_eq!(slots.get::<Count>(), None);
        slots.get_mut::<Count>().0 += 1;
        slots.put(String::from("other"));
        assert_eq!(slots.get::<Count>(), Some(&Count(1)));
        assert_eq!(slots.take::<Count>(), Some(Count(1)));
        assert_eq!(slots.take::<Count>(), None);
        assert_eq!(slots.get::<String>().map(String::as_str), Some("other"));
    }
}
