//! Encode: pictures become the bytes of files.

use std::collections::BTreeMap;

use serde_json::Value;
use stillframe_base::par::Pool;
use stillframe_frames::{
    Apng, CodeSpace, ExrLayer, Gif, Picture, PngEffort, encode_exr, encode_jpeg, encode_npy, encode_png_in, encode_webp,
};

use super::form::Form;
use super::status::Failure;
use crate::scene::{Aov, Display};
use crate::take::{Take, for_looking};

/// What codes for a display are.
pub fn code_space(display: Display) -> CodeSpace {
    match display {
        Display::Srgb => CodeSpace::Srgb,
        Display::P3 => CodeSpace::DisplayP3,
        Display::Rec2020Pq => CodeSpace::Rec2020Pq,
    }
}

/// What codes of a layer that people look at are, where those of colour are for `display`.
pub fn layer_space(aov: &Aov, display: Display) -> CodeSpace {
    code_space(if *aov == Aov::COLOR { display } else { Display::Srgb })
}

/// The bytes of a file of one of the still forms. `display`: what integers of colour are for. `texts`: the header of
/// an EXR.
pub fn encode(
    form: Form,
    (pictures, display): (&[(Aov, Picture)], Display),
    texts: &BTreeMap<&str, String>,
    pool: &Pool,
) -> Result<Vec<u8>, Failure> {
    let fault = |error: &dyn std::fmt::Display| Failure::Fault(error.to_string());
    match form {
        Form::Png | Form::Jpg | Form::Webp | Form::Gif => {
            let (aov, picture) = &pictures[0];
            encode_looked_at(form, &looked_at(aov, picture), layer_space(aov, display))
        }
        Form::Npy => Ok(encode_npy(&pictures[0].1)),
        Form::Exr => {
            one_size(pictures)?;
            let names: Vec<Vec<String>> = pictures.iter().map(|(aov, picture)| channels(aov, picture)).collect();
            let names: Vec<Vec<&str>> = names.iter().map(|names| names.iter().map(String::as_str).collect()).collect();
            let layers = names.iter().zip(pictures);
            let layers: Vec<ExrLayer<'_>> =
                layers.map(|(channels, (_, picture))| ExrLayer { channels, picture }).collect();
            let texts: Vec<(&str, &str)> = texts.iter().map(|(name, text)| (*name, text.as_str())).collect();
            encode_exr(&layers, &texts, pool).map_err(|error| fault(&error))
        }
        Form::Apng => unreachable!("animations are written a frame at a time"),
    }
}

/// What is behind transparent parts where a file has no alpha: the paper of a page.
const PAPER: [u8; 3] = [255; 3];

/// The bytes of a file that people look at, of a picture as they do. `space`: that of its codes; sRGB but in PNGs.
pub fn encode_looked_at(form: Form, picture: &Picture, space: CodeSpace) -> Result<Vec<u8>, Failure> {
    let fault = |error: &dyn std::fmt::Display| Failure::Fault(error.to_string());
    match form {
        Form::Png => encode_png_in(picture, PngEffort::Fast, space).map_err(|error| fault(&error)),
        Form::Jpg => encode_jpeg(picture, PAPER).map_err(|error| fault(&error)),
        Form::Webp => encode_webp(picture).map_err(|error| fault(&error)),
        Form::Gif => {
            let mut still = Gif::new(picture, 1.0).map_err(|error| fault(&error))?;
            still.push_for(picture, 1).map_err(|error| fault(&error))?;
            still.finish().map_err(|error| fault(&error))
        }
        Form::Apng | Form::Exr | Form::Npy => unreachable!("a .{} file is none of these", form.word()),
    }
}

/// Frames that become one file.
pub enum Film {
    Apng(Apng),
    Gif(Gif),
}

impl Film {
    /// Starts a file of several frames, all with the size and format of `first`. `space`: that of its codes; sRGB but
    /// in PNGs.
    pub fn new(
        form: Form,
        (first, space): (&Picture, CodeSpace),
        (frame_count, frames_per_second): (u32, f64),
    ) -> Result<Film, Failure> {
        match form {
            Form::Gif => Gif::new(first, frames_per_second).map(Film::Gif).map_err(|e| Failure::Fault(e.to_string())),
            _ => {
                let made = Apng::new_in(first, (frame_count, frames_per_second), PngEffort::Fast, space);
                made.map(Film::Apng).map_err(|error| Failure::Fault(error.to_string()))
            }
        }
    }

    /// Adds the next frame, which stays for as long as `parts` frames do.
    pub fn push_for(&mut self, frame: &Picture, parts: u32) -> Result<(), Failure> {
        match self {
            Film::Apng(apng) => apng.push_for(frame, parts).map_err(|error| Failure::Fault(error.to_string())),
            Film::Gif(gif) => gif.push_for(frame, parts).map_err(|error| Failure::Fault(error.to_string())),
        }
    }

    /// The bytes of the file.
    pub fn finish(self) -> Result<Vec<u8>, Failure> {
        match self {
            Film::Apng(apng) => apng.finish().map_err(|error| Failure::Fault(error.to_string())),
            Film::Gif(gif) => gif.finish().map_err(|error| Failure::Fault(error.to_string())),
        }
    }
}

/// A picture as people look at it: colour as it is, numbers mapped.
pub fn looked_at(aov: &Aov, picture: &Picture) -> Picture {
    match *aov == Aov::COLOR {
        true if picture.channel_count > 0 && is_encoded(picture) => picture.clone(),
        _ => for_looking(aov, picture),
    }
}

fn is_encoded(picture: &Picture) -> bool {
    matches!(picture.samples, stillframe_frames::Samples::U8(_) | stillframe_frames::Samples::U16(_))
}

/// Names of an EXR's channels.
fn channels(aov: &Aov, picture: &Picture) -> Vec<String> {
    let letters = aov.row().channels;
    if *aov == Aov::COLOR {
        return letters.iter().map(|letter| letter.to_string()).collect();
    }
    // A linear picture has alpha where it can differ from 1.
    letters.iter().take(picture.channel_count as usize).map(|letter| format!("{aov}.{letter}")).collect()
}

/// The layers of an EXR lie on each other.
fn one_size(pictures: &[(Aov, Picture)]) -> Result<(), Failure> {
    let size = |picture: &Picture| (picture.width_px, picture.height_px);
    let (first, of_first) = &pictures[0];
    let Some((other, of_other)) = pictures.iter().find(|(_, picture)| size(picture) != size(of_first)) else {
        return Ok(());
    };
    let ((width, height), (other_width, other_height)) = (size(of_first), size(of_other));
    let message = format!("{first} has {width}x{height} pixels and {other} has {other_width}x{other_height}");
    let help = format!("layers of one file must have the same size: write `--aov {other}` to a separate file");
    Err(Failure::Usage(message, Some(help)))
}

/// What an EXR says about itself: which object has which number, what drew it and of which scene. Nothing of this run.
pub fn texts(taken: &Take) -> BTreeMap<&'static str, String> {
    let ids = taken.object_names.iter().enumerate();
    let ids =
        ids.map(|(index, name)| format!("{}:{}", Value::from((index + 1).to_string()), Value::from(name.as_str())));
    let mut out = BTreeMap::from([
        ("stillframe.ids", format!("{{{}}}", ids.collect::<Vec<_>>().join(","))),
        ("stillframe.contract", taken.stats.contract.map_or("none".to_string(), |contract| contract.to_string())),
    ]);
    if let Some(hash) = &taken.scene_hash {
        out.insert("stillframe.scene", hash.clone());
    }
    out
}
