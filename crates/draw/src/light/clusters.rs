//! Clusters: which lights can reach which part of what a camera sees (clustered shading: Olsson, Billeter, Assarsson
//! 2012).
//!
//! A cluster is a square tile of pixels between two depths. Depths part where the upper bits of their floats do, four
//! times an octave, so that shaders and this file agree to the bit. A list holds every light whose range and cone touch
//! its cluster, and may hold others: a light sends exactly 0 out of both. Lists name lights in rising order, the order
//! in which they are summed up.

use glam::{DMat4, DVec3, Vec3};

use super::seen_reach::SeenReach;
use crate::view::{DrawItem, Shot, ShotCamera};

/// Clusters: `cluster_list`. Group 1. Needs `shader::COMMON`.
pub const CLUSTERS: &str = include_str!("clusters.wgsl");

/// Upper bits of a float that number its depth: sign, exponent, and two bits behind it.
const SLICE_SHIFT: u32 = 21;
const SLICES_MAX: u32 = 64;
const TILE_MIN_PX: u32 = 16;
/// Tiles across or down.
const TILES_MAX: u32 = 64;
/// Entries of all lists. Where there would be more, tiles are larger.
const ENTRIES_MAX: usize = 1 << 22;
/// Words before the places of lists: tile size, columns, rows, first slice, slices.
const HEADER: usize = 5;

/// The words that shaders read: a header, where each cluster's list begins, the end of the last, then the lists.
pub fn clusters(shot: &Shot, size_px: [u32; 2]) -> Vec<u32> {
    let [width, height] = size_px;
    let slices = Slices::of(shot);
    let reaches: Vec<SeenReach> = shot.lights.iter().map(|light| SeenReach::new(shot, light)).collect();
    let mut tile_px = TILE_MIN_PX;
    loop {
        let [columns, rows] = [width.div_ceil(tile_px), height.div_ceil(tile_px)];
        if columns.max(rows) <= TILES_MAX {
            let grid = Grid::new(&shot.camera, size_px, tile_px, slices);
            let counts = grid.counts(&reaches);
            let total: usize = counts.iter().map(|count| *count as usize).sum();
            if total <= ENTRIES_MAX || columns * rows == 1 {
                return grid.words(&reaches, &counts);
            }
        }
        tile_px *= 2;
    }
}

/// The words of one list for all that is seen, whatever its lights reach: they send exactly 0 elsewhere.
pub fn one_list(lights: &[u32]) -> Vec<u32> {
    // One tile, wider than any picture, and one slice.
    let first = (HEADER + 2) as u32;
    let mut out = vec![1 << 16, 1, 1, 0, 1, first, first + lights.len() as u32];
    out.extend(lights);
    out
}

/// Depths that part clusters.
#[derive(Clone, Copy, Debug)]
struct Slices {
    first: u32,
    count: u32,
}

impl Slices {
    /// From the nearest to the farthest depth of what is seen.
    fn of(shot: &Shot) -> Slices {
        let depth_m = |point: Vec3| -shot.camera.view_from_world.transform_point3(point).z;
        let corners = |item: &DrawItem| item.bounds_world.corners();
        let depths: Vec<f32> =
            shot.opaque.iter().chain(&shot.blended).flat_map(corners).map(depth_m).filter(|m| m.is_finite()).collect();
        let nearest_m = depths.iter().copied().fold(f32::MAX, f32::min).max(shot.camera.near_m).max(1e-6);
        let farthest_m = depths.iter().copied().fold(nearest_m, f32::max);
        let number = |depth_m: f32| depth_m.to_bits() >> SLICE_SHIFT;
        let first = number(nearest_m);
        Slices { first, count: (number(farthest_m) - first + 1).min(SLICES_MAX) }
    }

    /// Depths of a slice. The first begins at the eye, and the last has no end.
    fn range_m(self, slice: u32) -> [f64; 2] {
        let begin = |slice: u32| f64::from(f32::from_bits((self.first + slice) << SLICE_SHIFT));
        let near = if slice == 0 { 0.0 } else { begin(slice) * (1.0 - 1e-4) };
        let far = if slice + 1 == self.count { f64::INFINITY } else { begin(slice + 1) * (1.0 + 1e-4) };
        [near, far]
    }
}

/// The clusters of a camera, as boxes in its space: each is where an interval of x, one of y and one of depth meet.
struct Grid {
    tile_px: u32,
    slices: Slices,
    /// By slice, then by column.
    columns: Vec<Vec<[f64; 2]>>,
    /// By slice, then by row.
    rows: Vec<Vec<[f64; 2]>>,
}

