//! IES: photometric files of lamps, ANSI/IES LM-63 of 1986, 1991, 1995, 2002 and 2019.
//!
//! A file has lines of words up to `TILT=`, then numbers: how many lamps, what multiplies the values, angles, and
//! candela by horizontal and vertical angle. Type C (horizontal planes about the axis that shines down), B and A
//! (headlamps and floodlights, whose axis is the middle of both angles) are read. What stays away is completed by
//! symmetry: of type C 0, 0 to 90, 0 to 180, 90 to 270 or 0 to 360 degrees, of B and A both halves. Beyond the
//! vertical angles of a file it is dark. Values are multiplied by the multiplier, the ballast factor, and in files of
//! 1986 the ballast-lamp factor.
//!
//! In: bytes. Out: a [`Profile`] of half degrees, linear between the file's angles. Never here: shaders.

use std::ops::Range;
use std::path::Path;

use stillframe_base::math::ops64 as m;

use super::code;
use super::text::Plain;
use super::wrong::Wrong;
use crate::asset::{PROFILE_COLUMNS, PROFILE_ROWS, Profile};
use crate::source::Diagnostic;

/// Most angles of one kind, and most values: far more than any measurement has.
const ANGLES_MAX: usize = 1 << 12;
const VALUES_MAX: usize = 1 << 20;

const EXPORT: &str = "ask the maker of the lamp for a file of type C by LM-63, or export it again";

/// A lamp's profile.
///
/// Errors: bytes that are no such file, that end early, or whose numbers make no sense.
pub fn profile(file: &Path, bytes: &[u8]) -> Result<Profile, Diagnostic> {
    let plain = Plain::lines(bytes);
    let measured = read(&plain.bytes);
    measured
        .map(|measured| measured.profile())
        .map_err(|wrong| wrong.diagnostic((code::LIGHT_PROFILE, "IES"), file, bytes, &plain))
}

/// How the two angles make a direction.
#[derive(Clone, Copy, PartialEq)]
enum Sphere {
    A,
    B,
    C,
}

/// A file's numbers, with the angles rising.
struct Measured {
    sphere: Sphere,
    vertical_deg: Vec<f64>,
    horizontal_deg: Vec<f64>,
    /// By horizontal angle, then vertical angle.
    candela: Vec<f64>,
}

/// The numbers behind the words.
struct Numbers<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Numbers<'_> {
    /// The next word of numbers and where it stands.
    fn word(&mut self) -> Option<Range<usize>> {
        let is_gap = |byte: &u8| byte.is_ascii_whitespace() || *byte == b',';
        let start = self.at + self.bytes[self.at..].iter().position(|byte| !is_gap(byte))?;
        let end = self.bytes[start..].iter().position(is_gap).map_or(self.bytes.len(), |length| start + length);
        self.at = end;
        Some(start..end)
    }

    fn next(&mut self, what: &str) -> Result<(f64, Range<usize>), Wrong> {
        let Some(at) = self.word() else {
            return Err(Wrong { words: format!("it ends before {what}"), at: None, help: "copy or export it again" });
        };
        let number = std::str::from_utf8(&self.bytes[at.clone()]).ok().and_then(|word| word.parse::<f64>().ok());
        match number.filter(|number| number.is_finite() && number.abs() < 1e12) {
            Some(number) => Ok((number, at)),
            None => Err(Wrong { words: format!("{what} is not a number"), at: Some(at), help: EXPORT }),
        }
    }

    fn many(&mut self, count: usize, what: &str) -> Result<Vec<(f64, Range<usize>)>, Wrong> {
        (0..count).map(|_| self.next(what)).collect()
    }

    fn count(&mut self, what: &str) -> Result<usize, Wrong> {
        let (number, at) = self.next(what)?;
        let count = number as usize;
        if count as f64 != number || count == 0 || count > ANGLES_MAX {
            let words = format!("{what} is {number}, not a whole number from 1 to {ANGLES_MAX}");
            return Err(Wrong { words, at: Some(at), help: EXPORT });
        }
        Ok(count)
    }

    /// Angles in degrees, each more than the one before.
    fn angles(&mut self, count: usize, what: &str) -> Result<Vec<f64>, Wrong> {
        let angles = self.many(count, what)?;
        if let Some(pair) = angles.windows(2).find(|pair| pair[1].0 <= pair[0].0) {
            let words = format!("{what} does not rise: {} stands after {}", pair[1].0, pair[0].0);
            return Err(Wrong { words, at: Some(pair[1].1.clone()), help: EXPORT });
        }
        if let Some((angle, at)) = angles.iter().find(|(angle, _)| angle.abs() > 360.0) {
            let words = format!("{what} is {angle} degrees, more than a turn");
            return Err(Wrong { words, at: Some(at.clone()), help: EXPORT });
        }
        Ok(angles.into_iter().map(|(angle, _)| angle).collect())
    }
}

