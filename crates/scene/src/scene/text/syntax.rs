//! Syntax: what was written, with places; nothing is checked yet.

/// Where something was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    /// 0 is the scene file; then the `n`th `--set`; then the included files.
    pub source: u32,
    pub start: u32,
    pub end: u32,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Value {
    pub kind: Kind,
    pub place: Place,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Kind {
    Text(String),
    Whole(i64),
    Float(f64),
    Bool(bool),
    /// Scenes have no use for dates.
    Date,
    /// What named a parameter that gave no value; that has been reported.
    Missing,
    List(Vec<Value>),
    Table(Table),
}

/// Keys in the order of the file.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Table {
    pub entries: Vec<Entry>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Entry {
    pub key: String,
    pub key_place: Place,
    pub value: Value,
}

impl Place {
    pub fn new(source: u32, span: std::ops::Range<usize>) -> Place {
        Place { source, start: span.start as u32, end: span.end as u32 }
    }

    /// The place of a part of a text that stands here; of all of it where escapes or the like hide which part that is.
    pub fn inside(self, text: &str, part: std::ops::Range<usize>) -> Place {
        // In one quote on each side.
        let exact = self.end.saturating_sub(self.start) as usize == text.len() + 2;
        if !exact || part.is_empty() {
            return self;
        }
        let start = self.start + 1 + part.start as u32;
        Place { start, end: start + part.len() as u32, ..self }
    }

    pub fn span(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }
}

impl Table {
    pub fn entry(&self, key: &str) -> Option<&Entry> {
        self.entries.iter().find(|e| e.key == key)
    }

    pub fn value(&self, key: &str) -> Option<&Value> {
        self.entry(key).map(|e| &e.value)
    }

    pub fn table(&self, key: &str) -> Option<&Table> {
        match &self.value(key)?.kind {
            Kind::Table(table) => Some(table),
            _ => None,
        }
    }

    /// `(name, place of the name, table)` of every table under `key`, in the order of the file: `[camera.main]`.
    pub fn named(&self, key: &str) -> impl Iterator<Item = (&str, Place, &Table)> {
        let entries = self.table(key).map_or(&[][..], |t| &t.entries[..]);
        entries.iter().filter_map(|e| match &e.value.kind {
            Kind::Table(table) => Some((e.key.as_str(), e.key_place, table)),
            _ => None,
        })
    }

    /// `(place, table)` of every table in the list under `key`: `[[node]]`.
    pub fn list(&self, key: &str) -> impl Iterator<Item = (Place, &Table)> {
        let values = match self.value(key).map(|v| &v.kind) {
            Some(Kind::List(values)) => &values[..],
            _ => &[],
        };
        values.iter().filter_map(|v| match &v.kind {
            Kind::Table(table) => Some((v.place, table)),
            _ => None,
        })
    }
}

impl Kind {
    /// What it is, for messages.
    pub fn name(&self) -> &'static str {
        match self {
            Kind::Text(_) => "a text",
            Kind::Whole(_) => "a whole number",
            Kind::Float(_) => "a number",
            Kind::Bool(_) => "true or false",
            Kind::Date => "a date",
            Kind::Missing => "nothing",
            Kind::List(_) => "a list",
            Kind::Table(_) => "a table",
        }
    }

    /// Whole numbers are numbers.
    pub fn number(&self) -> Option<f64> {
        match self {
            Kind::Whole(n) => Some(*n as f64),
            Kind::Float(x) => Some(*x),
            _ => None,
        }
    }

    pub fn text(&self) -> Option<&str> {
        match self {
            Kind::Text(text) => Some(text),
            _ => None,
        }
    }
}
