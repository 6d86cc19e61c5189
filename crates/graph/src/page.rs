//! Page: the tables of nodes in docs/materials.md.

use std::fmt::Write;

use crate::graph::REFUSED;
use crate::node::FAMILIES;
use crate::row::{Default, Pin, Row, Setting, Width};

/// Every node as Markdown, one table a family.
pub fn markdown() -> String {
    let mut out = String::new();
    for family in &FAMILIES {
        _ = write!(
            out,
            "### {}\n\n| node | inputs | outputs | meaning | source |\n| --- | --- | --- | --- | --- |\n",
            family.title
        );
        for row in family.rows {
            _ = writeln!(
                out,
                "| `{}` | {} | {} | {}. | {} |",
                row.word,
                inputs(row),
                outputs(row),
                row.doc.trim_end_matches('.'),
                row.source
            );
        }
        out.push('\n');
    }
    out.push_str("### Nodes that materials do not have\n\n| node | why | instead |\n| --- | --- | --- |\n");
    for refused in &REFUSED {
        _ = writeln!(out, "| `{}` | It {}. | {}. |", refused.word, refused.why, capital(refused.instead));
    }
    out
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

fn inputs(row: &Row) -> String {
    let mut parts: Vec<String> = row.inputs.iter().map(pin).collect();
    let setting = match row.setting {
        Setting::None | Setting::Time => None,
        Setting::Value => Some("`value` (1 to 4 numbers, or a colour)"),
        Setting::Number => Some("`value` (number; moves)"),
        Setting::Color => Some("`value` (colour; moves)"),
        Setting::Switch => Some("`on` (`true`, `false`)"),
        Setting::UvSet => Some("`set` (0 or 1)"),
        Setting::Octaves => Some("`octaves` (1 to 8)"),
        Setting::Texture => Some("`texture` (file, or a table)"),
    };
    parts.extend(setting.map(str::to_string));
    if parts.is_empty() { "none".to_string() } else { parts.join(", ") }
}

fn pin(pin: &Pin) -> String {
    let width = width(pin.width);
    let default = match pin.default {
        Default::Required => String::new(),
        Default::Number(number) => format!(", {number:?}"),
        Default::Vector(numbers) => {
            format!(", {}", numbers.iter().map(|n| format!("{n:?}")).collect::<Vec<_>>().join(" "))
        }
        Default::Geometry(geometry) => format!(", {}", geometry.doc()),
    };
    format!("`{}` ({width}{default})", pin.name)
}

fn outputs(row: &Row) -> String {
    let each = row.outputs.iter().map(|out| format!("`{}` ({})", out.name, width(out.width)));
    each.collect::<Vec<_>>().join(", ")
}

fn width(width: Width) -> String {
    match width {
        Width::Fixed(width) => width.to_string(),
        Width::Widest => "widest".to_string(),
    }
}
