//! Size: many tiles, many chunks, many instances.

use super::stage::*;

#[test]
fn many_tiles_many_chunks_and_instances() {
    // 5,000 small triangles twice over 300x200 pixels, shared corners, alpha blended: order and bins matter.
    let size = [300, 200];
    let mut vertices = Vec::new();
    for y in 0..51 {
        for x in 0..51 {
            let jitter = ((x * 7 + y * 13) % 5) as f32 * 0.3;
            vertices.push(at(
                size,
                x as f32 * 6.1 - 2.0 + jitter,
                y as f32 * 4.1 - 2.0,
                0.5,
                [x as f32 / 50.0, y as f32 / 50.0, 0.5, 0.4],
            ));
        }
    }
    let mut indices = Vec::new();
    for y in 0..50u32 {
        for x in 0..50u32 {
            let k = y * 51 + x;
            indices.extend([k, k + 1, k + 51, k + 51, k + 1, k + 52]);
        }
    }
    let step = Step {
        vertices,
        indices: Some(indices),
        instances: 2,
        blend: Some(wgpu::BlendState::ALPHA_BLENDING),
        ..Step::default()
    };
    let picture = draw(&Case { size, steps: vec![step], ..Case::default() });
    assert!(picture.count() > 59_000);
}
