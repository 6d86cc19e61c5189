//! Shrink: a scene made small while it still does what is asked.
//!
//! In: a scene's text, and a question. Out: the smallest text found that the answer is still yes for. What is tried
//! knows TOML and a few words of scenes, not what they mean: a scene that does not resolve is no answer.
//!
//! Source: Zeller and Hildebrandt 2002, "Simplifying and isolating failure-inducing input" (ddmin), over the tree of
//! the document from the root down, as Misherghi and Su 2006, "HDD: hierarchical delta debugging".

use toml_edit::{Array, DocumentMut, InlineTable, Item, Table, Value};

/// What became of a scene.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shrunk {
    pub text: String,
    /// How often the question was asked.
    pub tries: usize,
    /// Whether nothing that is tried makes it smaller still; else time was up.
    pub is_smallest: bool,
}

/// Whoever answers.
pub trait Question {
    /// Whether a scene's text still does what is asked. A text that is no scene does not.
    fn holds(&mut self, text: &str) -> bool;

    /// Whether there is time to go on.
    fn has_time(&mut self) -> bool;
}

/// The smallest scene found. `text` itself must be TOML, and hold.
pub fn shrink(text: &str, question: &mut dyn Question) -> Shrunk {
    let document: DocumentMut = text.parse().expect("a scene that resolves is TOML");
    let mut search = Search { document, question, tries: 0, out_of_time: false };
    loop {
        let before = search.document.to_string();
        // First, since every try is faster then.
        while halved_size(&search.document).is_some_and(|edit| search.try_all(&[edit])) {}
        search.remove_from_the_root_down();
        search.minimise(plain_models(&search.document));
        let numbers = short_numbers(&mut search.document);
        search.minimise(numbers);
        if search.out_of_time || search.document.to_string() == before {
            break;
        }
    }
    Shrunk { text: search.document.to_string(), tries: search.tries, is_smallest: !search.out_of_time }
}

/// A step from a table or list to what lies in it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Step {
    Key(String),
    At(usize),
}

type Path = Vec<Step>;

/// One thing that is tried.
#[derive(Clone, Debug)]
enum Edit {
    Remove(Path),
    Set(Path, Value),
    /// A value under another key.
    Replace(Path, &'static str, Value),
}

impl Edit {
    fn path(&self) -> &Path {
        match self {
            Edit::Remove(path) | Edit::Set(path, _) | Edit::Replace(path, ..) => path,
        }
    }
}

struct Search<'a> {
    document: DocumentMut,
    question: &'a mut dyn Question,
    tries: usize,
    out_of_time: bool,
}

impl Search<'_> {
    /// Every table and list, the outer ones first: which of its parts can go?
    fn remove_from_the_root_down(&mut self) {
        let mut wave = vec![Path::new()];
        while !wave.is_empty() {
            let mut next = Vec::new();
            // Backwards, so that the numbers of those that come do not change.
            for path in wave.iter().rev() {
                // Without a size the picture would be of the default one, which is larger than most.
                let parts =
                    children(&mut self.document, path).into_iter().filter(|part| !size_path().starts_with(part));
                self.minimise(parts.map(Edit::Remove).collect());
                next.extend(children(&mut self.document, path));
            }
            next.sort();
            wave = next;
        }
    }

    /// Does as many of `edits` as the question allows: in halves, quarters ... one by one, from the end.
    fn minimise(&mut self, mut edits: Vec<Edit>) {
        let mut size = edits.len();
        while size > 0 {
            let mut end = edits.len();
            while end > 0 {
                let start = end.saturating_sub(size);
                if self.try_all(&edits[start..end]) {
                    let gone: Vec<Edit> = edits.drain(start..end).collect();
                    // The last first, as its number is still the one it had.
                    gone.iter().rev().for_each(|edit| renumber(&mut edits, edit));
                }
                if self.out_of_time {
                    return;
                }
                end = start;
            }
            size = if size == 1 { 0 } else { size.div_ceil(2) };
        }
    }

    fn try_all(&mut self, edits: &[Edit]) -> bool {
        if !self.question.has_time() {
            self.out_of_time = true;
            return false;
        }
        let mut tried = self.document.clone();
        edits.iter().rev().for_each(|edit| apply(&mut tried, edit));
        self.tries += 1;
        let holds = self.question.holds(&tried.to_string());
        if holds {
            self.document = tried;
        }
        holds
    }
}

