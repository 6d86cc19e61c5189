//! Page: the table of docs/shadows.md, from the rows.

use super::ShadowTechnique;

/// One row a technique.
pub fn shadows_markdown() -> String {
    let mut out = "| `shadow` | lights | what it does | share of the light that arrives | source |\n\
                   | --- | --- | --- | --- | --- |\n"
        .to_string();
    for row in ShadowTechnique::ALL.iter().map(|technique| technique.row()) {
        let cells = [&format!("`{}`", row.name), row.serves.words(), row.doc, row.formula, row.source];
        out.push_str(&format!("| {} |\n", cells.join(" | ")));
    }
    out
}
