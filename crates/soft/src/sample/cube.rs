//! Cube: faces of a direction, and texels across the edges of a face. Rules: "Cube maps".

/// Which of x, y, z (with its sign) is s, t and the major axis of each face.
const FACES: [[(usize, f32); 3]; 6] = [
    [(2, -1.0), (1, -1.0), (0, 1.0)],
    [(2, 1.0), (1, -1.0), (0, -1.0)],
    [(0, 1.0), (2, 1.0), (1, 1.0)],
    [(0, 1.0), (2, -1.0), (1, -1.0)],
    [(0, 1.0), (1, -1.0), (2, 1.0)],
    [(0, -1.0), (1, -1.0), (2, -1.0)],
];

/// The face that a direction points at.
#[inline(always)]
pub fn face(direction: [f32; 3]) -> usize {
    let [x, y, z] = direction.map(f32::abs);
    let axis = if z >= x && z >= y {
        2
    } else if y >= x {
        1
    } else {
        0
    };
    axis * 2 + usize::from(direction[axis] < 0.0)
}

/// `s`, `t` and the major component of a vector, as a face sees them; the major one is positive on the face.
#[inline(always)]
pub fn on_face(face: usize, vector: [f32; 3]) -> [f32; 3] {
    // A negated component, never a product: -1 * x has the same bits, but a select is what lanes do.
    FACES[face].map(|(axis, sign)| if sign < 0.0 { -vector[axis] } else { vector[axis] })
}

/// A texel on a face.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    pub face: usize,
    pub x: i32,
    pub y: i32,
}

/// The texel that stands at (i, j), at most one of which is outside the face of size n, and by one at most.
pub fn across(place: Place, n: i32) -> Place {
    let (s, t) = (2 * place.x + 1 - n, 2 * place.y + 1 - n);
    if s.abs() < n && t.abs() < n {
        return place;
    }
    // The position in units of half a texel: what is outside becomes the new major axis, the old one steps back inside.
    let (s, t, major) = if s.abs() >= n { (s.signum() * n, t, n - 1) } else { (s, t.signum() * n, n - 1) };
    let mut position = [0; 3];
    for ((axis, sign), value) in FACES[place.face].into_iter().zip([s, t, major]) {
        position[axis] = if sign < 0.0 { -value } else { value };
    }
    let axis = (0..3).find(|&axis| position[axis].abs() == n).unwrap_or(0);
    let face = axis * 2 + usize::from(position[axis] < 0);
    let [s, t, _] = FACES[face].map(|(axis, sign)| if sign < 0.0 { -position[axis] } else { position[axis] });
    Place { face, x: (s + n - 1) / 2, y: (t + n - 1) / 2 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directions_name_their_faces() {
        for (direction, want) in [
            ([1.0, 0.0, 0.0], 0),
            ([-1.0, 0.0, 0.0], 1),
            ([0.0, 1.0, 0.0], 2),
            ([0.0, -1.0, 0.0], 3),
            ([0.0, 0.0, 1.0], 4),
            ([0.0, 0.0, -1.0], 5),
            ([1.0, 1.0, 1.0], 4),
            ([1.0, -1.0, 0.5], 3),
            ([0.0, 0.0, 0.0], 4),
            ([f32::NAN, 1.0, 2.0], 0),
        ] {
            assert_eq!(face(direction), want, "{direction:?}");
        }
    }

    /// The centre of a texel as a direction.
    fn direction(place: Place, n: i32) -> [f32; 3] {
        let at = |i: i32| (2 * i + 1 - n) as f32 / n as f32;
        let mut out = [0.0; 3];
        for ((axis, sign), value) in FACES[place.face].into_iter().zip([at(place.x), at(place.y), 1.0]) {
            out[axis] = sign * value;
        }
        out
    }

    #[test]
    fn across_an_edge_lies_the_nearest_texel_of_another_face() {
        for n in [1, 2, 5, 8] {
            for face in 0..6 {
                for along in 0..n {
                    for (x, y) in [(-1, along), (n, along), (along, -1), (along, n)] {
                        let from = Place { face, x: x.clamp(0, n - 1), y: y.clamp(0, n - 1) };
                        let to = across(Place { face, x, y }, n);
                        assert_ne!(to.face, face);
                        assert!((0..n).contains(&to.x) && (0..n).contains(&to.y), "{to:?}");
                        // Both touch the common edge: their centres differ by half a texel on two axes only.
                        let (a, b) = (direction(from, n), direction(to, n));
                        let step = 1.0 / n as f32;
                        let mut apart = [0, 1, 2].map(|i| ((a[i] - b[i]).abs() / step).round() as i32);
                        apart.sort_unstable();
                        assert_eq!(apart, [0, 1, 1], "{n} {face} {x} {y} {to:?}");
                    }
                }
            }
        }
    }
}
