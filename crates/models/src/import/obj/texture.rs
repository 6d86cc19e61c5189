//! Maps of MTL files: their options, and pictures put together from several.

use super::super::flat;
use super::super::number::float;
use super::super::size::Size;
use crate::asset::{Image, Texels, TextureSlot, UvTransform, Wrap};

/// A map: its picture and how it is laid on.
#[derive(Clone, Debug, PartialEq)]
pub struct Map {
    pub name: String,
    offset: [f32; 2],
    scale: [f32; 2],
    clamp: bool,
    /// `-bm`, `-s` of some writers aside.
    pub strength: f32,
    /// `-imfchan`: 0 red to 3 alpha.
    pub channel: Option<usize>,
}

/// How many words follow an option. Of `-o`, `-s` and `-t` only numbers do, one to three.
const OPTIONS: [(&str, usize); 13] = [
    ("-o", 3),
    ("-s", 3),
    ("-t", 3),
    ("-mm", 2),
    ("-bm", 1),
    ("-clamp", 1),
    ("-imfchan", 1),
    ("-blendu", 1),
    ("-blendv", 1),
    ("-cc", 1),
    ("-boost", 1),
    ("-texres", 1),
    ("-type", 1),
];

impl Map {
    /// Options and the picture's name, which may hold blanks, in either order. `None` without a name.
    pub fn parse(text: &str) -> Option<Map> {
        let mut map =
            Map { name: String::new(), offset: [0.0; 2], scale: [1.0; 2], clamp: false, strength: 1.0, channel: None };
        let mut rest = text.trim();
        while rest.starts_with('-') {
            rest = map.option(rest);
        }
        // Some writers put options behind the name; names may hold words that begin with a dash.
        let mut name = rest;
        let is_option = |(at, _): &(usize, char)| {
            rest[..*at].ends_with(char::is_whitespace)
                && OPTIONS.iter().any(|(option, _)| word(&rest[*at..]).0 == *option)
        };
        if !rest.starts_with('"')
            && let Some((start, _)) = rest.char_indices().find(is_option)
        {
            let mut with_options = map.clone();
            let mut behind = &rest[start..];
            while behind.starts_with('-') {
                behind = with_options.option(behind);
            }
            // What does not end with an option is all name.
            if behind.is_empty() {
                name = rest[..start].trim_end();
                map = with_options;
            }
        } else if let Some((quoted, mut behind)) = rest.strip_prefix('"').and_then(|rest| rest.split_once('"')) {
            name = quoted;
            behind = behind.trim_start();
            while behind.starts_with('-') {
                behind = map.option(behind);
            }
        }
        map.name = name.trim_matches('"').to_string();
        (!map.name.is_empty()).then_some(map)
    }

    /// Reads the option at the start of a text. Out: what follows it.
    fn option<'t>(&mut self, text: &'t str) -> &'t str {
        let (option, mut rest) = word(text);
        let word_count = OPTIONS.iter().find(|(known, _)| *known == option).map_or(1, |(_, count)| *count);
        if matches!(option, "-o" | "-s" | "-t") {
            let mut values = [None; 3];
            for value in &mut values {
                let (text, after) = word(rest);
                let Some(number) = number(text) else { break };
                *value = Some(number);
                rest = after;
            }
            let default = if option == "-s" { 1.0 } else { 0.0 };
            let pair = [values[0].unwrap_or(default), values[1].unwrap_or(default)];
            match option {
                "-o" => self.offset = pair,
                "-s" => self.scale = pair,
                _ => {}
            }
            return rest;
        }
        for _ in 0..word_count {
            let (value, after) = word(rest);
            rest = after;
            match option {
                "-bm" => self.strength = number(value).unwrap_or(1.0),
                "-clamp" => self.clamp = value == "on",
                "-imfchan" => self.channel = "rgbm".find(value).filter(|_| value.len() == 1),
                _ => {}
            }
        }
        rest
    }

    /// v counts upwards in the file and downwards here: v' = 1 - ((1 - v) * scale + offset).
    pub fn slot(&self, image: usize) -> TextureSlot {
        let plain = flat::texture(image);
        let ([scale_u, scale_v], [offset_u, offset_v]) = (self.scale, self.offset);
        let transform = UvTransform {
            x: [scale_u, 0.0],
            y: [0.0, scale_v],
            offset: [offset_u, if scale_v == 1.0 { -offset_v } else { 1.0 - scale_v - offset_v }],
        };
        TextureSlot { transform, wrap: if self.clamp { [Wrap::Clamp; 2] } else { plain.wrap }, ..plain }
    }
}

fn word(text: &str) -> (&str, &str) {
    let text = text.trim_start();
    let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    (word, rest.trim_start())
}

fn number(text: &str) -> Option<f32> {
    let mut at = 0;
    float(text.as_bytes(), &mut at).filter(|_| at == text.len() && !text.is_empty())
}

/// Whether every texel is grey.
pub fn is_grey(image: &Image) -> bool {
    match &image.texels {
        Texels::Rgba8(texels) => texels.chunks_exact(4).all(|t| t[0] == t[1] && t[1] == t[2]),
        Texels::Rgba16(texels) => texels.chunks_exact(4).all(|t| t[0] == t[1] && t[1] == t[2]),
        Texels::Rgba32Float(texels) => texels.chunks_exact(4).all(|t| t[0] == t[1] && t[1] == t[2]),
    }
}

