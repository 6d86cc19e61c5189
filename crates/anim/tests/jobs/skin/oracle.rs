//! Meshes and palettes to skin, and skinning in f64 one vertex at a time.

use glam::{Affine3A, DMat3, DMat4, DQuat, DVec3, Quat, Vec3};
use stillframe_anim::pose::Affine;
use stillframe_anim::skin::{Influence, InfluenceList, VertexBlock};
use stillframe_base::lanes::{ROW, Row};
use stillframe_base::rng::{Rng, Stream};

pub fn stream(seed: u64, name: &str) -> Stream {
    Rng::new(seed).stream(name, 0)
}

pub fn vec3(random: &mut Stream) -> Vec3 {
    Vec3::from_array([(); 3].map(|()| random.range_f32(-1.0, 1.0)))
}

pub fn quat(random: &mut Stream) -> Quat {
    loop {
        let [x, y, z, w] = [(); 4].map(|()| random.range_f32(-1.0, 1.0));
        let q = Quat::from_xyzw(x, y, z, w);
        if q.length_squared() > 0.1 {
            return q.normalize();
        }
    }
}

/// Turns, moves and even scales.
pub fn palette(random: &mut Stream, count: usize) -> Vec<Affine> {
    let affine = |_| {
        let (q, at, s) = (quat(random), vec3(random), random.range_f32(0.5, 1.5));
        Affine3A::from_scale_rotation_translation(Vec3::splat(s), q, at).into()
    };
    (0..count).map(affine).collect()
}

pub fn vertices(random: &mut Stream, count: usize) -> Vec<VertexBlock> {
    let mut blocks = vec![VertexBlock::ZERO; VertexBlock::count_for(count)];
    for vertex in 0..count {
        let block = &mut blocks[vertex / ROW];
        let numbers = [vec3(random), vec3(random).normalize(), vec3(random).normalize()];
        for (rows, vector) in [&mut block.position, &mut block.normal, &mut block.tangent].into_iter().zip(numbers) {
            rows.iter_mut().zip(vector.to_array()).for_each(|(row, x)| row.0[vertex % ROW] = x);
        }
    }
    blocks
}

/// Up to `count_max` joints a vertex, near each other as those of a body are.
pub fn influences(random: &mut Stream, vertex_count: usize, joint_count: usize, count_max: usize) -> InfluenceList {
    let mut list = InfluenceList::new(joint_count, count_max);
    for _ in 0..vertex_count {
        let first = random.below(joint_count as u32) as usize;
        let raw: Vec<Influence> = (0..=random.below(count_max as u32) as usize)
            .map(|k| Influence { joint: ((first + k) % joint_count) as u16, weight: random.range_f32(0.05, 1.0) })
            .collect();
        list.push(&raw).expect("good weights");
    }
    list
}

pub fn lane(rows: &[Row; 3], lane: usize) -> DVec3 {
    DVec3::from_array([0, 1, 2].map(|i| f64::from(rows[i].0[lane])))
}

pub fn position(blocks: &[VertexBlock], vertex: usize) -> DVec3 {
    lane(&blocks[vertex / ROW].position, vertex % ROW)
}

pub fn normal(blocks: &[VertexBlock], vertex: usize) -> DVec3 {
    lane(&blocks[vertex / ROW].normal, vertex % ROW)
}

pub fn tangent(blocks: &[VertexBlock], vertex: usize) -> DVec3 {
    lane(&blocks[vertex / ROW].tangent, vertex % ROW)
}

pub fn matrix(affine: &Affine) -> DMat4 {
    DMat4::from_cols_array(&affine.0.0.map(f64::from)).transpose()
}

/// Linear blending.
pub fn linear(palette: &[Affine], influences: &[Influence]) -> DMat4 {
    let mut sum = DMat4::ZERO;
    for influence in influences {
        sum += matrix(&palette[usize::from(influence.joint)]) * f64::from(influence.weight);
    }
    sum.w_axis.w = 1.0;
    sum
}

/// The even scale and the rotation of a matrix.
pub fn scale_and_turn(affine: &Affine) -> (f64, DQuat) {
    let m = DMat3::from_mat4(matrix(affine));
    let scale = m.x_axis.length();
    (scale, DQuat::from_mat3(&(m * (1.0 / scale))))
}

/// Blended rotation, not unit, of quaternions turned to the first one's side, and blended scale.
pub fn blended_turn(palette: &[Affine], influences: &[Influence]) -> (f64, DQuat, Vec<f64>) {
    let (_, first) = scale_and_turn(&palette[usize::from(influences[0].joint)]);
    let (mut scale, mut sum, mut signs) = (0.0, DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0), Vec::new());
    for influence in influences {
        let (s, q) = scale_and_turn(&palette[usize::from(influence.joint)]);
        let sign = if q.dot(first) < 0.0 { -1.0 } else { 1.0 };
        signs.push(sign);
        sum += q * (sign * f64::from(influence.weight));
        scale += s * f64::from(influence.weight);
    }
    (scale, sum, signs)
}

/// Dual quaternions by the book: the translation is that of the sum of dual parts.
pub fn dual(palette: &[Affine], influences: &[Influence]) -> DMat4 {
    let (scale, real, signs) = blended_turn(palette, influences);
    let mut dual = DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0);
    for (influence, sign) in influences.iter().zip(signs) {
        let affine = &palette[usize::from(influence.joint)];
        let t = matrix(affine).w_axis;
        let q = scale_and_turn(affine).1;
        dual += DQuat::from_xyzw(t.x, t.y, t.z, 0.0) * q * (0.5 * sign * f64::from(influence.weight));
    }
    let length = real.length();
    let t = (dual * (1.0 / length)) * (real * (1.0 / length)).conjugate() * 2.0;
    let turn = real * (1.0 / length);
    DMat4::from_scale_rotation_translation(DVec3::splat(scale), turn, DVec3::new(t.x, t.y, t.z))
}

/// About a centre.
pub fn about(palette: &[Affine], influences: &[Influence], centre: DVec3) -> DMat4 {
    let (scale, turn, _) = blended_turn(palette, influences);
    let turn = turn.normalize();
    let to = linear(palette, influences).transform_point3(centre);
    DMat4::from_scale_rotation_translation(DVec3::splat(scale), turn, to - turn * (centre * scale))
}
