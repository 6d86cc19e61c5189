//! Files that other programs packed, for damage: nothing here writes Draco, meshopt's streams, Basis Universal, WebP or
//! JPEG with anything in them.
//!
//! They are the readers' test files (`tests/data`), all ours.

use stillframe_base::rng::Stream;

use crate::fuzz::Case;
use crate::fuzz::mutate;

macro_rules! files {
    ($($name:literal)*) => {
        &[$(($name, include_bytes!(concat!("../../../../../tests/data/", $name)))),*]
    };
}

/// Compressed models.
pub const MODELS: &[(&str, &[u8])] =
    files!["packed/sequential.glb" "packed/edgebreaker.glb" "packed/triangles.glb" "packed/indices.glb"];

/// Compressed pictures.
pub const PICTURES: &[(&str, &[u8])] = files![
    "images/etc1s.ktx2" "images/uastc.ktx2" "images/lossless.webp" "images/lossy.webp" "images/lossy_alpha.webp"
    "images/progressive.jpg" "images/cmyk.jpg" "images/rle32.tga" "images/palette.bmp"
];

pub fn model(stream: &mut Stream) -> Case {
    damaged(stream, MODELS, "model")
}

pub fn picture(stream: &mut Stream) -> Case {
    damaged(stream, PICTURES, "picture")
}

fn damaged(stream: &mut Stream, files: &[(&str, &[u8])], stem: &str) -> Case {
    let (name, bytes) = *stream.pick(files);
    let ending = name.rsplit('.').next().unwrap_or_default();
    let mut case = Case::new(&format!("{stem}.{ending}"), bytes.to_vec());
    if !stream.one_in(8) {
        mutate::bytes(stream, &mut case.bytes);
    }
    case
}
