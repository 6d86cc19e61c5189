//! Ltc: the table behind the highlights of lights with an area.
//!
//! Sources: Heitz, Dupuy, Hill, Neubelt 2016 (linearly transformed cosines), Hill, Heitz 2016 (their Fresnel term).
//! The lobe of GGX, times its cosine and without its Fresnel term, is fitted by a cosine of transformed directions:
//! x' = k^4 (x - m tan(angle) z) / 2 alpha, y' = w y / 2 alpha, z' = z, with x away from the mirror's direction.
//!
//! Ours: the plane of the surface stays where it is, which costs one number of theirs, and the three that are left
//! hardly change: `ltc_table.txt` needs 22 x 22 of them, in 32768ths. Made by the fit in the tests, which make it
//! again.

use std::sync::LazyLock;

use crate::shader::{ALBEDO_SIZE, albedo_table};

/// Nodes along each side; three texels of the albedo table apart.
const NODES: usize = 22;
const STEP: usize = 3;

/// `k`, `m` and `w` of each node: columns of the root of the cosine to the eye, rows of roughness.
fn nodes() -> Vec<[f32; 3]> {
    let word = |word: &str| f32::from(u16::from_str_radix(word, 16).expect("hexadecimal words")) / 32768.0;
    let numbers: Vec<f32> = include_str!("ltc_table.txt").split_ascii_whitespace().map(word).collect();
    assert_eq!(numbers.len(), NODES * NODES * 3, "the table is square");
    numbers.chunks_exact(3).map(|node| [node[0], node[1], node[2]]).collect()
}

/// `lobe_table` of `area.wgsl`: two values for each texel of the albedo table, the shape of the lobe and its albedo.
pub fn lobe_table() -> &'static [[f32; 4]] {
    // Every pass of a picture asks for it.
    static TABLE: LazyLock<Vec<[f32; 4]>> = LazyLock::new(filled);
    &TABLE
}

fn filled() -> Vec<[f32; 4]> {
    let (size, nodes, albedo) = (ALBEDO_SIZE as usize, nodes(), albedo_table());
    let mut out = Vec::with_capacity(size * size * 2);
    for row in 0..size {
        for column in 0..size {
            out.push(between(&nodes, column, row));
            let texel = &albedo[(row * size + column) * 4..][..2];
            out.push([half(texel[0]), half(texel[1]), 0.0, 0.0]);
        }
    }
    out
}

/// The nodes around a texel, blended.
fn between(nodes: &[[f32; 3]], column: usize, row: usize) -> [f32; 4] {
    let (i, j) = ((column / STEP).min(NODES - 2), (row / STEP).min(NODES - 2));
    let part = |at: usize, node: usize| (at - node * STEP) as f32 / STEP as f32;
    let (x, y) = (part(column, i), part(row, j));
    let at = |i: usize, j: usize, n: usize| nodes[j * NODES + i][n];
    let value = |n: usize| {
        let [low, high] = [j, j + 1].map(|j| at(i, j, n) + (at(i + 1, j, n) - at(i, j, n)) * x);
        low + (high - low) * y
    };
    [value(0), value(1), value(2), 0.0]
}

/// A positive half float.
fn half(bits: u16) -> f32 {
    let (exponent, fraction) = (u32::from(bits >> 10), f32::from(bits & 1023));
    if exponent == 0 {
        fraction / 16_777_216.0
    } else {
        (1.0 + fraction / 1024.0) * f32::from_bits((exponent + 112) << 23)
    }
}

#[cfg(test)]
mod tests {
    use stillframe_base::math::ops64 as m;

    use super::*;

    type Vector = [f64; 3];

    /// Samples along each side; half of the azimuths, since the lobe is symmetric.
    const SAMPLES: (usize, usize) = (40, 20);

    /// A lobe to be fitted.
    struct Target {
        alpha: f64,
        sin: f64,
        nv: f64,
        /// Directions by the visible normals.
        directions: Vec<Vector>,
        /// G2 / G1 of each.
        shares: Vec<f64>,
        albedo: f64,
    }

    fn lambda(alpha: f64, cos: f64) -> f64 {
        ((1.0 + alpha * alpha * (1.0 - cos * cos) / (cos * cos)).sqrt() - 1.0) / 2.0
    }

    fn grid() -> impl Iterator<Item = (f64, f64)> {
        let (rings, turns) = SAMPLES;
        (0..rings * turns).map(move |at| {
            let (ring, turn) = (at / turns, at % turns);
            ((ring as f64 + 0.5) / rings as f64, (turn as f64 + 0.5) / turns as f64 * std::f64::consts::PI)
        })
    }