/// Where something was removed from a list, what came behind has another number.
fn renumber(edits: &mut [Edit], gone: &Edit) {
    let Edit::Remove(gone) = gone else { return };
    let Some((Step::At(index), list)) = gone.split_last() else { return };
    for edit in edits {
        let (Edit::Remove(path) | Edit::Set(path, _) | Edit::Replace(path, ..)) = edit;
        if path.starts_with(list)
            && let Some(Step::At(at)) = path.get_mut(list.len())
            && *at > *index
        {
            *at -= 1;
        }
    }
}

/// A place in a document: tables and lists come in two forms, as sections and within a line.
enum Place<'a> {
    Item(&'a mut Item),
    Table(&'a mut Table),
    Value(&'a mut Value),
}

fn at<'a>(document: &'a mut DocumentMut, path: &[Step]) -> Option<Place<'a>> {
    let mut place = Place::Table(document.as_table_mut());
    for step in path {
        place = match (place, step) {
            (Place::Table(table), Step::Key(key)) => Place::Item(table.get_mut(key)?),
            (Place::Item(Item::Table(table)), Step::Key(key)) => Place::Item(table.get_mut(key)?),
            (Place::Item(Item::ArrayOfTables(list)), Step::At(index)) => Place::Table(list.get_mut(*index)?),
            (Place::Item(Item::Value(value)) | Place::Value(value), step) => Place::Value(match (value, step) {
                (Value::InlineTable(table), Step::Key(key)) => table.get_mut(key)?,
                (Value::Array(list), Step::At(index)) => list.get_mut(*index)?,
                _ => return None,
            }),
            _ => return None,
        };
    }
    Some(place)
}

/// What lies in a table, and in a list of tables or lists. A list of numbers is one value.
fn children(document: &mut DocumentMut, path: &Path) -> Vec<Path> {
    let key = |key: &str| [path.clone(), vec![Step::Key(key.to_string())]].concat();
    let index = |index: usize| [path.clone(), vec![Step::At(index)]].concat();
    let in_line = |table: &InlineTable| table.iter().map(|(name, _)| key(name)).collect();
    let listed = |list: &Array| match list.iter().all(|value| value.is_array() || value.is_inline_table()) {
        true => (0..list.len()).map(index).collect(),
        false => Vec::new(),
    };
    match at(document, path) {
        Some(Place::Table(table) | Place::Item(Item::Table(table))) => {
            table.iter().map(|(name, _)| key(name)).collect()
        }
        Some(Place::Item(Item::ArrayOfTables(list))) => (0..list.len()).map(index).collect(),
        Some(Place::Item(Item::Value(Value::InlineTable(table))) | Place::Value(Value::InlineTable(table))) => {
            in_line(table)
        }
        Some(Place::Item(Item::Value(Value::Array(list))) | Place::Value(Value::Array(list))) => listed(list),
        _ => Vec::new(),
    }
}

fn apply(document: &mut DocumentMut, edit: &Edit) {
    let (last, parent) = edit.path().split_last().expect("the root is not tried");
    let Some(place) = at(document, parent) else { return };
    match edit {
        Edit::Remove(_) => remove(place, last),
        Edit::Set(_, value) => match at(document, edit.path()) {
            Some(Place::Item(item)) => *item = Item::Value(value.clone()),
            Some(Place::Value(old)) => *old = value.clone(),
            _ => {}
        },
        Edit::Replace(_, key, value) => {
            if let Place::Table(table) | Place::Item(Item::Table(table)) = place
                && let Step::Key(old) = last
            {
                table.remove(old);
                table.insert(key, Item::Value(value.clone()));
            }
        }
    }
}

fn remove(place: Place<'_>, step: &Step) {
    match (place, step) {
        (Place::Table(table) | Place::Item(Item::Table(table)), Step::Key(key)) => drop(table.remove(key)),
        (Place::Item(Item::ArrayOfTables(list)), Step::At(index)) => drop(list.remove(*index)),
        (Place::Item(Item::Value(value)) | Place::Value(value), step) => match (value, step) {
            (Value::InlineTable(table), Step::Key(key)) => drop(table.remove(key)),
            (Value::Array(list), Step::At(index)) => drop(list.remove(*index)),
            _ => {}
        },
        _ => {}
    }
}

/// Models become spheres: a file less, and far fewer triangles.
fn plain_models(document: &DocumentMut) -> Vec<Edit> {
    let nodes = document.get("node").and_then(Item::as_array_of_tables);
    let with_models = nodes.into_iter().flatten().enumerate().filter(|(_, node)| node.contains_key("model"));
    let edit = |(index, _): (usize, &Table)| {
        let path = vec![Step::Key("node".into()), Step::At(index), Step::Key("model".into())];
        Edit::Replace(path, "shape", Value::from("sphere"))
    };
    with_models.map(edit).collect()
}

