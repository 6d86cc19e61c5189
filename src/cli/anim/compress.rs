//! `anim compress`: clips as small as an error bound lets them be, what that costs, and the textbook's way beside it.

use serde_json::{Value, json};
use stillframe_anim::compress::book::BookClip;
use stillframe_anim::compress::{ClipForm, CompressReport, Compression};
use stillframe_anim::sample::{DTrs, Worst};
use stillframe_base::tick::{FrameRate, TICKS_PER_SECOND, Tick};

use super::super::inspect::{count, short};
use super::super::status::Failure;
use super::super::{Surroundings, json as words, stdout};
use super::args::CompressArgs;
use super::bytes_words;
use super::motion::{self, Motion};
use crate::scene::ClipChoice;

/// Moments of a sample at which the textbook's clip is compared with the file.
const BOOK_STEPS: usize = 4;

/// A clip that is done.
struct Done {
    name: String,
    joints: Vec<String>,
    duration: Tick,
    report: CompressReport,
    book: Book,
}

/// The textbook's clip of as many frames a second; it knows no bound.
struct Book {
    bytes: usize,
    object_m: Worst,
}

pub fn run(args: &CompressArgs, surroundings: &Surroundings) -> Result<(), Failure> {
    if let Some(output) = &args.output
        && !output.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("clip"))
    {
        return Err(Failure::usage(format!("{}: compressed clips are written as .clip", output.display())));
    }
    let (model, clips) = match (&args.clip, &args.output) {
        (clip, Some(_)) => {
            let (model, clip) = motion::open_one(&args.model, clip.as_ref(), surroundings)?;
            (model, vec![clip])
        }
        (clip, None) => motion::open(&args.model, clip.as_ref().unwrap_or(&ClipChoice::All), surroundings)?,
    };
    let wrong = |why: String| Failure::usage(format!("{}: {why}", args.model.display()));
    let compression = Compression { rate: FrameRate::whole(args.fps), object_error_max_m: args.error_mm * 1e-3 };
    let mut done = Vec::new();
    for number in clips {
        let motion = Motion::new(&model, number).map_err(wrong)?;
        let (clip, report) = motion.compress(&compression).map_err(wrong)?;
        let book = book(&motion, args.fps, &report).map_err(wrong)?;
        if let Some(output) = &args.output {
            let write = surroundings.unfinished.write(output, &clip.to_bytes());
            write.map_err(|error| Failure::of_write(output, &error))?;
        }
        let joints = motion.skeleton.names().to_vec();
        done.push(Done { name: motion.clip().name.clone(), joints, duration: motion.duration, report, book });
    }
    if surroundings.json.is_some() {
        let fields = json!({
            "name": args.model.display().to_string(),
            "error_max_mm": args.error_mm,
            "file": args.output,
            "clips": done.iter().map(Done::fields).collect::<Vec<_>>(),
        });
        return words::line("anim-compress/1", fields, surroundings);
    }
    let mut lines: Vec<String> = done.iter().flat_map(Done::told).collect();
    if done.len() > 1 {
        lines.push(sum(&done));
    }
    lines.extend(args.output.as_ref().map(|output| output.display().to_string()));
    lines.iter().try_for_each(|line| stdout::line(line))
}

/// The textbook's clip, and how far it is from the file.
fn book(motion: &Motion<'_>, fps: u32, report: &CompressReport) -> Result<Book, String> {
    let mut pose = |at: Tick, out: &mut [DTrs]| out.copy_from_slice(&motion.locals(at));
    let clip = BookClip::new(&motion.skeleton, motion.duration, FrameRate::whole(fps), &mut pose);
    let clip = clip.map_err(|error| error.to_string())?;
    let (mut locals, mut object_m) = (motion.locals(Tick::ZERO), Worst::default());
    for at in motion.moments((report.source_frame_count.max(2) - 1) * BOOK_STEPS + 1) {
        clip.sample(at, &mut locals);
        for (joint, value) in motion.off_m(at, &locals).into_iter().enumerate() {
            if value > object_m.value {
                object_m = Worst { value, joint, at };
            }
        }
    }
    Ok(Book { bytes: clip.bytes(), object_m })
}