    impl Target {
        fn new(column: usize, row: usize) -> Target {
            let place = |at: usize| at as f64 / (NODES - 1) as f64;
            let nv = (place(column) * place(column)).clamp(1e-4, 0.9999);
            let alpha = (place(row) * place(row)).max(0.002025);
            let sin = (1.0 - nv * nv).sqrt();
            let length = (alpha * alpha * sin * sin + nv * nv).sqrt();
            let (vx, vz) = (alpha * sin / length, nv / length);
            let mut target = Target { alpha, sin, nv, directions: Vec::new(), shares: Vec::new(), albedo: 0.0 };
            for (ring, turn) in grid() {
                // Visible normals (Heitz 2018) in the frame (y, t, v) of the stretched view.
                let radius = ring.sqrt();
                let (sin_turn, cos_turn) = m::sin_cos(turn - std::f64::consts::FRAC_PI_2);
                let (y, up) = (radius * cos_turn, 0.5 * (1.0 + vz));
                let t = (1.0 - up) * (1.0 - y * y).max(0.0).sqrt() + up * radius * sin_turn;
                let rest = (1.0 - y * y - t * t).max(0.0).sqrt();
                let h = [alpha * (rest * vx - t * vz), alpha * y, (rest * vz + t * vx).max(0.0)];
                let length = (h[0] * h[0] + h[1] * h[1] + h[2] * h[2]).sqrt();
                let h = h.map(|x| x / length);
                let vh = sin * h[0] + nv * h[2];
                let l = [2.0 * vh * h[0] - sin, 2.0 * vh * h[1], 2.0 * vh * h[2] - nv];
                target.shares.push(if l[2] > 1e-9 { target.share(l[2]) } else { 0.0 });
                target.directions.push(l);
            }
            target.albedo = target.shares.iter().sum::<f64>() / target.shares.len() as f64;
            target
        }

        /// G2 / G1.
        fn share(&self, nl: f64) -> f64 {
            let (eye, light) = (lambda(self.alpha, self.nv), lambda(self.alpha, nl));
            (1.0 + eye) / (1.0 + eye + light)
        }

        /// D G2 cos / (4 nl nv), over the albedo.
        fn lobe(&self, l: Vector) -> f64 {
            let h = [l[0] + self.sin, l[1], l[2] + self.nv];
            let length2 = h[0] * h[0] + h[1] * h[1] + h[2] * h[2];
            let (nh2, a2) = (h[2] * h[2] / length2, self.alpha * self.alpha);
            let s = nh2 * a2 + (1.0 - nh2);
            let root = |x: f64| (x * x * (1.0 - a2) + a2).sqrt();
            let visible = 0.5 / (l[2] * root(self.nv) + self.nv * root(l[2]));
            a2 / (std::f64::consts::PI * s * s) * visible * l[2] / self.albedo
        }

        /// The transform of three numbers: scale and slope along x, scale along y.
        fn transform(&self, [k, share, w]: [f64; 3]) -> [f64; 3] {
            let narrow = 0.5 / self.alpha;
            let along = k * k * k * k * narrow;
            [along, along * share * self.sin / self.nv, w * narrow]
        }

        /// Integral of (lobe - fit)^2 / (lobe + fit), by samples of both.
        fn error(&self, numbers: [f64; 3]) -> f64 {
            if numbers[0] < 1e-3 || numbers[1] < 0.0 || numbers[2] < 1e-3 {
                return 10.0;
            }
            let [along, slope, across] = self.transform(numbers);
            let fit = |l: Vector| {
                let x = along * l[0] + slope * l[2];
                let y = across * l[1];
                let length2 = x * x + y * y + l[2] * l[2];
                l[2] * along * across / (std::f64::consts::PI * length2 * length2)
            };
            let part = |l: Vector| {
                let (lobe, fit) = (self.lobe(l), fit(l));
                let density = (lobe * self.albedo / self.share(l[2]) + fit) / 2.0;
                (lobe - fit) * (lobe - fit) / ((lobe + fit) * density).max(1e-300)
            };
            let mut sum = 0.0;
            for l in &self.directions {
                sum += if l[2] > 1e-9 { part(*l) } else { 0.0 };
            }
            for (ring, turn) in grid() {
                let (sin_turn, cos_turn) = m::sin_cos(turn);
                let (radius, z) = (ring.sqrt(), (1.0 - ring).sqrt());
                let l = [(radius * cos_turn - slope * z) / along, radius * sin_turn / across, z];
                let length = (l[0] * l[0] + l[1] * l[1] + l[2] * l[2]).sqrt();
                let l = l.map(|x| x / length);
                sum += if l[2] > 1e-9 { part(l) } else { 0.0 };
            }
            sum / (2 * self.directions.len()) as f64
        }

