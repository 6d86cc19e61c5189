// Weight: blended surfaces as sums that need no order.
//
// McGuire, Bavoil 2013 (Weighted Blended Order-Independent Transparency), equations 7 to 10: colours are summed with
// weights that fall with depth, and what is behind shows through the product of all that lets light through.

struct Weighted {
    // Premultiplied colour and alpha, weighted: added up.
    @location(0) sum: vec4f,
    // Alpha: drawn over each other, so that one minus the product stays.
    @location(1) cover: vec4f,
}

// Equation 7, `depth` in metres.
fn depth_weight(depth: f32, alpha: f32) -> f32 {
    let near = depth * 0.2;
    let far = depth * 0.005;
    let far2 = far * far;
    return alpha * clamp(10.0 / (0.00001 + near * near + far2 * far2 * far2), 0.01, 3000.0);
}

fn weighted(color: vec3f, alpha: f32, depth: f32) -> Weighted {
    return Weighted(vec4f(color, alpha) * depth_weight(depth, alpha), vec4f(alpha));
}