fn read(bytes: &[u8]) -> Result<Measured, Wrong> {
    let is_of_1986 = !bytes.trim_ascii_start().starts_with(b"IES");
    let tilt = bytes.windows(5).position(|word| word.eq_ignore_ascii_case(b"TILT=")).ok_or(Wrong {
        words: "it has no line that starts with `TILT=`".to_string(),
        at: None,
        help: "a profile is an `.ies` file by LM-63",
    })?;
    let line_end = bytes[tilt..].iter().position(|byte| *byte == b'\n').map_or(bytes.len(), |length| tilt + length);
    let word = bytes[tilt + 5..line_end].trim_ascii();
    let mut numbers = Numbers { bytes, at: line_end };
    if word.eq_ignore_ascii_case(b"INCLUDE") {
        // How the light changes where the lamp is tilted: it hangs as it was measured.
        numbers.next("the geometry of the tilt")?;
        let count = numbers.count("the number of tilts")?;
        numbers.many(2 * count, "a tilt")?;
    } else if !word.eq_ignore_ascii_case(b"NONE") {
        let words = "its tilt is in another file".to_string();
        return Err(Wrong {
            words,
            at: Some(tilt..line_end),
            help: "write `TILT=NONE`: lamps hang as they were measured",
        });
    }
    numbers.next("the number of lamps")?;
    numbers.next("the lumens of a lamp")?;
    let (multiplier, _) = numbers.next("the multiplier of the candela")?;
    let vertical_count = numbers.count("the number of vertical angles")?;
    let horizontal_count = numbers.count("the number of horizontal angles")?;
    let (sphere, at) = numbers.next("the photometric type")?;
    let sphere = match sphere {
        1.0 => Sphere::C,
        2.0 => Sphere::B,
        3.0 => Sphere::A,
        other => {
            let words = format!("the photometric type is {other}, not 1 (C), 2 (B) or 3 (A)");
            return Err(Wrong { words, at: Some(at), help: EXPORT });
        }
    };
    // Unit and size of the lamp.
    numbers.many(4, "the size of the lamp")?;
    let (ballast, _) = numbers.next("the ballast factor")?;
    let (lamp, _) = numbers.next("the ballast-lamp factor")?;
    numbers.next("the watts")?;
    if vertical_count * horizontal_count > VALUES_MAX {
        let words = format!("{vertical_count} x {horizontal_count} values are more than {VALUES_MAX}");
        return Err(Wrong { words, at: None, help: EXPORT });
    }
    let vertical_deg = numbers.angles(vertical_count, "a vertical angle")?;
    let horizontal_deg = numbers.angles(horizontal_count, "a horizontal angle")?;
    let factor = multiplier * ballast * if is_of_1986 { lamp } else { 1.0 };
    let mut candela = Vec::with_capacity(vertical_count * horizontal_count);
    for _ in 0..vertical_count * horizontal_count {
        let (value, at) = numbers.next("a candela value")?;
        if value * factor < 0.0 {
            let words = format!("a candela value is {value}, less than 0");
            return Err(Wrong { words, at: Some(at), help: EXPORT });
        }
        candela.push(value * factor);
    }
    if candela.iter().any(|candela| *candela > 1e12) {
        return Err(Wrong { words: "its candela are too large".to_string(), at: None, help: EXPORT });
    }
    let measured = Measured { sphere, vertical_deg, horizontal_deg, candela };
    measured.check()?;
    Ok(measured)
}