/// A channel of the texel that lies under texel (x, y) of a picture of size `of`.
fn sample(image: &Image, channel: usize, x: u32, y: u32, of: Size) -> u8 {
    let near = |at: u32, of: u32, side: u32| (u64::from(at * 2 + 1) * u64::from(side) / (u64::from(of) * 2)) as usize;
    let row = near(y, of.height_px, image.height_px);
    let place = row * image.width_px as usize + near(x, of.width_px, image.width_px);
    let at = place * 4 + channel;
    match &image.texels {
        Texels::Rgba8(texels) => texels[at],
        Texels::Rgba16(texels) => (texels[at] / 257) as u8,
        Texels::Rgba32Float(texels) => (texels[at].clamp(0.0, 1.0) * 255.0 + 0.5) as u8,
    }
}

/// The size of the larger of some pictures.
fn size<'a>(images: impl Iterator<Item = &'a Image>) -> Size {
    images.map(Size::of).max_by_key(|size| size.texel_count()).unwrap_or(Size { width_px: 1, height_px: 1 })
}

fn made(name: String, size: Size, texel: impl Fn(u32, u32) -> [u8; 4]) -> Image {
    let Size { width_px, height_px } = size;
    let texels =
        (0..height_px).flat_map(|y| (0..width_px).map(move |x| (x, y))).flat_map(|(x, y)| texel(x, y)).collect();
    Image { name, width_px, height_px, texels: Texels::Rgba8(texels), levels: Vec::new() }
}

/// `color` (or white) with the alpha of `mask`, or its red where it has none.
pub fn with_alpha(images: &[Image], color: Option<usize>, mask: usize) -> Image {
    let cut = &images[mask];
    let size = size([Some(mask), color].into_iter().flatten().map(|index| &images[index]));
    let has_alpha = (0..cut.height_px).any(|y| (0..cut.width_px).any(|x| sample(cut, 3, x, y, Size::of(cut)) < 255));
    let channel = if has_alpha { 3 } else { 0 };
    let name = format!("{}, cut by {}", color.map_or("white", |c| &images[c].name), cut.name);
    made(name, size, |x, y| {
        let of = |c: usize| color.map_or(255, |index| sample(&images[index], c, x, y, size));
        [of(0), of(1), of(2), sample(cut, channel, x, y, size)]
    })
}

/// Roughness in green and metalness in blue. Their channels: the file's word; green and blue where one picture serves
/// for both, as glTF packs them; else red.
pub fn packed(images: &[Image], found: [Option<usize>; 2], channels: [Option<usize>; 2]) -> Image {
    let size = size(found.into_iter().flatten().map(|index| &images[index]));
    let same = found[0].is_some() && found[0] == found[1];
    let channel = |which: usize| channels[which].unwrap_or(if same { which + 1 } else { 0 });
    let name =
        |which: usize| found[which].map_or("nothing".to_string(), |i| format!("{} {}", images[i].name, channel(which)));
    made(format!("roughness of {}, metalness of {}", name(0), name(1)), size, |x, y| {
        let of = |which: usize| found[which].map_or(255, |i| sample(&images[i], channel(which), x, y, size));
        [255, of(0), of(1), 255]
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_stand_before_the_name_or_behind_it() {
        let map = Map::parse("-bm 0.5 -o 0.25 0.5 -s 2 4 1 -clamp on -imfchan g my picture.png").expect("a map");
        assert_eq!((map.name.as_str(), map.strength, map.clamp, map.channel), ("my picture.png", 0.5, true, Some(1)));
        let slot = map.slot(3);
        // (u, v up) = (0.5, 0.25) lies at v = 0.75 here and becomes (1.25, 1.5 up).
        let t = slot.transform;
        assert_eq!([t.x[0] * 0.5 + t.offset[0], t.y[1] * 0.75 + t.offset[1]], [1.25, 1.0 - 1.5]);
        assert_eq!(slot.wrap, [Wrap::Clamp; 2]);
        assert_eq!(Map::parse("a.png").expect("a map").slot(0).transform, UvTransform::IDENTITY);
        assert_eq!(Map::parse("-s 1 1 1"), None);
        assert_eq!(Map::parse("\t"), None);
        // Behind the name, too, unless the name has a dash.
        for text in
            ["my picture.png -bm 0.5 -s 2 4", "\"my picture.png\" -bm 0.5 -s 2 4 1", "-bm 0.5 my picture.png -s 2 4"]
        {
            let map = Map::parse(text).expect("a map");
            assert_eq!((map.name.as_str(), map.strength, map.scale), ("my picture.png", 0.5, [2.0, 4.0]), "{text}");
        }
        for name in ["a -b.png", "wood - s.png", "wood -s.png", "a -s 1 b.png", "a-s 1.png"] {
            assert_eq!(Map::parse(name).expect("a map").name, name);
        }
        assert_eq!(Map::parse("-mm 0 1 \"a b.png\"").expect("a map").name, "a b.png");
    }
}
