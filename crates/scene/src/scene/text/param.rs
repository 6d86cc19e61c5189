//! `[param]`: values with names, and the texts that stand for them.
//!
//! `"$sun"` is the value of the parameter `sun`, whatever it is; `"$(sun / 2 + 10)"` is computed. A text that shall
//! begin with a dollar sign begins with two. All of it is replaced before anything is checked, so that every value may
//! be a parameter.

use std::collections::BTreeMap;

use crate::scene::code;
use crate::scene::text::complain::Complaints;
use crate::scene::text::formula::{Number, compute};
use crate::scene::text::parse::each_place;
use crate::scene::text::syntax::{Entry, Kind, Place, Table, Value};
use crate::source::did_you_mean;

/// Bytes of a parameter's text, and values of its list: a parameter may be used often.
const TEXT_MAX_BYTES: usize = 1000;
const VALUES_MAX: usize = 64;

/// The parameters of a scene.
#[derive(Debug, Default)]
pub(crate) struct Params {
    list: Vec<Param>,
    /// Positions in the list by name; of two with one name, which TOML does not allow, the last.
    at: BTreeMap<String, usize>,
    /// Places where one was put in, with what it was.
    filled: Vec<(Place, String)>,
    /// Places that no value could be put into, which has been reported.
    empty: Vec<Place>,
}

#[derive(Debug)]
struct Param {
    name: String,
    name_place: Place,
    value: Value,
    used: bool,
}

impl Params {
    /// Takes `[param]` out of `tree` and puts the values in wherever they are named.
    pub fn fill_in(tree: &mut Table, found: &mut Complaints) -> Params {
        let mut params = Params::default();
        let at = tree.entries.iter().position(|e| e.key == "param" && matches!(e.value.kind, Kind::Table(_)));
        if let Some(at) = at
            && let Kind::Table(table) = tree.entries.remove(at).value.kind
        {
            table.entries.into_iter().for_each(|entry| params.declare(entry, found));
        }
        for entry in &mut tree.entries {
            params.fill(&mut entry.value, found);
        }
        params
    }

    fn declare(&mut self, mut entry: Entry, found: &mut Complaints) {
        let plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
        if !entry.key.starts_with(|c: char| c.is_ascii_alphabetic()) || !entry.key.chars().all(plain) {
            let message = "a parameter's name must be letters, digits and `_`, starting with a letter";
            found.add(code::EMPTY_NAME, entry.key_place, message, None);
            return;
        }
        // Names that stand above may be used: no circle can arise.
        let before = found.list.len();
        self.fill(&mut entry.value, found);
        if found.list.len() == before {
            check_value(&entry.key, &entry.value, found);
        }
        // Known even where it is wrong, so that its uses are not reported as well.
        self.at.insert(entry.key.clone(), self.list.len());
        self.list.push(Param { name: entry.key, name_place: entry.key_place, value: entry.value, used: false });
    }

    /// Says beside complaints, from the `told`th on, which parameter stands behind a value, and takes back those about
    /// places that have been reported.
    pub fn explain(&self, found: &mut Complaints, told: usize) {
        let mut index = 0;
        found.list.retain_mut(|complaint| {
            index += 1;
            if index <= told {
                return true;
            }
            if let Some((_, words)) = self.filled.iter().find(|(at, _)| *at == complaint.place) {
                complaint.help = Some(match complaint.help.take() {
                    Some(help) => format!("{help} ({words})"),
                    None => words.clone(),
                });
            }
            !self.empty.contains(&complaint.place)
        });
    }

    pub fn value(&self, name: &str) -> Option<&Value> {
        self.at.get(name).map(|at| &self.list[*at].value)
    }

    pub fn mark_used(&mut self, name: &str) {
        if let Some(at) = self.at.get(name) {
            self.list[*at].used = true;
        }
    }

    /// Those of the scene file itself (source 0) that nothing uses; an included file may offer more than is wanted.
    pub fn tell_unused(&self, found: &mut Complaints) {
        for param in self.list.iter().filter(|p| !p.used && p.name_place.source == 0) {
            let message = format!("the parameter `{}` is not used", param.name);
            let help = Some(format!("write \"${}\" where its value is needed, or remove it", param.name));
            found.add(code::PARAM_UNUSED, param.name_place, message, help);
        }
    }