        /// The best three numbers near a start (Nelder, Mead 1965), and their error.
        fn fit(&self, start: [f64; 3]) -> ([f64; 3], f64) {
            let mut points = vec![start];
            for (axis, step) in [0.05 * start[0] + 0.01, 0.05, 0.05 * start[2] + 0.01].into_iter().enumerate() {
                let mut point = start;
                point[axis] += step;
                points.push(point);
            }
            let mut simplex: Vec<([f64; 3], f64)> = points.into_iter().map(|at| (at, self.error(at))).collect();
            for _ in 0..160 {
                simplex.sort_by(|a, b| a.1.total_cmp(&b.1));
                let worst = simplex[3];
                let middle = [0, 1, 2].map(|n| (simplex[0].0[n] + simplex[1].0[n] + simplex[2].0[n]) / 3.0);
                let along = |by: f64| {
                    let at = [0, 1, 2].map(|n| middle[n] + (worst.0[n] - middle[n]) * by);
                    (at, self.error(at))
                };
                let turned = along(-1.0);
                simplex[3] = if turned.1 < simplex[0].1 {
                    let far = along(-2.0);
                    if far.1 < turned.1 { far } else { turned }
                } else if turned.1 < simplex[2].1 {
                    turned
                } else {
                    let near = if turned.1 < worst.1 { along(-0.5) } else { along(0.5) };
                    if near.1 < worst.1.min(turned.1) {
                        near
                    } else {
                        for n in 1..4 {
                            let at = [0, 1, 2].map(|c| (simplex[n].0[c] + simplex[0].0[c]) / 2.0);
                            simplex[n] = (at, self.error(at));
                        }
                        continue;
                    }
                };
            }
            simplex.sort_by(|a, b| a.1.total_cmp(&b.1));
            simplex[0]
        }
    }

    /// Rows from smooth to rough: the best near the row before, near the column before, and from a lobe that lies low.
    fn derive() -> String {
        let mut columns: Vec<Vec<[f64; 3]>> = Vec::new();
        for column in 0..NODES {
            let mut rows: Vec<[f64; 3]> = Vec::new();
            for row in 0..NODES {
                let target = Target::new(column, row);
                let mut starts = vec![[0.1, 0.2, 1.2]];
                starts.push(rows.last().copied().unwrap_or([target.nv.sqrt(), 1.0, 1.0]));
                starts.extend(columns.last().map(|column| column[row]));
                let fits = starts.into_iter().map(|start| target.fit(start));
                rows.push(fits.min_by(|a, b| a.1.total_cmp(&b.1)).expect("there are starts").0);
            }
            columns.push(rows);
        }
        // Straight down the mirror's slope is 0, whatever its share.
        let (last, before) = (columns[NODES - 1].clone(), columns[NODES - 2].clone());
        columns[NODES - 1] = last.iter().zip(before).map(|(last, before)| [last[0], before[1], last[2]]).collect();
        let word = |number: f64| format!("{:04x}", (number * 32768.0 + 0.5).clamp(0.0, 65535.0) as u16);
        let line = |row: usize| {
            let words: Vec<String> = columns.iter().flat_map(|column| column[row].map(word)).collect();
            words.join(" ") + "\n"
        };
        (0..NODES).map(line).collect()
    }

    #[test]
    #[expect(clippy::disallowed_methods, reason = "a test reads its own switches from the environment")]
    fn lobes_of_area_lights_can_be_fitted_again() {
        if std::env::var("STILLFRAME_UPDATE").is_ok_and(|what| what == "all") {
            let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/light/ltc_table.txt");
            std::fs::write(file, derive()).expect("the table can be written");
            return;
        }
        let nodes = nodes();
        let mut worst = 0.0f64;
        for at in (0..NODES * (NODES - 1)).step_by(5) {
            let (column, row) = (at % (NODES - 1), at / (NODES - 1));
            let table = nodes[row * NODES + column].map(f64::from);
            let target = Target::new(column, row);
            let start = [table[0] * 1.05, table[1] * 0.9, table[2] * 1.05];
            let ((found, least), error) = (target.fit(start), target.error(table));
            // Steps of the table show where the eye is almost in the plane.
            let step = if column == 0 { 1e-2 } else { 1e-3 };
            assert!(error <= least + step, "{column} {row}: {table:?} is {error} off, {found:?} {least}");
            for n in [0, 2] {
                assert!((found[n] - table[n]).abs() <= 0.01, "{column} {row}: {table:?} for {found:?}");
            }
            worst = worst.max(error);
        }
        assert!(worst < 0.5, "{worst}");
    }

    /// At normal incidence the lobe is round; a smooth one looks straight into the mirror.
    #[test]
    fn lobes_are_round_from_above_and_mirror_where_smooth() {
        let nodes = nodes();
        for row in 0..NODES {
            let [k, _, w] = nodes[row * NODES + NODES - 1];
            assert!((k * k * k * k - w).abs() < 0.02, "{row}: {k} {w}");
        }
        for column in 3..NODES {
            let ([k, share, w], place) = (nodes[column], column as f32 / 21.0);
            assert!((k - place).abs() < 0.01 && (share - 1.0).abs() < 0.03 && (w - 1.0).abs() < 0.03, "{column}");
        }
    }
}
