// Crowd: joints of figures from baked frames. Group 3. Needs `bend`.
//
// The same operations in the same order as `stillframe_anim::crowd::SampleCrowd`, whose page says where they come from.

// What a figure plays, and what it fades to.
struct Figure {
    clip_a: u32,
    phase_a: u32,
    clip_b: u32,
    phase_b: u32,
    fade: f32,
    // First joint of the part that is drawn.
    first: u32,
    // Rows of a joint: three of a matrix, or a place and a normal.
    row_count: u32,
    // First row of shares of shapes, four a row.
    first_share: u32,
}

struct BakedClip {
    first_texel: u32,
    segment_count: u32,
    first_range: u32,
    frame_texels: u32,
}

// Two entries a draw item: now, and one frame before.
@group(3) @binding(5) var<storage, read> figures: array<Figure>;
@group(3) @binding(6) var<storage, read> baked_clips: array<BakedClip>;
@group(3) @binding(8) var frames: texture_2d<u32>;
@group(3) @binding(9) var ranges: texture_2d<f32>;

fn frame_texel(at: u32) -> vec4f {
    let width = textureDimensions(frames).x;
    return vec4f(textureLoad(frames, vec2u(at % width, at / width), 0));
}

fn range_texel(at: u32) -> vec4f {
    let width = textureDimensions(ranges).x;
    return textureLoad(ranges, vec2u(at % width, at / width), 0);
}

fn baked_row(clip_number: u32, phase: u32, row: u32) -> vec4f {
    let clip = baked_clips[clip_number];
    let fixed = (phase >> 16u) * clip.segment_count + (((phase & 0xffffu) * clip.segment_count) >> 16u);
    let along = f32(fixed & 0xffffu) * (1.0 / 65536.0);
    let at = clip.first_texel + (fixed >> 16u) * clip.frame_texels + row;
    let a = frame_texel(at);
    let b = frame_texel(at + clip.frame_texels);
    let range = clip.first_range + row;
    return range_texel(range) + range_texel(range + clip.frame_texels) * (a + (b - a) * along);
}

fn figure_row(figure: Figure, number: u32) -> vec4f {
    let a = baked_row(figure.clip_a, figure.phase_a, number);
    if figure.fade == 0.0 {
        return a;
    }
    let b = baked_row(figure.clip_b, figure.phase_b, number);
    return a + (b - a) * figure.fade;
}

fn joint_row(who: vec2u, joint: u32, row: u32) -> vec4f {
    let figure = figures[who.x];
    return figure_row(figure, figure.row_count * (figure.first + joint) + row);
}

fn form_of(who: vec2u) -> u32 {
    return select(MATRICES, PLACES, figures[who.x].row_count == 2u);
}

fn share_of(who: vec2u, shape: u32) -> f32 {
    let figure = figures[who.x];
    return figure_row(figure, figure.first_share + shape / 4u)[shape % 4u];
}

// Who bends draw item `instance` now (0) or one frame before (1).
fn bender(instance: u32, before: u32) -> vec2u {
    return vec2u(2u * instance + before, 0u);
}