/// Half as many pixels each way; `None` where there are but a few.
fn halved_size(document: &DocumentMut) -> Option<Edit> {
    let size = document.get("output")?.get("size_px")?.as_array()?;
    let sides: Vec<i64> = size.iter().filter_map(Value::as_integer).collect();
    let halved = sides.iter().map(|side| (side / 2).max(1)).collect();
    sides.iter().any(|side| *side > 4).then(|| Edit::Set(size_path(), Value::Array(halved)))
}

fn size_path() -> Path {
    vec![Step::Key("output".into()), Step::Key("size_px".into())]
}

/// Every number with many digits with at most two behind the point.
fn short_numbers(document: &mut DocumentMut) -> Vec<Edit> {
    let mut out = Vec::new();
    let mut open = vec![Path::new()];
    while let Some(path) = open.pop() {
        let inner = children(document, &path);
        if inner.is_empty() {
            out.extend(short(document, path));
        } else {
            open.extend(inner);
        }
    }
    out
}

fn short(document: &mut DocumentMut, path: Path) -> Option<Edit> {
    let (Place::Item(Item::Value(value)) | Place::Value(value)) = at(document, &path)? else { return None };
    // Adding 0 makes the negative zero plain.
    let rounded = |number: f64| (number * 100.0).round() / 100.0 + 0.0;
    let new = match value {
        Value::Float(number) => Value::from(rounded(*number.value())),
        Value::Array(list) if list.iter().all(Value::is_float) => {
            list.iter().filter_map(Value::as_float).map(rounded).collect()
        }
        _ => return None,
    };
    (new.to_string().len() < value.to_string().trim().len()).then_some(Edit::Set(path, new))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A question that is answered so often.
    struct Asked<'a>(&'a dyn Fn(&str) -> bool, usize);

    impl Question for Asked<'_> {
        fn holds(&mut self, text: &str) -> bool {
            (self.0)(text)
        }

        fn has_time(&mut self) -> bool {
            self.1 = self.1.saturating_sub(1);
            self.1 > 0
        }
    }

    fn many_nodes() -> String {
        let nodes = (0..200).map(|n| {
            format!("[[node]]\nname = \"n{n}\"\nmodel = \"m\"\nposition = [{n}.123456, 0.0, 0.0]\ntrack = {{ keys = [[0.0, {n}.5], [1.0, 2.0]] }}\n")
        });
        format!(
            "title = \"x\"\n[output]\nsize_px = [640, 480]\n[camera.main]\nfov_y_deg = 30.0\n[camera.other]\n{}",
            nodes.collect::<String>()
        )
    }

    #[test]
    fn what_is_not_asked_for_goes() {
        let shrunk = shrink(
            &many_nodes(),
            &mut Asked(
                &|text| ["n17\"", "n150\"", "[camera.main]", "17.5", "size_px"].iter().all(|word| text.contains(word)),
                2000,
            ),
        );
        assert!(shrunk.is_smallest && shrunk.tries < 400, "{}", shrunk.tries);
        let document: DocumentMut = shrunk.text.parse().unwrap();
        let nodes = document["node"].as_array_of_tables().unwrap();
        assert_eq!(nodes.len(), 2, "{}", shrunk.text);
        assert!(!shrunk.text.contains("title") && !shrunk.text.contains("[camera.other]"), "{}", shrunk.text);
        assert!(shrunk.text.contains("keys = [[0.0, 17.5]]"), "one key of one node's track is left: {}", shrunk.text);
        assert!(shrunk.text.contains("size_px = [2, 1]"), "{}", shrunk.text);
    }

    #[test]
    fn models_and_numbers_become_plain() {
        let is_enough = |text: &str| {
            text.contains("position = [3.12") && (text.contains("model = \"m\"") || text.contains("shape = \"sphere\""))
        };
        let shrunk = shrink(&many_nodes(), &mut Asked(&is_enough, 2000));
        assert!(shrunk.text.contains("shape = \"sphere\"") && !shrunk.text.contains("model"), "{}", shrunk.text);
        assert!(shrunk.text.contains("position = [3.12, 0.0, 0.0]"), "{}", shrunk.text);
    }

    #[test]
    fn time_ends() {
        let text = many_nodes();
        let shrunk = shrink(&text, &mut Asked(&|text| text.contains("n17\""), 3));
        assert!(!shrunk.is_smallest && shrunk.tries <= 3);
        assert!(shrunk.text.contains("n17\""));
    }
}