    fn fill(&mut self, value: &mut Value, found: &mut Complaints) {
        match &mut value.kind {
            Kind::List(values) => values.iter_mut().for_each(|v| self.fill(v, found)),
            Kind::Table(table) => table.entries.iter_mut().for_each(|e| self.fill(&mut e.value, found)),
            Kind::Text(text) if text.starts_with('$') => {
                if text.starts_with("$$") {
                    text.remove(0);
                    return;
                }
                let text = std::mem::take(text);
                if let Some(new) = self.stands_for(&text, value.place, found) {
                    if let Some(words) = words(&text, &new) {
                        self.filled.push((value.place, words));
                    }
                    let place = value.place;
                    *value = new;
                    each_place(value, &|_| place);
                } else {
                    value.kind = Kind::Missing;
                    self.empty.push(value.place);
                }
            }
            _ => {}
        }
    }

    /// The value of `$name` or `$(formula)`.
    fn stands_for(&mut self, text: &str, place: Place, found: &mut Complaints) -> Option<Value> {
        let rest = &text[1..];
        if let Some(formula) = rest.strip_prefix('(').and_then(|r| r.trim_end().strip_suffix(')')) {
            if text.len() > TEXT_MAX_BYTES {
                found.add(code::BAD_FORMULA, place, format!("a formula has at most {TEXT_MAX_BYTES} bytes"), None);
                return None;
            }
            return self.formula(formula, text, place, found);
        }
        let plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
        if rest.is_empty() || !rest.chars().all(plain) || !rest.starts_with(|c: char| c.is_ascii_alphabetic()) {
            let help = "write \"$name\" or \"$(name * 2)\"; to start a text with a dollar sign, write two";
            let shown: String = text.chars().take(40).collect();
            found.add(code::BAD_FORMULA, place, format!("`{shown}` is not a parameter's name"), Some(help.into()));
            return None;
        }
        let Some(at) = self.at.get(rest) else {
            if !found.is_full() {
                let help = self.near(rest);
                found.add(code::UNKNOWN_PARAM, place, format!("unknown parameter `{rest}`"), Some(help));
            }
            return None;
        };
        let param = &mut self.list[*at];
        param.used = true;
        // A wrong parameter has been reported where it stands.
        let sound = !matches!(param.value.kind, Kind::Missing | Kind::Table(_) | Kind::Date);
        sound.then(|| param.value.clone())
    }

    fn formula(&mut self, formula: &str, text: &str, place: Place, found: &mut Complaints) -> Option<Value> {
        let mut wrong = false;
        let (list, at) = (&mut self.list, &self.at);
        let result = compute(formula, &mut |name| {
            let Some(at) = at.get(name) else {
                return Err((format!("unknown parameter `{name}`"), true));
            };
            let param = &mut list[*at];
            param.used = true;
            match param.value.kind {
                Kind::Whole(n) => Ok(Number::Whole(n)),
                Kind::Float(x) => Ok(Number::Float(x)),
                Kind::Missing => {
                    wrong = true;
                    Ok(Number::Whole(1))
                }
                ref other => Err((format!("`{name}` is {}; formulas take numbers", other.name()), false)),
            }
        });
        // Behind `$(`.
        let inner = |at: std::ops::Range<usize>| place.inside(text, at.start + 2..at.end + 2);
        match result {
            _ if wrong => None,
            Ok(number) if number.float().is_finite() => {
                let kind = match number {
                    Number::Whole(n) => Kind::Whole(n),
                    Number::Float(x) => Kind::Float(x),
                };
                Some(Value { kind, place })
            }
            Ok(number) => {
                let message = format!("the formula gives {}; numbers must be finite", number.float());
                found.add(code::NOT_FINITE, place, message, None);
                None
            }
            Err(_) if found.is_full() => None,
            Err(error) => {
                let name = formula[error.at.clone()].to_string();
                let help = error.unknown.then(|| self.near(&name));
                let code = if error.unknown { code::UNKNOWN_PARAM } else { code::BAD_FORMULA };
                found.add(code, inner(error.at), error.message, help);
                None
            }
        }
    }

    fn near(&self, name: &str) -> String {
        let names = || self.list.iter().take(1000).map(|p| p.name.as_str());
        match did_you_mean(name, names()) {
            Some(near) => format!("did you mean `{near}`?"),
            None if self.list.is_empty() => "none is defined above; add it to [param], before those that use it".into(),
            None => {
                let known: Vec<String> = names().take(20).map(|n| format!("`{n}`")).collect();
                format!("known are {}; a parameter can use those above it", known.join(", "))
            }
        }
    }
}

