//! Normals that an OBJ file leaves out but asks for: faces of one smoothing group share them.
//!
//! A corner without a normal in a group other than 0 gets the sum of the normals of the faces of its group that meet in
//! its position, each weighted by its angle there (Thurmer & Wuthrich 1998). Groups are told before faces are parted by
//! material or texture coordinates: both sides of a seam get the same bits. In group 0 (`s off`, or no `s` at all)
//! faces are flat, and baking makes their normals.

use glam::DVec3;
use stillframe_base::math::ops;

use super::text::{NONE, Text};

/// Appends normals to the file's own and names them in the corners; `groups` is the smoothing group of each face.
/// Positions named by corners are in range.
pub fn make(text: &mut Text, groups: &[u32]) {
    let Text { positions, normals, corners, counts, .. } = text;
    let mut wanted: Vec<(u64, u32)> = Vec::new();
    let mut start = 0;
    for (count, group) in counts.iter().zip(groups) {
        let end = start + *count as usize;
        if *group != 0 && corners[start..end].iter().any(|c| c[2] == NONE) {
            for corner in start..end {
                wanted.push((u64::from(corners[corner][0]) << 32 | u64::from(*group), corner as u32));
            }
        }
        start = end;
    }
    if wanted.is_empty() {
        return;
    }
    // What each corner adds, in file order.
    let mut shares = vec![[0.0_f32; 3]; corners.len()];
    let mut start = 0;
    for (count, group) in counts.iter().zip(groups) {
        let end = start + *count as usize;
        if *group != 0 {
            let at = |corner: usize| {
                let corner = start + corner % *count as usize;
                DVec3::from(positions[corners[corner][0] as usize].map(f64::from))
            };
            let normal = newell((0..*count as usize).map(at), at(0));
            for corner in 0..*count as usize {
                let here = at(corner);
                let (before, after) = (at(corner + *count as usize - 1) - here, at(corner + 1) - here);
                shares[start + corner] = (normal * f64::from(angle_rad(before, after))).as_vec3().to_array();
            }
        }
        start = end;
    }
    wanted.sort_unstable();
    for same in wanted.chunk_by(|a, b| a.0 == b.0) {
        let sum = same.iter().fold(DVec3::ZERO, |sum, (_, c)| sum + DVec3::from(shares[*c as usize].map(f64::from)));
        let index = normals.len() as u32;
        normals.push(sum.normalize_or_zero().as_vec3().to_array());
        for (_, corner) in same {
            let stored = &mut corners[*corner as usize][2];
            if *stored == NONE {
                *stored = index;
            }
        }
    }
}

/// The unit normal of a polygon, flat or nearly so; zero where it has no area.
fn newell(points: impl Iterator<Item = DVec3>, first: DVec3) -> DVec3 {
    let mut points = points.map(|p| p - first);
    let Some(mut before) = points.next() else { return DVec3::ZERO };
    let mut sum = DVec3::ZERO;
    for point in points {
        sum += before.cross(point);
        before = point;
    }
    sum.normalize_or_zero()
}

fn angle_rad(a: DVec3, b: DVec3) -> f32 {
    let lengths = (a.length_squared() * b.length_squared()).sqrt();
    if lengths > 0.0 { ops::acos((a.dot(b) / lengths).clamp(-1.0, 1.0) as f32) } else { 0.0 }
}