impl Grid {
    fn new(camera: &ShotCamera, [width, height]: [u32; 2], tile_px: u32, slices: Slices) -> Grid {
        let clip = camera.clip_from_view.as_dmat4();
        // `up`: pixels go against the axis.
        let intervals = |size_px: u32, axis: usize, up: f64| -> Vec<Vec<[f64; 2]>> {
            // A pixel more on each side: samples and centroids lie beside the centre.
            let edges = |tile: u32| {
                let edge = |px: f64| (2.0 * px / f64::from(size_px) - 1.0) * up;
                [edge(f64::from(tile * tile_px) - 1.0), edge(f64::from((tile + 1) * tile_px) + 1.0)]
            };
            let of_slice = |slice| {
                let depths_m = slices.range_m(slice);
                (0..size_px.div_ceil(tile_px)).map(|tile| interval(clip, axis, edges(tile), depths_m)).collect()
            };
            (0..slices.count).map(of_slice).collect()
        };
        Grid { tile_px, slices, columns: intervals(width, 0, 1.0), rows: intervals(height, 1, -1.0) }
    }

    /// Columns and rows.
    fn size(&self) -> [usize; 2] {
        [self.columns[0].len(), self.rows[0].len()]
    }

    /// Every cluster that a light can reach.
    fn touched(&self, reach: SeenReach, mut visit: impl FnMut(usize)) {
        let [columns, rows] = self.size();
        let mut visit = |cluster: usize| {
            if reach
                .cone
                .is_none_or(|cone| self.ball(cluster).is_none_or(|(center, radius_m)| !cone.misses(center, radius_m)))
            {
                visit(cluster);
            }
        };
        let Some((center, radius_m)) = reach.sphere else {
            (0..columns * rows * self.slices.count as usize).for_each(visit);
            return;
        };
        for slice in 0..self.slices.count {
            let left = radius_m * radius_m - gap2(self.slices.range_m(slice), -center.z);
            for (row, y) in self.rows[slice as usize].iter().enumerate() {
                let left = left - gap2(*y, center.y);
                if left < 0.0 {
                    continue;
                }
                for (column, x) in self.columns[slice as usize].iter().enumerate() {
                    if gap2(*x, center.x) <= left {
                        visit((slice as usize * rows + row) * columns + column);
                    }
                }
            }
        }
    }

    /// The ball about a cluster, in the camera's space; `None`: it has no end.
    fn ball(&self, cluster: usize) -> Option<(DVec3, f64)> {
        let [columns, rows] = self.size();
        let (slice, row, column) = (cluster / (columns * rows), cluster / columns % rows, cluster % columns);
        let [near, far] = self.slices.range_m(slice as u32);
        let [x, y] = [self.columns[slice][column], self.rows[slice][row]];
        let low = DVec3::new(x[0], y[0], -far);
        let high = DVec3::new(x[1], y[1], -near);
        let radius_m = (high - low).length() * 0.5;
        radius_m.is_finite().then(|| ((low + high) * 0.5, radius_m))
    }

    /// Lights of each cluster.
    fn counts(&self, reaches: &[SeenReach]) -> Vec<u32> {
        let [columns, rows] = self.size();
        let mut counts = vec![0; columns * rows * self.slices.count as usize];
        reaches.iter().for_each(|reach| self.touched(*reach, |cluster| counts[cluster] += 1));
        counts
    }

    fn words(&self, reaches: &[SeenReach], counts: &[u32]) -> Vec<u32> {
        let [columns, rows] = self.size().map(|count| count as u32);
        let mut words = vec![self.tile_px, columns, rows, self.slices.first, self.slices.count];
        let mut end = (HEADER + counts.len() + 1) as u32;
        words.push(end);
        for count in counts {
            end += count;
            words.push(end);
        }
        words.resize(end as usize, 0);
        let mut next = words[HEADER..HEADER + counts.len()].to_vec();
        for (light, reach) in reaches.iter().enumerate() {
            self.touched(*reach, |cluster| {
                words[next[cluster] as usize] = light as u32;
                next[cluster] += 1;
            });
        }
        words
    }
}

