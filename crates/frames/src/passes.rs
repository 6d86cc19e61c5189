//! Passes: the hashes of everything a frame wrote on its way, so that a difference can be traced to where it began.
//!
//! Text form, a pass a line in the order they ran, below it the state after each of its draws where these were looked
//! at:
//!
//! ```text
//! b3:HEX  sun map 0
//!   b3:HEX  fence/post_7 <tab> wood <tab> depth opaque
//! b3:HEX  encode
//! ```
//!
//! The root is the identity of the lines of passes; draws explain, and may be left out.

use crate::PixelHash;
use crate::run::Place;

/// What one pass wrote.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PassHash {
    pub name: String,
    pub hash: PixelHash,
    /// After each draw, in order; empty where nobody looked.
    pub draws: Vec<DrawHash>,
}

/// What a pass had written after one of its draws.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DrawHash {
    pub hash: PixelHash,
    /// What was drawn.
    pub node: String,
    pub material: String,
    /// Shader and state.
    pub pipeline: String,
}

/// The text form.
pub fn print_passes(passes: &[PassHash]) -> String {
    let mut out = String::new();
    for pass in passes {
        out.push_str(&format!("{}  {}\n", pass.hash, clean(&pass.name)));
        for draw in &pass.draws {
            let [node, material, pipeline] = [&draw.node, &draw.material, &draw.pipeline].map(|text| clean(text));
            out.push_str(&format!("  {}  {node}\t{material}\t{pipeline}\n", draw.hash));
        }
    }
    out
}

/// Names are free, lines are not.
fn clean(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// Reads the text form.
///
/// Errors: the number of the first line that is none, from 1.
pub fn parse_passes(text: &str) -> Result<Vec<PassHash>, usize> {
    let mut out: Vec<PassHash> = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let bad = index + 1;
        let (hash, rest) = line.trim_start().split_once("  ").ok_or(bad)?;
        let hash = hash.parse().map_err(|_| bad)?;
        if line.starts_with(' ') {
            let mut parts = rest.split('\t').map(str::to_string);
            let mut next = || parts.next().ok_or(bad);
            let draw = DrawHash { hash, node: next()?, material: next()?, pipeline: next()? };
            out.last_mut().ok_or(bad)?.draws.push(draw);
        } else {
            out.push(PassHash { name: rest.to_string(), hash, draws: Vec::new() });
        }
    }
    Ok(out)
}

/// Identity of what all passes wrote, whether draws were looked at or not.
pub fn passes_root(text: &str) -> PixelHash {
    let lines: String = text.lines().filter(|line| !line.starts_with(' ')).map(|line| format!("{line}\n")).collect();
    PixelHash::of_text(&lines)
}

/// The first pass whose output is not the old one's, and the first draw of it where both sides know their draws.
/// Passes are matched by name; one that the other side lacks differs.
pub fn first_difference(old: &[PassHash], new: &[PassHash]) -> Option<(Place, Option<Place>)> {
    let place = |index: usize, count: usize, name: &str| Place {
        index: index as u32,
        count: count as u32,
        name: name.to_string(),
        pipeline: String::new(),
    };
    for (index, pass) in new.iter().enumerate() {
        let was = old.iter().find(|was| was.name == pass.name);
        if was.is_some_and(|was| was.hash == pass.hash) {
            continue;
        }
        let draw = was.and_then(|was| first_draw(&was.draws, &pass.draws));
        return Some((place(index, new.len(), &pass.name), draw));
    }
    let lost = |was: &&PassHash| new.iter().all(|pass| pass.name != was.name);
    let (index, lost) = old.iter().enumerate().find(|(_, was)| lost(was))?;
    Some((place(index, old.len(), &lost.name), None))
}

fn first_draw(old: &[DrawHash], new: &[DrawHash]) -> Option<Place> {
    if old.is_empty() || new.is_empty() {
        return None;
    }
    let differs = (0..old.len().max(new.len())).find(|&i| old.get(i).map(|d| d.hash) != new.get(i).map(|d| d.hash))?;
    // A draw that is gone goes by its old name.
    let draw = new.get(differs).or(old.get(differs))?;
    Some(Place {
        index: differs as u32,
        count: new.len() as u32,
        name: if draw.material.is_empty() { draw.node.clone() } else { format!("{} ({})", draw.node, draw.material) },
        pipeline: draw.pipeline.clone(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn draw(byte: u8, node: &str) -> DrawHash {
        DrawHash {
            hash: PixelHash([byte; 32]),
            node: node.into(),
            material: "wood".into(),
            pipeline: "lit opaque".into(),
        }
    }

    fn pass(name: &str, byte: u8, draws: Vec<DrawHash>) -> PassHash {
        PassHash { name: name.into(), hash: PixelHash([byte; 32]), draws }
    }

    #[test]
    fn what_is_printed_is_read() {
        let passes = vec![pass("sun map 0", 1, vec![draw(7, "a b/c"), draw(1, "d\te")]), pass("encode", 2, vec![])];
        let text = print_passes(&passes);
        let read = parse_passes(&text).unwrap();
        assert_eq!(read[0].draws[1].node, "d e");
        assert_eq!(print_passes(&read), text);
        assert_eq!(parse_passes("b3:00  x\n"), Err(1));
        assert_eq!(parse_passes(&format!("  {}", text.lines().next().unwrap())), Err(1));
        let plain: Vec<_> = passes.iter().map(|p| PassHash { draws: vec![], ..p.clone() }).collect();
        assert_eq!(passes_root(&print_passes(&plain)), passes_root(&text));
        assert_ne!(passes_root(&print_passes(&plain[..1])), passes_root(&text));
    }

    #[test]
    fn the_first_pass_and_draw_are_named() {
        let old =
            vec![pass("map", 1, vec![]), pass("scene", 2, vec![draw(1, "a"), draw(2, "b")]), pass("encode", 3, vec![])];
        let with = |at: usize, other: PassHash| {
            let mut new = old.clone();
            new[at] = other;
            new
        };
        assert_eq!(first_difference(&old, &old), None);
        let new = with(1, pass("scene", 9, vec![draw(1, "a"), draw(9, "b")]));
        let (pass_place, draw_place) = first_difference(&old, &new).unwrap();
        assert_eq!((pass_place.index, pass_place.count, pass_place.name.as_str()), (1, 3, "scene"));
        let draw_place = draw_place.unwrap();
        assert_eq!((draw_place.index, draw_place.name.as_str()), (1, "b (wood)"));
        let (place, draw) = first_difference(&old, &with(0, pass("map", 8, vec![draw(8, "x")]))).unwrap();
        assert_eq!((place.name.as_str(), draw), ("map", None), "the old side knows no draws");
        let (place, _) = first_difference(&old, &old[1..]).unwrap();
        assert_eq!(place.name, "map", "a pass that is gone");
        let (place, _) = first_difference(&old[..2], &old).unwrap();
        assert_eq!(place.name, "encode", "a pass that is new");
    }
}
