//! Machine: what its memory gives, beside which figures of large work are read.

use std::hint::black_box;

use super::Ready;

struct Copying {
    from: Vec<f32>,
    to: Vec<f32>,
    times: usize,
}

/// Copies of so many bytes, one thread; bytes are counted as read and as written.
pub fn copy(bytes: usize) -> Ready {
    let times = (1 << 20 >> bytes.ilog2().min(20)).max(1);
    let state = Copying { from: vec![1.0; bytes / 4], to: vec![0.0; bytes / 4], times };
    let run = |s: &mut Copying| {
        for _ in 0..s.times {
            s.to.copy_from_slice(black_box(&s.from));
            black_box(&s.to);
        }
    };
    Ready::new(2 * bytes * times, state, run, |s| &s.to)
}
