//! A picture of a comparison, for people.

use super::differences::Differences;
use crate::picture::{Picture, Samples};

/// Where two pictures differ: black where they are equal, else from dark blue (the smallest step of 8 bits or less)
/// over red to white (the whole range), each doubling of the difference one step brighter, so that one low bit can be
/// seen beside a large mistake.
pub fn difference_picture(differences: &Differences) -> Picture {
    let mut samples = Vec::with_capacity(differences.deltas.len() * 3);
    for delta in &differences.deltas {
        samples.extend_from_slice(&colour(*delta, differences.full_scale));
    }
    Picture::new(differences.width_px, differences.height_px, 3, Samples::U8(samples))
        .expect("as large as the pictures that were compared")
}

/// Steps of a doubling each, from 1/255 of the range (or less) to all of it.
const RAMP: [[u8; 3]; 9] = [
    [40, 40, 160],
    [70, 40, 190],
    [120, 40, 190],
    [170, 40, 160],
    [225, 50, 110],
    [245, 80, 70],
    [255, 130, 60],
    [255, 190, 70],
    [255, 255, 255],
];

fn colour(delta: f32, full_scale: f32) -> [u8; 3] {
    if delta <= 0.0 {
        return [0; 3];
    }
    let mut bound = full_scale / 255.0;
    for step in RAMP {
        if delta <= bound {
            return step;
        }
        bound *= 2.0;
    }
    RAMP[RAMP.len() - 1]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_is_black_and_more_is_brighter() {
        assert_eq!(colour(0.0, 255.0), [0; 3]);
        let mut last = 0;
        for delta in [1.0, 1.5, 3.0, 7.0, 15.0, 31.0, 63.0, 127.0, 255.0] {
            let sum: u32 = colour(delta, 255.0).iter().map(|c| u32::from(*c)).sum();
            assert!(sum > last, "{delta}: {sum} after {last}");
            last = sum;
        }
        assert_eq!(colour(f32::INFINITY, 1.0), [255; 3]);
    }
}
