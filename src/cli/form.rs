//! Form: what kind of file a picture becomes. The one place that decides it.

use std::path::Path;

use super::status::Failure;

/// A kind of file that pictures are written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// One picture that people look at.
    Png,
    /// Frames of one, one after the other.
    Apng,
    /// One for web pages, with small errors and without alpha.
    Jpg,
    /// One for web pages.
    Webp,
    /// Frames of one for pages and messages that show nothing else, of 256 colours.
    Gif,
    /// All that was asked for, as numbers.
    Exr,
    /// One, as numbers.
    Npy,
}

impl Form {
    /// As arguments and endings of files spell them.
    pub const WORDS: &[(&str, Form)] = &[
        ("png", Form::Png),
        ("apng", Form::Apng),
        ("jpg", Form::Jpg),
        ("jpeg", Form::Jpg),
        ("webp", Form::Webp),
        ("gif", Form::Gif),
        ("exr", Form::Exr),
        ("npy", Form::Npy),
    ];

    pub fn word(self) -> &'static str {
        Form::WORDS.iter().find(|(_, form)| *form == self).map_or("", |(word, _)| word)
    }

    /// What the ending of a file's name says.
    pub fn of(path: &Path) -> Result<Form, Failure> {
        let ending = path.extension().map(|e| e.to_string_lossy().to_lowercase()).unwrap_or_default();
        Form::WORDS.iter().find(|(word, _)| *word == ending).map(|(_, form)| *form).ok_or_else(|| {
            let message =
                format!("`{}`: the output must be .png, .apng, .jpg, .webp, .gif, .exr or .npy", path.display());
            Failure::Usage(message, Some("end the name with .png, or use `-o -` for standard output".into()))
        })
    }

    /// Bits a channel of the colour picture, where people asked for `bits` a channel of a PNG. Numbers are 32-bit
    /// floats.
    pub fn color_bits(self, bits: u32) -> u8 {
        match self {
            Form::Png | Form::Apng => bits as u8,
            Form::Jpg | Form::Webp | Form::Gif => 8,
            Form::Exr | Form::Npy => 32,
        }
    }

    /// Whether frames become one file that shows them one after the other.
    pub fn is_film(self) -> bool {
        matches!(self, Form::Apng | Form::Gif)
    }

    /// Whether people look at it: layers of numbers are mapped.
    pub fn is_looked_at(self) -> bool {
        !matches!(self, Form::Exr | Form::Npy)
    }

    /// Whether a file holds whatever was asked for, rather than one of it.
    pub fn holds_several(self) -> bool {
        self == Form::Exr
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ending_says_what_is_written() {
        for (name, want) in [
            ("x/b.PNG", Some(Form::Png)),
            ("b.npy", Some(Form::Npy)),
            ("b.exr", Some(Form::Exr)),
            ("b.####.png", Some(Form::Png)),
            ("b.apng", Some(Form::Apng)),
            ("b.jpg", Some(Form::Jpg)),
            ("b.JPEG", Some(Form::Jpg)),
            ("b.webp", Some(Form::Webp)),
            ("b.gif", Some(Form::Gif)),
            ("b.bmp", None),
            ("b", None),
            ("", None),
        ] {
            assert_eq!(Form::of(Path::new(name)).ok(), want, "{name}");
        }
        assert_eq!((Form::Png.color_bits(16), Form::Exr.color_bits(16)), (16, 32));
    }
}