fn check_value(name: &str, value: &Value, found: &mut Complaints) {
    let mut count = 0;
    if let Err((place, message)) = sound(name, value, &mut count, 0) {
        found.add(code::WRONG_TYPE, place, message, None);
    }
}

fn sound(name: &str, value: &Value, count: &mut usize, depth: usize) -> Result<(), (Place, String)> {
    *count += 1;
    let wrong = |message: String| Err((value.place, message));
    match &value.kind {
        _ if *count > VALUES_MAX => wrong(format!("the parameter `{name}` has more than {VALUES_MAX} values")),
        Kind::Text(text) if text.len() > TEXT_MAX_BYTES => {
            wrong(format!("the parameter `{name}` has more than {TEXT_MAX_BYTES} bytes"))
        }
        Kind::List(values) if depth < 2 => values.iter().try_for_each(|v| sound(name, v, count, depth + 1)),
        Kind::Table(_) | Kind::Date | Kind::List(_) => wrong(format!(
            "the parameter `{name}` is {}; expected a number, a text, true or false, or a list of them",
            if depth >= 2 { "a list in a list in a list" } else { value.kind.name() }
        )),
        _ => Ok(()),
    }
}

/// `"$sun" is 35.0`, for helps; `None` for values that are not told in a few letters.
fn words(text: &str, value: &Value) -> Option<String> {
    let shown = crate::scene::text::toml::value(value);
    (shown.len() <= 60 && text.len() <= 80).then(|| format!("`{text}` is {shown} here"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::text::parse::parse;

    fn filled(text: &str) -> (Table, Params, Complaints) {
        let mut tree = parse(text, 0, &mut 0).unwrap();
        let mut found = Complaints::default();
        let params = Params::fill_in(&mut tree, &mut found);
        (tree, params, found)
    }

    #[test]
    fn values_of_every_kind() {
        let (tree, _, found) = filled(
            "a = '$n'\nb = ['$x', '$$x', '$(n * 2)']\nc = { d = '$v' }\n[param]\nn = 3\nx = 'red'\nv = [1, '$n']\n",
        );
        assert!(found.list.is_empty(), "{found:?}");
        assert_eq!(tree.value("a").unwrap().kind, Kind::Whole(3));
        let Kind::List(b) = &tree.value("b").unwrap().kind else { panic!() };
        assert_eq!(b[0].kind.text(), Some("red"));
        assert_eq!(b[1].kind.text(), Some("$x"));
        assert_eq!(b[2].kind, Kind::Whole(6));
        let Kind::List(d) = &tree.table("c").unwrap().value("d").unwrap().kind else { panic!() };
        assert_eq!(d[1].kind, Kind::Whole(3));
        assert!(tree.entry("param").is_none());
    }

    #[test]
    fn mistakes_are_underlined() {
        for (text, code, at) in [
            ("a = '$m'\n[param]\nn = 1\n", code::UNKNOWN_PARAM, "'$m'"),
            ("a = '$(1 + m)'\n[param]\nn = 1\n", code::UNKNOWN_PARAM, "m"),
            ("a = '$(1 + )'\n", code::BAD_FORMULA, "'$(1 + )'"),
            ("a = '$'\n", code::BAD_FORMULA, "'$'"),
            ("a = '$-'\n", code::BAD_FORMULA, "'$-'"),
            ("a = '$(t)'\n[param]\nt = 'x'\n", code::BAD_FORMULA, "t"),
            ("a = '$(1/n)'\n[param]\nn = 0\n", code::NOT_FINITE, "'$(1/n)'"),
            ("[param]\nb = '$c'\nc = 1\n", code::UNKNOWN_PARAM, "'$c'"),
            ("[param]\n'a b' = 1\n", code::EMPTY_NAME, "'a b'"),
            ("a = '$t'\n[param]\nt = {}\n", code::WRONG_TYPE, "{}"),
        ] {
            let (_, _, found) = filled(text);
            let got: Vec<_> = found.list.iter().map(|c| (c.code, &text[c.place.span()])).collect();
            assert_eq!(got, [(code, at)], "{text}");
        }
    }

    #[test]
    fn unused_ones_are_told() {
        let (_, params, mut found) = filled("a = '$n'\n[param]\nn = 1\nm = '$n'\n");
        params.tell_unused(&mut found);
        assert_eq!(found.list.len(), 1);
        assert!(found.list[0].message.contains("`m`"));
    }
}
