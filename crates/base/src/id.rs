//! Ids: typed u32 indices, and arenas that give them out. No pointers, no generations: an arena only grows, and
//! insertion order is the order of everything.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;
use std::ops::{Index, IndexMut};

/// The index of a `T` in its arena. Four bytes; ids of different types do not mix.
pub struct Id<T> {
    index: u32,
    marker: PhantomData<fn() -> T>,
}

impl<T> Id<T> {
    pub const fn new(index: u32) -> Id<T> {
        Id { index, marker: PhantomData }
    }
    pub const fn index(self) -> usize {
        self.index as usize
    }
}

impl<T> Copy for Id<T> {}
impl<T> Clone for Id<T> {
    fn clone(&self) -> Id<T> {
        *self
    }
}
impl<T> PartialEq for Id<T> {
    fn eq(&self, other: &Id<T>) -> bool {
        self.index == other.index
    }
}
impl<T> Eq for Id<T> {}
impl<T> PartialOrd for Id<T> {
    fn partial_cmp(&self, other: &Id<T>) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl<T> Ord for Id<T> {
    fn cmp(&self, other: &Id<T>) -> Ordering {
        self.index.cmp(&other.index)
    }
}
impl<T> Hash for Id<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.index.hash(state);
    }
}
impl<T> fmt::Debug for Id<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{}", self.index)
    }
}

#[cfg(feature = "serde")]
impl<T> serde::Serialize for Id<T> {
    fn serialize<S: serde::Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        self.index.serialize(out)
    }
}
#[cfg(feature = "serde")]
impl<'de, T> serde::Deserialize<'de> for Id<T> {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Id<T>, D::Error> {
        u32::deserialize(from).map(Id::new)
    }
}

/// Values by id, in insertion order.
#[derive(Clone, Debug, PartialEq)]
pub struct Arena<T> {
    items: Vec<T>,
}

impl<T> Arena<T> {
    pub const fn new() -> Arena<T> {
        Arena { items: Vec::new() }
    }
    /// Adds `item`. More than 2^32 - 1 items are a bug and assert.
    pub fn push(&mut self, item: T) -> Id<T> {
        let index = u32::try_from(self.items.len()).ok().filter(|&index| index < u32::MAX);
        self.items.push(item);
        Id::new(index.expect("under 2^32 - 1 items"))
    }
    pub fn len(&self) -> usize {
        self.items.len()
    }
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }
    /// All ids, in order.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = Id<T>> + ExactSizeIterator + use<T> {
        (0..self.items.len() as u32).map(Id::new)
    }
    /// All items with their ids, in order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (Id<T>, &T)> + ExactSizeIterator {
        self.ids().zip(&self.items)
    }
    /// All items with their ids, to change.
    pub fn iter_mut(&mut self) -> impl DoubleEndedIterator<Item = (Id<T>, &mut T)> + ExactSizeIterator {
        self.ids().zip(&mut self.items)
    }
    /// The item, if the id is from this arena.
    pub fn get(&self, id: Id<T>) -> Option<&T> {
        self.items.get(id.index())
    }
    pub fn as_slice(&self) -> &[T] {
        &self.items
    }
    pub fn as_mut_slice(&mut self) -> &mut [T] {
        &mut self.items
    }
}

impl<T> Default for Arena<T> {
    fn default() -> Arena<T> {
        Arena::new()
    }
}

impl<T> FromIterator<T> for Arena<T> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Arena<T> {
        let mut arena = Arena::new();
        for item in items {
            arena.push(item);
        }
        arena
    }
}

impl<T> Index<Id<T>> for Arena<T> {
    type Output = T;
    fn index(&self, id: Id<T>) -> &T {
        &self.items[id.index()]
    }
}

impl<T> IndexMut<Id<T>> for Arena<T> {
    fn index_mut(&mut self, id: Id<T>) -> &mut T {
        &mut self.items[id.index()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arenas_and_tables_keep_order() {
        let mut names: Arena<&str> = ["a", "b"].into_iter().collect();
        let c = names.push("c");
        assert_eq!((c.index(), names[c], names.len(), format!("{c:?}")), (2, "c", 3, "#2".to_owned()));
        assert_eq!(names.get(Id::new(3)), None);
        assert_eq!(names.ids().rev().map(Id::index).collect::<Vec<_>>(), [2, 1, 0]);
        names.iter_mut().for_each(|(_, name)| *name = "x");
        assert_eq!(names.as_slice(), ["x"; 3]);
    }

    #[test]
    fn an_id_is_four_bytes() {
        assert_eq!(size_of::<Id<String>>(), 4);
    }
}
