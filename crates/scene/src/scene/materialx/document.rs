//! XML with places.

use crate::scene::code;
use crate::scene::text::complain::Complaints;
use crate::scene::text::syntax::Place;
use crate::source::did_you_mean;

pub(super) type Element<'d> = roxmltree::Node<'d, 'd>;

/// Elements, attributes' values and texts of one file; 2 MB of text can hold more.
const NODES_MAX: u32 = 200_000;
/// Elements in elements; a node in a graph is the third.
const DEPTH_MAX: usize = 32;

/// Reads a text. What is no MaterialX is reported.
pub(super) fn parse<'t>(text: &'t str, source: u32, found: &mut Complaints) -> Option<roxmltree::Document<'t>> {
    if let Some(at) = too_deep(text) {
        let place = Place::new(source, at..at + 1);
        found.add(code::BAD_MATERIALX, place, format!("elements are nested more than {DEPTH_MAX} deep"), None);
        return None;
    }
    let options = roxmltree::ParsingOptions { nodes_limit: NODES_MAX, ..Default::default() };
    let xml = match roxmltree::Document::parse_with_options(text, options) {
        Ok(xml) => xml,
        Err(error) => {
            let at = offset(text, error.pos());
            // Its words end in the line and column.
            let words = error.to_string();
            let words = words.split(" at ").next().unwrap_or("not XML").to_string();
            let end = at + text[at..].chars().next().map_or(0, char::len_utf8);
            found.add(code::BAD_MATERIALX, Place::new(source, at..end), format!("not XML: {words}"), None);
            return None;
        }
    };
    let root = xml.root_element();
    if root.tag_name().name() != "materialx" {
        let message =
            format!("not a MaterialX file, which begins with `materialx`: this one with `{}`", root.tag_name().name());
        let place = File { root, source }.start(root);
        found.add(code::BAD_MATERIALX, place, message, None);
        return None;
    }
    Some(xml)
}

/// Where elements are nested too deep. The reader recurses, so this looks at the text alone; comments and quoted `<`
/// can only make it stricter.
fn too_deep(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut depth = 0usize;
    for (at, byte) in bytes.iter().enumerate() {
        match (byte, bytes.get(at + 1)) {
            (b'<', Some(b'/')) => depth = depth.saturating_sub(1),
            (b'<', Some(b'!' | b'?')) => {}
            (b'<', _) => depth += 1,
            (b'/', Some(b'>')) => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > DEPTH_MAX {
            return Some(at);
        }
    }
    None
}

fn offset(text: &str, at: roxmltree::TextPos) -> usize {
    let line = text.split_inclusive('\n').take(at.row.saturating_sub(1) as usize).map(str::len).sum::<usize>();
    let column = text.get(line..).unwrap_or("").char_indices().nth(at.col.saturating_sub(1) as usize);
    column.map_or(text.len(), |(column, _)| line + column)
}

/// A text of the file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Word<'d> {
    pub text: &'d str,
    pub place: Place,
}

#[derive(Clone, Copy)]
pub(super) struct File<'d> {
    pub root: Element<'d>,
    pub source: u32,
}