impl Done {
    fn name(&self, joint: usize) -> &str {
        self.joints.get(joint).map_or("", String::as_str)
    }

    fn ratio(&self, bytes: usize) -> f64 {
        self.report.raw_bytes() as f64 / bytes as f64
    }

    fn fields(&self) -> Value {
        let CompressReport { form, joint_count, source_frame_count, frames_per_source_frame, bytes, .. } = self.report;
        let error = |worst: Worst| json!({ "value": worst.value * 1e3, "joint": self.name(worst.joint), "at_s": worst.at.seconds() });
        let form = match form {
            ClipForm::Frames { frame_ticks, frame_count } => {
                json!({ "frames": frame_count, "frame_s": Tick(frame_ticks).seconds() })
            }
            ClipForm::Keys { count } => json!({ "keys": count }),
        };
        let [default, constant, moving] =
            [self.report.default_tracks, self.report.constant_tracks, self.report.moving_tracks];
        json!({
            "clip": self.name,
            "joints": joint_count,
            "duration_s": self.duration.seconds(),
            "samples": source_frame_count,
            "raw_bytes": self.report.raw_bytes(),
            "bytes": bytes,
            "ratio": self.ratio(bytes),
            "form": form,
            "frames_per_sample": frames_per_source_frame,
            "worst_mm": error(self.report.object_m),
            "p99_mm": self.report.object_p99_m * 1e3,
            "tracks": { "default": default, "constant": constant, "moving": moving },
            "book": {
                "bytes": self.book.bytes,
                "ratio": self.ratio(self.book.bytes),
                "worst_mm": error(self.book.object_m),
            },
        })
    }

    fn told(&self) -> Vec<String> {
        let report = &self.report;
        let off = |worst: Worst| match worst.value > 0.0 {
            true => {
                format!("{} at most, {} at {} s", millimetres(worst.value), self.name(worst.joint), seconds(worst.at))
            }
            false => "none".to_string(),
        };
        let form = match report.form {
            ClipForm::Frames { frame_ticks, frame_count } => {
                let frame_ms = frame_ticks as f64 * 1000.0 / TICKS_PER_SECOND as f64;
                format!("{}, {} ms apart", count(frame_count, "frame", "frames"), short(frame_ms as f32))
            }
            ClipForm::Keys { count: keys } => {
                format!("{} as f32: no frames can follow it", count(keys, "key", "keys"))
            }
        };
        let size = |bytes: usize| format!("{}, {} : 1", bytes_words(bytes), short(self.ratio(bytes) as f32));
        let joints = count(report.joint_count, "joint", "joints");
        let samples = count(report.source_frame_count, "sample", "samples");
        vec![
            format!("{}  {joints}, {} s, {samples}", self.name, seconds(self.duration)),
            format!("  as f32         {}, 40 bytes a joint and sample", bytes_words(report.raw_bytes())),
            format!("  compressed     {}; {form}", size(report.bytes)),
            format!("  error, 3 cm    {}", off(report.object_m)),
            format!("                 99 of 100 joints and moments within {}", millimetres(report.object_p99_m)),
            format!(
                "  tracks         {} move, {} constant, {} of the identity",
                report.moving_tracks, report.constant_tracks, report.default_tracks
            ),
            format!("  the book's     {}; error {}", size(self.book.bytes), off(self.book.object_m)),
        ]
    }
}

/// Of several clips.
fn sum(done: &[Done]) -> String {
    let of = |bytes: fn(&Done) -> usize| done.iter().map(bytes).sum::<usize>();
    let [raw, bytes, book] =
        [of(|done| done.report.raw_bytes()), of(|done| done.report.bytes), of(|done| done.book.bytes)];
    let ratio = |bytes: usize| short((raw as f64 / bytes as f64) as f32);
    let clips = count(done.len(), "clip", "clips");
    format!("{clips}  {}, {} : 1; the book's {} : 1", bytes_words(bytes), ratio(bytes), ratio(book))
}

/// Small errors keep their digits.
fn millimetres(metres: f64) -> String {
    let mm = metres * 1e3;
    if mm >= 0.1 { format!("{} mm", short(mm as f32)) } else { format!("{mm:.4} mm") }
}

fn seconds(at: Tick) -> String {
    short(at.seconds() as f32)
}