impl Measured {
    /// The angles are those of its type.
    fn check(&self) -> Result<(), Wrong> {
        let ends = |angles: &[f64]| (angles[0], angles[angles.len() - 1]);
        let (low, high) = ends(&self.vertical_deg);
        let (first, last) = ends(&self.horizontal_deg);
        let near = |a: f64, b: f64| (a - b).abs() < 1e-3;
        let (vertical, horizontal) = match self.sphere {
            Sphere::C => {
                let whole = [(0.0, 0.0), (0.0, 90.0), (0.0, 180.0), (90.0, 270.0), (0.0, 360.0)];
                let is_known = whole.iter().any(|(a, b)| near(first, *a) && near(last, *b));
                (low >= 0.0 && high <= 180.0, is_known || self.horizontal_deg.len() == 1)
            }
            Sphere::B | Sphere::A => {
                (low >= -90.0 && high <= 90.0, last <= 90.0 && first >= -90.0 && (first >= 0.0 || last > 0.0))
            }
        };
        if !vertical {
            let words = format!("vertical angles from {low} to {high} degrees are not those of its type");
            return Err(Wrong { words, at: None, help: EXPORT });
        }
        if !horizontal {
            let words = format!("horizontal angles from {first} to {last} degrees are not those of its type");
            let help = "type C has 0, or 0 to 90, 0 to 180, 90 to 270 or 0 to 360 degrees; A and B have up to 90";
            return Err(Wrong { words, at: None, help });
        }
        Ok(())
    }

    /// At every half degree.
    fn profile(&self) -> Profile {
        let is_round = self.sphere == Sphere::C && self.horizontal_deg.len() == 1;
        let columns = if is_round { 1 } else { PROFILE_COLUMNS };
        let mut candela = Vec::with_capacity(columns * PROFILE_ROWS);
        for column in 0..columns {
            for row in 0..PROFILE_ROWS {
                candela.push(self.towards(row as f64 * 0.5, column as f64 * 0.5) as f32);
            }
        }
        Profile { candela }
    }

    /// Candela at an angle from the axis that shines, about it from the X axis towards the Y axis.
    fn towards(&self, from_axis_deg: f64, about_deg: f64) -> f64 {
        match self.sphere {
            Sphere::C => {
                let (first, last) = (self.horizontal_deg[0], self.horizontal_deg[self.horizontal_deg.len() - 1]);
                let about = if first >= 45.0 && about_deg < 90.0 { about_deg + 360.0 } else { about_deg };
                // Mirrored until it is among the angles of the file.
                let about = match last {
                    _ if self.horizontal_deg.len() == 1 => first,
                    last if last > 269.0 && first >= 45.0 => {
                        if about > 270.0 {
                            540.0 - about
                        } else {
                            about
                        }
                    }
                    last if last < 91.0 => {
                        let half = if about > 180.0 { 360.0 - about } else { about };
                        if half > 90.0 { 180.0 - half } else { half }
                    }
                    last if last < 181.0 => {
                        if about > 180.0 {
                            360.0 - about
                        } else {
                            about
                        }
                    }
                    _ => about,
                };
                self.at(from_axis_deg, about)
            }
            Sphere::A | Sphere::B => {
                let (from, about) = (from_axis_deg.to_radians(), about_deg.to_radians());
                let ((sin, forward), (sin_about, cos_about)) = (m::sin_cos(from), m::sin_cos(about));
                let (right, up) = (sin * cos_about, sin * sin_about);
                let (horizontal, vertical) = match self.sphere {
                    // Upright meridians, and circles of latitude.
                    Sphere::A => (m::atan2(right, forward), m::asin(up.clamp(-1.0, 1.0))),
                    // Meridians about the axis from left to right.
                    _ => (m::asin(right.clamp(-1.0, 1.0)), m::atan2(up, forward)),
                };
                // Half of a file that is the same on both sides.
                let fold = |angle: f64, angles: &[f64]| if angles[0] >= 0.0 { angle.abs() } else { angle };
                let (horizontal, vertical) = (horizontal.to_degrees(), vertical.to_degrees());
                let horizontal = fold(horizontal, &self.horizontal_deg);
                let outside =
                    |angle: f64, angles: &[f64]| angle < angles[0] - 1e-9 || angle > angles[angles.len() - 1] + 1e-9;
                let is_dark = self.horizontal_deg.len() > 1 && outside(horizontal, &self.horizontal_deg);
                if is_dark { 0.0 } else { self.at(fold(vertical, &self.vertical_deg), horizontal) }
            }
        }
    }