/// What part of an axis of the camera's space two edges of the picture hold between two depths.
fn interval(clip_from_view: DMat4, axis: usize, edges: [f64; 2], depths_m: [f64; 2]) -> [f64; 2] {
    let at = |edge: f64, depth_m: f64| {
        let [slope, rest] = edge_line(clip_from_view, axis, edge);
        if slope == 0.0 { rest } else { slope * depth_m + rest }
    };
    let corners = edges.map(|edge| depths_m.map(|depth_m| at(edge, depth_m)));
    let all = corners.as_flattened();
    [all.iter().copied().fold(f64::INFINITY, f64::min), all.iter().copied().fold(f64::NEG_INFINITY, f64::max)]
}

/// Where an edge of the picture is on an axis of the camera's space: slope and rest of a line over depth.
pub(super) fn edge_line(clip_from_view: DMat4, axis: usize, edge: f64) -> [f64; 2] {
    let [z, w] = [clip_from_view.z_axis, clip_from_view.w_axis];
    let scale = clip_from_view.col(axis)[axis];
    // clip = scale x - z depth + w, and edge = clip / clip.w.
    [(z[axis] - edge * z.w) / scale, (edge * w.w - w[axis]) / scale]
}

/// The squared distance from an interval.
fn gap2([low, high]: [f64; 2], at: f64) -> f64 {
    let gap = (low - at).max(at - high).max(0.0);
    gap * gap
}

#[cfg(test)]
mod tests {
    use glam::Mat4;
    use proptest::prelude::*;
    use stillframe_base::geom::Aabb;
    use stillframe_base::math::camera::{look_rotation, orthographic, perspective, view_from_world};

    use super::*;
    use crate::asset::{GeometryId, MaterialId};
    use crate::scene::{LightKind, Projection};
    use crate::view::ShotLight;

    /// The list of a point of the view, as `cluster_list` finds it.
    fn list(words: &[u32], pixel: [f32; 2], depth_m: f32) -> &[u32] {
        let [tile, columns, rows, first, count] = std::array::from_fn(|at| words[at]);
        let [column, row] = pixel.map(|px| px as u32 / tile);
        let slice = (depth_m.max(0.0).to_bits() >> SLICE_SHIFT).clamp(first, first + count - 1) - first;
        let at = HEADER + ((slice * rows + row) * columns + column) as usize;
        &words[words[at] as usize..words[at + 1] as usize]
    }

    fn view(orthographic_view: bool, eye: Vec3, look_at: Vec3, lights: Vec<ShotLight>, bounds: Aabb) -> Shot {
        let rotation = look_rotation((look_at - eye).normalize_or(Vec3::NEG_Z), Vec3::Y);
        let (projection, clip_from_view) = match orthographic_view {
            false => (Projection::Perspective { fov_y_rad: 0.9 }, perspective(0.9, 1.5, 0.1, None)),
            true => (Projection::Orthographic { height_m: 8.0 }, orthographic(8.0, 1.5, 0.1, 100.0)),
        };
        let camera = ShotCamera {
            view_from_world: view_from_world(eye, rotation),
            clip_from_view,
            position: eye,
            lens: None,
            projection,
            near_m: 0.1,
            far_m: orthographic_view.then_some(100.0),
            clip_plane: None,
        };
        Shot {
            camera_before: camera.clone(),
            camera,
            opaque: vec![DrawItem {
                geometry: GeometryId::new(0),
                bent: None,
                crowd: None,
                material: MaterialId::new(0),
                world_from_local: Mat4::IDENTITY,
                world_from_local_before: Mat4::IDENTITY,
                normal_from_local: Mat4::IDENTITY,
                object_id: 1,
                mirrored: false,
                bounds_world: bounds,
            }],
            blended: Vec::new(),
            casters: Vec::new(),
            veils: Vec::new(),
            lights,
            functions: Vec::new(),
            bents: Vec::new(),
            crowds: Vec::new(),
            bounds_world: bounds,
            object_names: Vec::new(),
        }
    }

    fn lamp(position: Vec3, range_m: Option<f32>) -> ShotLight {
        ShotLight {
            name: String::new(),
            kind: LightKind::point(1.0, range_m),
            color: [1.0; 3],
            position,
            direction: Vec3::NEG_Z,
            across: Vec3::X,
            shadow: None,
            file: None,
            function: None,
        }
    }

