//! Profiles of lamps: IES LM-63, with counts that lie and angles that turn back.

use std::fmt::Write as _;

use stillframe_base::rng::Stream;

use super::draw::lie;
use crate::fuzz::Case;
use crate::fuzz::mutate::{self, between, number_text};

const WORDS: &[&str] =
    &["TILT=NONE\n", "TILT=INCLUDE\n1\n2\n0 90\n1 1\n", "IESNA91\n", "[TEST] x\n", "-1 ", "1e39 ", "nan ", ", "];

/// A file of one lamp, by any year and type.
pub fn ies(stream: &mut Stream) -> Case {
    let mut out = stream.pick(&["IESNA:LM-63-1995\n", "IESNA91\n", "IES:LM-63-2019\n", "A LAMP\n"]).to_string();
    let tilts = ["TILT=NONE\n", "TILT=NONE\n", "TILT=INCLUDE\n1\n2\n0 90\n1 1\n", "TILT=a.tlt\n"];
    let tilt = *stream.pick(&tilts);
    out.push_str(tilt);
    let kind = *stream.pick(&[1u32, 1, 1, 2, 3]);
    let last = match kind {
        1 => *stream.pick(&[0.0, 90.0, 180.0, 360.0]),
        _ => 90.0,
    };
    let rows = between(stream, 1, 9);
    let columns = if last == 0.0 { 1 } else { between(stream, 2, 6) };
    let (said_rows, said_columns) = (lie(stream, 60, rows as u32), lie(stream, 60, columns as u32));
    let _ = writeln!(out, "1 1000 {} {said_rows} {said_columns} {} 2 0 0 0", number(stream), lie(stream, 60, kind));
    let _ = writeln!(out, "1 1 100");
    let angles = |out: &mut String, stream: &mut Stream, count: usize, last: f64| {
        for at in 0..count {
            let angle = if count == 1 { 0.0 } else { last * at as f64 / (count - 1) as f64 };
            let _ = write!(out, "{} ", if stream.one_in(200) { -angle } else { angle });
        }
        out.push('\n');
    };
    angles(&mut out, stream, rows, 90.0);
    angles(&mut out, stream, columns, last);
    for _ in 0..rows * columns {
        let _ = write!(out, "{} ", number(stream));
    }
    out.push('\n');
    if stream.one_in(8) {
        mutate::text(stream, &mut out, WORDS);
    }
    Case::new("lamp.ies", out.into_bytes())
}

/// Mostly one that a lamp has.
fn number(stream: &mut Stream) -> String {
    if stream.one_in(200) { number_text(stream) } else { stream.below(2000).to_string() }
}