    /// Between the angles of the file; dark beyond its vertical angles.
    fn at(&self, vertical_deg: f64, horizontal_deg: f64) -> f64 {
        let (low, high) = (self.vertical_deg[0], self.vertical_deg[self.vertical_deg.len() - 1]);
        if vertical_deg < low - 1e-9 || vertical_deg > high + 1e-9 {
            return 0.0;
        }
        let (row, down) = place(&self.vertical_deg, vertical_deg);
        let (column, across) = place(&self.horizontal_deg, horizontal_deg);
        let rows = self.vertical_deg.len();
        let value = |column: usize, row: usize| {
            self.candela[column.min(self.horizontal_deg.len() - 1) * rows + row.min(rows - 1)]
        };
        let along = |column: usize| value(column, row) + (value(column, row + 1) - value(column, row)) * down;
        along(column) + (along(column + 1) - along(column)) * across
    }
}

/// The last of rising angles that is not above this one, and the share of the way to the next.
fn place(angles: &[f64], angle: f64) -> (usize, f64) {
    let above = angles.partition_point(|known| *known <= angle);
    if above == 0 {
        return (0, 0.0);
    }
    match angles.get(above) {
        Some(next) => (above - 1, (angle - angles[above - 1]) / (next - angles[above - 1])),
        None => (above - 1, 0.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(head: &str, kind: u32, vertical: &[f64], horizontal: &[f64], values: &[f64]) -> String {
        let list = |numbers: &[f64]| numbers.iter().map(|n| n.to_string()).collect::<Vec<_>>().join(" ");
        format!(
            "{head}TILT=NONE\n1 1000 2 {} {} {kind} 2 0 0 0\n0.5 1 40\n{}\n{}\n{}\n",
            vertical.len(),
            horizontal.len(),
            list(vertical),
            list(horizontal),
            list(values)
        )
    }

    fn read_text(text: &str) -> Profile {
        profile(Path::new("lamp.ies"), text.as_bytes()).unwrap_or_else(|error| panic!("{error:?}"))
    }

    /// Candela at whole half degrees.
    fn at(profile: &Profile, from_axis_deg: f64, about_deg: f64) -> f32 {
        let column = if profile.columns() == 1 { 0 } else { (about_deg * 2.0) as usize % PROFILE_COLUMNS };
        profile.candela[column * PROFILE_ROWS + (from_axis_deg * 2.0) as usize]
    }

    const HEAD: &str = "IESNA:LM-63-2002\n[TEST] made\n[MANUFAC] nobody\n";

    #[test]
    fn every_listed_angle_has_its_value() {
        let vertical = [0.0, 10.0, 37.5, 60.0, 90.0];
        let horizontal = [0.0, 22.5, 45.0, 200.0, 360.0];
        let mut values: Vec<f64> = (0..25).map(|n| f64::from(n * 7 % 11) + 1.0).collect();
        // 0 and 360 degrees are one plane.
        for row in 0..5 {
            values[20 + row] = values[row];
        }
        let found = read_text(&file(HEAD, 1, &vertical, &horizontal, &values));
        for (column, about) in horizontal.iter().enumerate() {
            for (row, from_axis) in vertical.iter().enumerate() {
                // The multiplier is 2 and the ballast factor a half.
                assert_eq!(at(&found, *from_axis, *about), values[column * 5 + row] as f32, "{from_axis} {about}");
            }
        }
        assert_eq!(at(&found, 5.0, 0.0), (values[0] + values[1]) as f32 / 2.0);
        assert_eq!(at(&found, 90.5, 0.0), 0.0);
    }

    #[test]
    fn symmetry_is_completed() {
        let vertical = [0.0, 90.0];
        let by = |horizontal: &[f64]| {
            let values: Vec<f64> = horizontal.iter().flat_map(|angle| [*angle + 1.0, *angle + 1.0]).collect();
            read_text(&file(HEAD, 1, &vertical, horizontal, &values))
        };
        let round = by(&[0.0]);
        assert_eq!((round.columns(), at(&round, 30.0, 77.0)), (1, 1.0));
        for (horizontal, wants) in [
            (&[0.0, 90.0][..], [(30.0, 31.0), (150.0, 31.0), (210.0, 31.0), (330.0, 31.0), (180.0, 1.0)]),
            (&[0.0, 90.0, 180.0], [(30.0, 31.0), (150.0, 151.0), (210.0, 151.0), (330.0, 31.0), (180.0, 181.0)]),
            (&[90.0, 180.0, 270.0], [(30.0, 151.0), (150.0, 151.0), (210.0, 211.0), (330.0, 211.0), (90.0, 91.0)]),
            (&[0.0, 360.0], [(30.0, 31.0), (150.0, 151.0), (210.0, 211.0), (330.0, 331.0), (180.0, 181.0)]),
        ] {
            let found = by(horizontal);
            for (about, want) in wants {
                assert!(
                    (at(&found, 45.0, about) - want).abs() < 1e-3,
                    "{horizontal:?} at {about}: {}",
                    at(&found, 45.0, about)
                );
            }
        }
    }

    /// What a file of a lamp of 1000 lumens in all directions adds up to.
    #[test]
    fn values_add_up_to_the_lumens_of_the_header() {
        let vertical: Vec<f64> = (0..=36).map(|n| f64::from(n) * 5.0).collect();
        let values = vec![1000.0 / (4.0 * std::f64::consts::PI); 37];
        let found = read_text(&file(HEAD, 1, &vertical, &[0.0], &values));
        let mut lumens = 0.0;
        for row in 0..PROFILE_ROWS - 1 {
            let [low, high] = [row, row + 1].map(|row| m::cos((row as f64 * 0.5).to_radians()));
            let mean = f64::from(found.candela[row] + found.candela[row + 1]) / 2.0;
            lumens += 2.0 * std::f64::consts::PI * (low - high) * mean;
        }
        assert!((lumens - 1000.0).abs() < 0.1, "{lumens}");
    }

    #[test]
    fn types_a_and_b_have_their_axis_in_the_middle() {
        let angles = [-90.0, 0.0, 90.0];
        // Rises with the vertical angle, or with the horizontal one.
        let upwards: Vec<f64> = (0..9).map(|n| f64::from(n % 3)).collect();
        let sideways: Vec<f64> = (0..9).map(|n| f64::from(n / 3)).collect();
        for kind in [2, 3] {
            let (up, side) =
                (file(HEAD, kind, &angles, &angles, &upwards), file(HEAD, kind, &angles, &angles, &sideways));
            let (up, side) = (read_text(&up), read_text(&side));
            // 45 degrees to the right, up, left and down.
            let about = [0.0, 90.0, 180.0, 270.0];
            assert_eq!(about.map(|about| at(&up, 45.0, about)), [1.0, 1.5, 1.0, 0.5], "{kind}");
            assert_eq!(about.map(|about| at(&side, 45.0, about)), [1.5, 1.0, 0.5, 1.0], "{kind}");
        }
        // Off the axes the two differ: A's latitude is up, B's is to the right.
        let corner = |kind| at(&read_text(&file(HEAD, kind, &angles, &angles, &upwards)), 60.0, 45.0);
        let (sin, cos) = m::sin_cos(60f64.to_radians());
        let up = sin * m::sin(45f64.to_radians());
        assert!((corner(3) - (1.0 + m::asin(up).to_degrees() / 90.0) as f32).abs() < 1e-5);
        assert!((corner(2) - (1.0 + m::atan2(up, cos).to_degrees() / 90.0) as f32).abs() < 1e-5);
    }

    #[test]
    fn files_of_all_years_are_read() {
        let (vertical, values) = ([0.0, 90.0], [4.0, 8.0]);
        // A file of 1986 has no first line, and a ballast-lamp factor.
        let old = file("A LAMP\n", 1, &vertical, &[0.0], &values).replace("0.5 1 40", "0.5 0.25 40");
        assert_eq!(at(&read_text(&old), 0.0, 0.0), 1.0);
        for head in ["IESNA91\n", "IESNA:LM-63-1995\n", "IES:LM-63-2019\n"] {
            let text = file(head, 1, &vertical, &[0.0], &values).replace("0.5 1 40", "0.5 0.25 40");
            assert_eq!(at(&read_text(&text), 90.0, 0.0), 8.0, "{head}");
        }
        let tilted = file(HEAD, 1, &vertical, &[0.0], &values).replace("TILT=NONE", "TILT=INCLUDE\n1\n2\n0 90\n1 0.5");
        assert_eq!(at(&read_text(&tilted), 90.0, 0.0), 8.0);
        // Commas, carriage returns and a mark at the front.
        let odd = file(HEAD, 1, &vertical, &[0.0], &values).replace(' ', ", ").replace('\n', "\r\n");
        assert_eq!(at(&read_text(&format!("\u{feff}{odd}")), 0.0, 0.0), 4.0);
    }

    #[test]
    fn bad_files_say_what_and_where() {
        let good = file(HEAD, 1, &[0.0, 90.0], &[0.0, 90.0], &[1.0, 2.0, 3.0, 4.0]);
        for (from, to, words, underlined) in [
            ("TILT=NONE", "TILT", "no line that starts with `TILT=`", None),
            ("TILT=NONE", "TILT=lamp.tlt", "its tilt is in another file", Some("TILT=lamp.tlt")),
            ("2 2 1 2", "2 2 4 2", "the photometric type is 4", Some("4")),
            ("2 2 1 2", "2.5 2 1 2", "the number of vertical angles is 2.5", Some("2.5")),
            ("2 2 1 2", "2 99999 1 2", "the number of horizontal angles is 99999", Some("99999")),
            ("\n0 90\n0 90", "\n90 0\n0 90", "a vertical angle does not rise", Some("0")),
            ("\n0 90\n0 90", "\n0 90\n0 70", "horizontal angles from 0 to 70 degrees", None),
            ("\n0 90\n0 90", "\n0 200\n0 90", "vertical angles from 0 to 200 degrees", None),
            ("1 2 3 4\n", "1 2 3\n", "it ends before a candela value", None),
            ("1 2 3 4\n", "1 2 -3 4\n", "a candela value is -3", Some("-3")),
            ("1 2 3 4\n", "1 2 x 4\n", "a candela value is not a number", Some("x")),
            ("1 2 3 4\n", "1 2 nan 4\n", "a candela value is not a number", Some("nan")),
        ] {
            let text = good.replacen(from, to, 1);
            assert_ne!(text, good, "{from}");
            let error = profile(Path::new("lamp.ies"), text.as_bytes()).expect_err(to);
            assert_eq!(error.code, code::LIGHT_PROFILE);
            assert!(error.message.contains(words) && error.help.is_some(), "{error:?}");
            assert_eq!(error.span.map(|span| &text[span]), underlined, "{to}");
        }
    }
}
