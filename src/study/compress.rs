//! Compress: a clip as small as an error bound allows, how far it is from the file, and the textbook's compression to
//! compare with.

use stillframe_anim::Property;
use stillframe_anim::compress::book::BookClip;
use stillframe_anim::compress::{ClipForm, CompressReport, CompressedClip, Compression};
use stillframe_anim::sample::{DTrs, Worst};
use stillframe_base::lanes::Isa;
use stillframe_base::tick::Tick;

use super::StudyError;
use super::motion::{Motion, compressed_locals, moves_node, tracks};

/// Moments per sample at which the textbook's clip is compared with the file.
const BOOK_STEPS: usize = 4;

/// Moments per sample at which a compressed clip is compared with the file: five per frame, as compressing does, and
/// one that it does not.
const CHECK_STEPS: usize = 6;

/// A clip within its error bound.
pub struct Compressed {
    pub clip: CompressedClip,
    pub report: CompressReport,
    pub book: Book,
    /// Tracks of morphs and visibility, which a compressed clip does not hold.
    pub left_out_count: usize,
}

/// The textbook's clip at the same rate: 16 bits per number, one range per clip, no error bound.
pub struct Book {
    pub bytes: usize,
    /// Largest error, in metres of the model's space, of points as far from each joint as for the clip it is compared
    /// with.
    pub object_m: Worst,
}

/// Compresses a clip and compares the result with the textbook's.
///
/// Errors: why it cannot be compressed.
pub fn compressed(motion: &Motion<'_>, compression: &Compression) -> Result<Compressed, StudyError> {
    let (clip, report) = motion.compress(compression)?;
    let book = book(motion, compression, report.source_frame_count)?;
    Ok(Compressed { clip, report, book, left_out_count: left_out_count(motion) })
}

fn left_out_count(motion: &Motion<'_>) -> usize {
    let moves = |property: &Property| moves_node(property) || matches!(property, Property::Other(_));
    tracks(motion.clip()).filter(|track| !moves(&track.property)).count()
}

fn book(motion: &Motion<'_>, compression: &Compression, sample_count: usize) -> Result<Book, StudyError> {
    let mut pose = |at: Tick, out: &mut [DTrs]| out.copy_from_slice(&motion.locals(at));
    let clip = BookClip::new(&motion.skeleton, motion.duration, compression.rate, &mut pose)?;
    let (mut locals, mut object_m) = (motion.locals(Tick::ZERO), Worst::default());
    for at in motion.moments((sample_count.max(2) - 1) * BOOK_STEPS + 1) {
        clip.sample(at, &mut locals);
        for (joint, value) in motion.off_m(at, &locals, compression.shell_m).into_iter().enumerate() {
            if value > object_m.value {
                object_m = Worst { value, joint, at };
            }
        }
    }
    Ok(Book { bytes: clip.bytes(), object_m })
}

/// The largest error of a compressed clip against the file's, in metres of the model's space, of points `shell_m` from
/// each joint.
///
/// Errors: the clip has other joints or another length than the file's.
pub fn worst_off(isa: Isa, motion: &Motion<'_>, clip: &CompressedClip, shell_m: f64) -> Result<Worst, StudyError> {
    let (own, want) = (clip.joint_count(), motion.skeleton.joint_count());
    let name = || motion.clip().name.clone();
    if own != want {
        return Err(StudyError::OtherJoints { own, clip: name(), want });
    }
    if clip.duration() != motion.duration {
        let [own_s, want_s] = [clip.duration(), motion.duration].map(Tick::seconds);
        return Err(StudyError::OtherLength { own_s, clip: name(), want_s });
    }
    let mut object_m = Worst::default();
    let mut moments = motion.moments(frame_count(clip).saturating_sub(1) * CHECK_STEPS + 1);
    moments.extend(key_moments(motion));
    for at in moments {
        for (joint, value) in motion.off_m(at, &compressed_locals(isa, clip, at), shell_m).into_iter().enumerate() {
            // A NaN is the worst of all.
            if !(value <= object_m.value) {
                object_m = Worst { value, joint, at };
            }
        }
    }
    Ok(object_m)
}

/// The file's keys and the ticks before them: a jump is between the two.
pub(super) fn key_moments(motion: &Motion<'_>) -> Vec<Tick> {
    motion.key_times().into_iter().flat_map(|key| [Tick((key.0 - 1).max(0)), key]).collect()
}

/// Frames or keys, whichever it is made of.
pub(super) fn frame_count(clip: &CompressedClip) -> usize {
    match clip.form() {
        ClipForm::Frames { frame_count, .. } => frame_count,
        ClipForm::Keys { count } => count,
    }
}
