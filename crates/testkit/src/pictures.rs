//! Made frames: a sky, a chequered floor with grain, forty shaded discs, and partners that differ from it in known
//! ways. The same for the same size everywhere: tests, benches and the peers see one and the same picture.

use stillframe_base::math::colour::srgb8_from_linear;
use stillframe_base::rng::Rng;
use stillframe_frames::{Picture, Samples};

/// How a partner differs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    Same,
    /// One step up or down in 2 % of the pixels.
    Lsb,
    /// One disc moved by a third of a pixel, a small one by six pixels.
    Edge,
    /// All pixels 6 % brighter.
    Gain,
    /// A disc is gone.
    Missing,
}

/// Linear red, green and blue, rows top to bottom.
pub struct Frame {
    pub width: u32,
    pub height: u32,
    pub linear: Vec<[f32; 3]>,
}

struct Disc {
    x: f32,
    y: f32,
    radius: f32,
    colour: [f32; 3],
}

const DISCS: u64 = 40;

impl Frame {
    pub fn new(width: u32, height: u32, change: Change) -> Frame {
        let mut frame = Frame { width, height, linear: Vec::with_capacity(width as usize * height as usize) };
        let (w, h) = (width as f32, height as f32);
        let horizon = 0.45 * h;
        for y in 0..height {
            let mut grain = Rng::new(7).stream("grain", u64::from(y));
            for x in 0..width {
                let (x, y) = (x as f32 + 0.5, y as f32 + 0.5);
                frame.linear.push(if y < horizon {
                    let t = y / horizon;
                    [0.12 + 0.4 * t, 0.25 + 0.4 * t, 0.6 + 0.25 * t]
                } else {
                    let depth = h / (y - horizon + 0.02 * h);
                    let (u, v) = ((x / w - 0.5) * depth * 8.0, depth * 6.0);
                    let board = if (u.floor() as i32 + v.floor() as i32) % 2 == 0 { 0.45 } else { 0.08 };
                    let value = board * (0.97 + 0.06 * grain.unit_f32());
                    [value, value * 0.96, value * 0.9]
                });
            }
        }
        for index in 0..DISCS {
            let mut stream = Rng::new(7).stream("disc", index);
            let mut next = || stream.unit_f32();
            let mut disc = Disc {
                x: next() * w,
                y: next() * h,
                radius: (0.01 + 0.05 * next() * next()) * w,
                colour: [0.05 + 0.9 * next(), 0.05 + 0.9 * next(), 0.05 + 0.9 * next()],
            };
            match (change, index) {
                (Change::Edge, 11) => disc.x += 1.0 / 3.0,
                (Change::Edge, 23) => (disc.x, disc.radius) = (disc.x + 6.0, disc.radius),
                (Change::Missing, 11) => continue,
                _ => {}
            }
            frame.add(&disc);
        }
        if change == Change::Gain {
            frame.linear.iter_mut().flatten().for_each(|v| *v *= 1.06);
        }
        frame
    }

    fn add(&mut self, disc: &Disc) {
        let reach = disc.radius + 1.0;
        let range =
            |centre: f32, side: u32| (centre - reach).max(0.0) as u32..((centre + reach).max(0.0) as u32 + 1).min(side);
        for y in range(disc.y, self.height) {
            for x in range(disc.x, self.width) {
                let (dx, dy) = (x as f32 + 0.5 - disc.x, y as f32 + 0.5 - disc.y);
                let distance = (dx * dx + dy * dy).sqrt();
                let cover = (disc.radius - distance + 0.5).clamp(0.0, 1.0);
                let (nx, ny) = (dx / disc.radius, dy / disc.radius);
                let nz = (1.0 - nx * nx - ny * ny).max(0.0).sqrt();
                let light = (-0.5 * nx - 0.6 * ny + 0.62 * nz).max(0.0);
                let shine = light * light * light * light;
                let shine = shine * shine * shine * shine * 0.8;
                let pixel = &mut self.linear[(y * self.width + x) as usize];
                for (value, colour) in pixel.iter_mut().zip(disc.colour) {
                    *value += cover * (colour * (0.08 + 0.9 * light) + shine - *value);
                }
            }
        }
    }

    /// 8 bit, 3 or 4 channels (alpha 255).
    pub fn encoded(&self, channels: u32) -> Picture {
        let mut samples = Vec::with_capacity(self.linear.len() * channels as usize);
        for pixel in &self.linear {
            samples.extend(pixel.map(srgb8_from_linear));
            samples.extend((channels == 4).then_some(255));
        }
        Picture::new(self.width, self.height, channels, Samples::U8(samples)).unwrap()
    }

    /// Floats: highlights go up to some tens, shadows down to thousandths.
    pub fn bright(&self) -> Picture {
        let samples = self.linear.iter().flatten().map(|v| 0.002 + v * v * v * 40.0).collect();
        Picture::new(self.width, self.height, 3, Samples::F32(samples)).unwrap()
    }
}

/// The 8-bit frame and its partner.
pub fn pair(width: u32, height: u32, channels: u32, change: Change) -> (Picture, Picture) {
    let old = Frame::new(width, height, Change::Same).encoded(channels);
    if change == Change::Lsb {
        let mut new = old.clone();
        let Samples::U8(samples) = &mut new.samples else { unreachable!("8 bit") };
        let mut noise = Rng::new(7).stream("noise", 0);
        for pixel in samples.chunks_exact_mut(channels as usize) {
            let bits = noise.next_u32();
            if bits % 100 < 2 {
                let channel = (bits >> 8) as usize % 3;
                let value = pixel[channel];
                pixel[channel] = if bits >> 16 & 1 == 0 { value.saturating_sub(1) } else { value.saturating_add(1) };
            }
        }
        return (old, new);
    }
    (old, Frame::new(width, height, change).encoded(channels))
}

/// The float frame and its partner.
pub fn bright_pair(width: u32, height: u32, change: Change) -> (Picture, Picture) {
    (Frame::new(width, height, Change::Same).bright(), Frame::new(width, height, change).bright())
}