    fn place(extent: f32) -> impl Strategy<Value = Vec3> {
        [-extent..extent, -extent..extent, -extent..extent].prop_map(Vec3::from)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        /// Every light whose range holds a point is in the list of the point's cluster, once, in rising order.
        #[test]
        fn lists_hold_every_light_in_range(
            orthographic_view: bool,
            eye in place(6.0),
            look_at in place(6.0),
            lamps in prop::collection::vec((place(8.0), 0.01f32..6.0), 0..40),
            points in prop::collection::vec(place(8.0), 200),
            size_px in [1u32..300, 1u32..300],
        ) {
            let lamp = |(at, (position, range_m)): (usize, (Vec3, f32))| {
                let own = lamp(position, Some(range_m).filter(|_| at % 16 != 3));
                let outer_rad = 0.02 + 0.05 * (at % 31) as f32;
                // Every third one is a spot that shines past the origin.
                let direction = (Vec3::new(0.3, -0.5, 0.2) * at as f32 * 0.1 - position).normalize_or(Vec3::Y);
                let LightKind::Point { range_m, .. } = own.kind else { unreachable!() };
                let kind = LightKind::spot(1.0, range_m, [0.0, outer_rad]);
                if at % 3 == 0 { ShotLight { kind, direction, ..own } } else { own }
            };
            let lights: Vec<ShotLight> = lamps.into_iter().enumerate().map(lamp).collect();
            let bounds = Aabb { min: Vec3::splat(-8.0), max: Vec3::splat(8.0) };
            let shot = view(orthographic_view, eye, look_at, lights, bounds);
            let words = clusters(&shot, size_px);
            let mut seen = 0;
            for point in points {
                let in_view = shot.camera.view_from_world.transform_point3(point);
                let clip = shot.camera.clip_from_view * in_view.extend(1.0);
                let ndc = clip.truncate() / clip.w;
                if clip.w <= 0.0 || ndc.x.abs() >= 1.0 || ndc.y.abs() >= 1.0 || !(0.0..=1.0).contains(&ndc.z) {
                    continue;
                }
                seen += 1;
                let [width, height] = size_px.map(|px| px as f32);
                let pixel = [(ndc.x + 1.0) * 0.5 * width, (1.0 - ndc.y) * 0.5 * height];
                let list = list(&words, pixel, -in_view.z);
                prop_assert!(list.is_sorted_by(|a, b| a < b));
                for (number, light) in shot.lights.iter().enumerate() {
                    let (range_m, outer_rad) = match light.kind {
                        LightKind::Point { range_m, .. } => (range_m, 4.0),
                        LightKind::Spot { range_m, outer_rad, .. } => (range_m, outer_rad),
                        _ => unreachable!(),
                    };
                    let is_inside = light.direction.angle_between(point - light.position) <= outer_rad;
                    if is_inside && range_m.is_none_or(|range_m| light.position.distance(point) <= range_m) {
                        prop_assert!(list.contains(&(number as u32)), "light {number} at {point}");
                    }
                }
            }
            let entries = words.len() - words[HEADER] as usize;
            prop_assert!(seen == 0 || entries <= shot.lights.len() * (words[HEADER] as usize - HEADER - 1));
        }
    }

    /// Lists are no longer than they must be: a small lamp in the middle is in few of the clusters.
    #[test]
    fn lists_are_short() {
        let lamp = lamp(Vec3::ZERO, Some(0.5));
        let bounds = Aabb { min: Vec3::splat(-4.0), max: Vec3::splat(4.0) };
        let words = clusters(&view(false, Vec3::Z * 8.0, Vec3::ZERO, vec![lamp], bounds), [256, 256]);
        let (lists, entries) = (words[HEADER] as usize - HEADER - 1, words.len() - words[HEADER] as usize);
        assert!(lists >= 256 * 4 && entries * 40 < lists && entries > 0, "{entries} of {lists}");
    }

    /// A spot is not in the lists of what is beside its cone, with a range or without.
    #[test]
    fn lists_of_spots_end_beside_their_cones() {
        let bounds = Aabb { min: Vec3::splat(-4.0), max: Vec3::splat(4.0) };
        let count = |outer_rad: f32, range_m: Option<f32>| {
            let own = lamp(Vec3::new(0.0, 4.0, 0.0), None);
            let spot =
                ShotLight { kind: LightKind::spot(1.0, range_m, [0.0, outer_rad]), direction: Vec3::NEG_Y, ..own };
            let words = clusters(&view(false, Vec3::Z * 12.0, Vec3::ZERO, vec![spot], bounds), [256, 256]);
            words.len() - words[HEADER] as usize
        };
        let (narrow, wide, all) = (count(0.1, Some(8.0)), count(0.8, Some(8.0)), count(0.1, None));
        assert!(narrow > 0 && narrow * 3 < wide, "{narrow} of {wide}");
        assert!(all < wide && all >= narrow, "{all} without a range, {wide}");
    }
}
