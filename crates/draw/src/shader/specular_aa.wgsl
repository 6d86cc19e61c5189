// Specular anti-aliasing: a normal that turns within a pixel widens the highlight instead of making it sparkle.
//
// Kaplanyan, Hill, Patney, Lefohn 2016; Tokuyoshi, Kaplanyan, Improved Geometric Specular Antialiasing, 2019: alpha^2
// grows by min(0.18, 2 * 0.25 * (|dN/dx|^2 + |dN/dy|^2)), the variance of the normals over the pixel.

fn widened(roughness: f32, change: f32) -> f32 {
    let a2 = alpha_squared(roughness) + min(0.5 * change, 0.18);
    return sqrt(sqrt(min(a2, 1.0)));
}