impl<'d> File<'d> {
    pub fn word(self, element: Element<'d>, attribute: &str) -> Option<Word<'d>> {
        let found = element.attribute_node(attribute)?;
        Some(Word { text: found.value(), place: Place::new(self.source, found.range_value()) })
    }

    /// Where an element is named.
    pub fn place(self, element: Element<'d>) -> Place {
        self.word(element, "name").map_or_else(|| self.start(element), |name| name.place)
    }

    /// The name of an element's kind.
    fn start(self, element: Element<'d>) -> Place {
        let start = element.range().start + 1;
        Place::new(self.source, start..start + element.tag_name().name().len())
    }

    /// The child of a scope that has a name.
    pub fn named(self, scope: Element<'d>, name: &str) -> Option<Element<'d>> {
        elements(scope).find(|element| element.attribute("name") == Some(name) && !is_input(*element))
    }

    /// An input of an element; MaterialX 1.36 called those that are uniform parameters.
    pub fn input(self, element: Element<'d>, name: &str) -> Option<Element<'d>> {
        elements(element).find(|child| is_input(*child) && child.attribute("name") == Some(name))
    }

    pub fn inputs(self, element: Element<'d>) -> impl Iterator<Item = Element<'d>> {
        elements(element).filter(|child| is_input(*child))
    }

    /// What an element or one around it says.
    pub fn inherited(self, element: Element<'d>, attribute: &str) -> Option<&'d str> {
        element.ancestors().find_map(|element| element.attribute(attribute))
    }

    /// The prefix of file names.
    pub fn file_prefix(self, element: Element<'d>) -> String {
        // The outermost comes first, and each is added to the others.
        let mut parts: Vec<&str> = element.ancestors().filter_map(|element| element.attribute("fileprefix")).collect();
        parts.reverse();
        parts.concat()
    }

    /// Every material with its surface shader.
    pub fn materials(self, found: &mut Complaints) -> Vec<(Word<'d>, Element<'d>)> {
        let mut out = Vec::new();
        let mut others = 0;
        for element in elements(self.root) {
            let kind = element.tag_name().name();
            if kind == "include" {
                let message = "a MaterialX file in another is not read".to_string();
                let help = Some("name both files in `include` of the scene".into());
                found.add(code::NOT_SHOWN, self.start(element), message, help);
            }
            if kind == "material" {
                let message = "a material of MaterialX 1.36 is not read".to_string();
                let help = Some("write `surfacematerial`, as MaterialX 1.37 and later do".into());
                found.add(code::NOT_SHOWN, self.start(element), message, help);
                others += 1;
            }
            if kind != "surfacematerial" {
                continue;
            }
            others += 1;
            let Some(name) = self.word(element, "name").filter(|name| !name.text.is_empty()) else {
                found.add(code::EMPTY_NAME, self.start(element), "a material without a name", None);
                continue;
            };
            for input in self.inputs(element) {
                let input_name = input.attribute("name").unwrap_or_default();
                if input_name != "surfaceshader" {
                    let message = format!("`{input_name}` of material `{}` is not shown", name.text);
                    found.add(code::NOT_SHOWN, self.place(input), message, None);
                }
            }
            if let Some(shader) = self.shader_of(element, name, found) {
                out.push((name, shader));
            }
        }
        if others == 0 {
            let place = self.start(self.root);
            let help = Some("add a `surfacematerial` that names a surface shader".into());
            found.add(code::BAD_MATERIALX, place, "the file has no material", help);
        }
        out
    }

    fn shader_of(self, material: Element<'d>, name: Word<'d>, found: &mut Complaints) -> Option<Element<'d>> {
        let input = self.input(material, "surfaceshader");
        let Some(node) = input.and_then(|input| self.word(input, "nodename")) else {
            let message = format!("material `{}` names no surface shader", name.text);
            let help = Some("add `<input name=\"surfaceshader\" type=\"surfaceshader\" nodename=\"...\"/>`".into());
            found.add(code::MISSING_KEY, name.place, message, help);
            return None;
        };
        let shader = self.named(self.root, node.text);
        if shader.is_none() {
            self.unknown(self.root, node, found);
        }
        shader
    }

    /// Reports a name that nothing has.
    pub fn unknown(self, scope: Element<'d>, name: Word<'d>, found: &mut Complaints) {
        let others = elements(scope).filter(|element| !is_input(*element)).filter_map(|e| e.attribute("name"));
        let help = did_you_mean(name.text, others).map(|near| format!("did you mean `{near}`?"));
        found.add(code::UNKNOWN_PART, name.place, format!("no node is called `{}`", name.text), help);
    }
}

pub(super) fn elements<'d>(of: Element<'d>) -> impl Iterator<Item = Element<'d>> {
    of.children().filter(|child| child.is_element())
}

fn is_input(element: Element<'_>) -> bool {
    matches!(element.tag_name().name(), "input" | "parameter")
}
