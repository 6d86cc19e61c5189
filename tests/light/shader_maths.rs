//! The shaders' mathematics, run on the CPU by `stillframe_soft::probe`, against f64 twins and closed values.

use std::sync::LazyLock;

use glam::{DMat3, DVec3};
use stillframe_base::math::ops64 as m;
use stillframe_draw::{light, shader};
use stillframe_soft::{Probe, Value};
use stillframe_testkit::lobes::lobes;
use stillframe_testkit::vector::dot;

/// Functions with plain arguments over those that take structs.
const CALLS: &str = "
fn call_lobes(base: vec3f, roughness: f32, metallic: f32, n: vec3f, l: vec3f, v: vec3f) -> vec3f {
    var s: Surface;
    s.base = base;
    s.roughness = roughness;
    s.metallic = metallic;
    s.n = n;
    return lobes(s, v, Incident(l, vec3f(1.0)));
}

fn a_light(kind: u32, range: f32, cone: vec2f) -> Light {
    var light: Light;
    light.kind = kind;
    light.position = vec3f(0.0, 2.0, 0.0);
    light.direction = vec3f(0.0, -1.0, 0.0);
    light.color = vec3f(10.0, 5.0, 1.0);
    light.terms = vec4f(range, cone, 0.0);
    return light;
}

fn call_irradiance(kind: u32, range: f32, cone: vec2f, point: vec3f) -> vec3f {
    return incident(a_light(kind, range, cone), point).e;
}

fn call_towards(kind: u32, point: vec3f) -> vec3f {
    return incident(a_light(kind, 0.0, vec2f(0.0, 1.0)), point).l;
}

fn call_tap_offsets(s: f32) -> vec3f {
    return vec3f(taps(s).offset, 0.0);
}

fn call_tap_weights(s: f32) -> vec3f {
    return vec3f(taps(s).weight, 0.0);
}
";

fn probe(parts: &[&str]) -> Probe {
    Probe::new(&shader::compose(parts)).unwrap_or_else(|error| panic!("{error}"))
}

static LIGHTING: LazyLock<Probe> = LazyLock::new(|| {
    probe(&[
        shader::COMMON,
        shader::LOBES,
        shader::DIELECTRIC,
        &light::text(light::Kinds::default()),
        &light::shadow_text(light::Techniques::default()),
        CALLS,
    ])
});

fn f32s<A: AsRef<[Value]>>(probe: &Probe, function: &str, rows: &[A]) -> Vec<f32> {
    let values = probe.call_many(function, rows).unwrap_or_else(|error| panic!("{error}"));
    values
        .into_iter()
        .map(|value| match value {
            Value::F32(value) => value,
            other => panic!("{other:?}"),
        })
        .collect()
}

fn vec3s<A: AsRef<[Value]>>(probe: &Probe, function: &str, rows: &[A]) -> Vec<[f32; 3]> {
    let values = probe.call_many(function, rows).unwrap_or_else(|error| panic!("{error}"));
    values
        .into_iter()
        .map(|value| match value {
            Value::Vec3(value) => value,
            other => panic!("{other:?}"),
        })
        .collect()
}

/// `found` within `ulp_like` relative error of `want`, or within 1e-7 of it.
fn close(found: f32, want: f64, relative: f64) -> bool {
    (f64::from(found) - want).abs() <= relative * want.abs() + 1e-7
}

/// Numbers in [0, 1) that are spread evenly and are the same everywhere.
fn spread(index: u32, axis: u32) -> f64 {
    // Generalised golden ratios (Roberts 2018).
    let step = [0.8191725133961645, 0.6710436067037893, 0.5497004779019703, 0.4503000524, 0.3688746271][axis as usize];
    (f64::from(index) * step + 0.5).fract()
}

fn direction(index: u32, axes: [u32; 2]) -> [f64; 3] {
    let z = 1.0 - spread(index, axes[0]);
    let (sin, cos) = m::sin_cos(spread(index, axes[1]) * std::f64::consts::TAU);
    let r = (1.0 - z * z).max(0.0).sqrt();
    [r * cos, r * sin, z]
}

fn narrow(v: [f64; 3]) -> [f32; 3] {
    v.map(|x| x as f32)
}

#[test]
fn lobes_are_those_of_appendix_b() {
    let n = [0.0, 0.0, 1.0];
    let mut rows = Vec::new();
    let mut wants = Vec::new();
    for i in 0..2000 {
        let (l, v) = (direction(i, [0, 1]), direction(i, [2, 3]));
        let (roughness, metallic) = (spread(i, 4), [0.0, 1.0, 0.5][i as usize % 3]);
        // What the shader gets is f32: so does the twin.
        let (l, v) = (narrow(l), narrow(v));
        let base = [0.9, 0.4, 0.1f32];
        let roughness = roughness as f32;
        rows.push([
            Value::Vec3(base),
            Value::F32(roughness),
            Value::F32(metallic as f32),
            Value::Vec3([0.0, 0.0, 1.0]),
            Value::Vec3(l),
            Value::Vec3(v),
        ]);
        let wide = |v: [f32; 3]| v.map(f64::from);
        wants.push(base.map(|b| lobes(f64::from(b), f64::from(roughness), metallic, [n, wide(l), wide(v)])));
    }
    for ((found, want), row) in vec3s(&LIGHTING, "call_lobes", &rows).iter().zip(&wants).zip(&rows) {
        for c in 0..3 {
            // Near a narrow peak, D multiplies the error of h by up to 2 / alpha.
            assert!(close(found[c], want[c], 2e-4), "{found:?} for {want:?} at {row:?}");
            assert!(found[c].is_finite() && found[c] >= 0.0);
        }
    }
}

#[test]
fn lobes_are_reciprocal_finite_and_dark_behind() {
    let call = |n: [f64; 3], l: [f64; 3], v: [f64; 3], roughness: f32| {
        let n = Value::Vec3(narrow(n));
        let row = [
            Value::Vec3([0.8, 0.5, 0.3]),
            Value::F32(roughness),
            Value::F32(0.5),
            n,
            Value::Vec3(narrow(l)),
            Value::Vec3(narrow(v)),
        ];
        vec3s(&LIGHTING, "call_lobes", &[row])[0]
    };
    let n = [0.0, 0.0, 1.0];
    for i in 0..100 {
        let (l, v) = (direction(i, [0, 1]), direction(i, [2, 3]));
        if l[2] < 0.05 || v[2] < 0.05 {
            continue;
        }
        let (one, other) = (call(n, l, v, 0.6), call(n, v, l, 0.6));
        for c in 0..3 {
            let (a, b) = (f64::from(one[c]) / l[2], f64::from(other[c]) / v[2]);
            assert!((a - b).abs() <= 1e-4 * a.abs(), "{a} {b}");
        }
        assert_eq!(call(n, l.map(|x| -x), v, 0.6), [0.0; 3]);
        let grazing = [1.0, 0.0, 1e-6];
        for value in call(n, grazing, v, 0.0).into_iter().chain(call(n, l, grazing, 0.02)).chain(call(n, l, l, 0.0)) {
            assert!(value.is_finite() && value >= 0.0, "{value}");
        }
    }
}

/// Albedo of a white metal, by quadrature of the twin over samples of the half vector.
fn albedo(mu: f64, roughness: f64) -> f64 {
    let v = [(1.0 - mu * mu).sqrt(), 0.0, mu];
    let alpha = (roughness * roughness).max(0.002025);
    let a2 = alpha * alpha;
    let steps = (512, 256);
    let mut sum = 0.0;
    for i in 0..steps.0 {
        let u = (f64::from(i) + 0.5) / f64::from(steps.0);
        let cos2 = (1.0 - u) / (1.0 + (a2 - 1.0) * u);
        for j in 0..steps.1 {
            let (sin_phi, cos_phi) = m::sin_cos((f64::from(j) + 0.5) / f64::from(steps.1) * std::f64::consts::TAU);
            let sin = (1.0 - cos2).sqrt();
            let h = [sin * cos_phi, sin * sin_phi, cos2.sqrt()];
            let vh = dot(v, h);
            let l = [0, 1, 2].map(|c| 2.0 * vh * h[c] - v[c]);
            if vh > 0.0 && l[2] > 0.0 {
                let s = cos2 * a2 + (1.0 - cos2);
                let pdf = a2 / (std::f64::consts::PI * s * s) * cos2.sqrt() / (4.0 * vh);
                sum += lobes(1.0, roughness, 1.0, [[0.0, 0.0, 1.0], l, v]) / pdf;
            }
        }
    }
    sum / f64::from(steps.0 * steps.1)
}

#[test]
fn the_twin_has_the_published_albedo() {
    for (mu, roughness, want) in [
        (0.1, 0.5, 0.8916),
        (0.5, 0.5, 0.8573),
        (1.0, 0.5, 0.9158),
        (0.1, 0.75, 0.8484),
        (0.5, 0.75, 0.6632),
        (1.0, 0.75, 0.6269),
        (0.5, 1.0, 0.45069),
        (1.0, 1.0, 0.30685),
    ] {
        let found = albedo(mu, roughness);
        assert!((found - want).abs() < 4e-3, "{mu} {roughness}: {found} for {want}");
        if roughness == 1.0 {
            let closed = 1.0 - mu * m::log(1.0 + 1.0 / mu);
            assert!((found - closed).abs() < 1e-3, "{mu}: {found} for {closed}");
        }
    }
}

#[test]
fn lights_fall_off_as_physics_and_gltf_say() {
    // Kind, 1 / range^2, cone, point -> irradiance of the red channel; the light hangs 2 m up and shines down, 10 cd.
    let below = |y: f32| [0.0, y, 0.0];
    let cone = [0.5, 2.0];
    for (kind, range, cone, point, want) in [
        (0, 0.0, [0.0, 1.0], below(0.0), 10.0),
        (1, 0.0, [0.0, 1.0], below(0.0), 2.5),
        (1, 0.0, [0.0, 1.0], below(1.0), 10.0),
        // One centimetre is the nearest.
        (1, 0.0, [0.0, 1.0], below(2.0), 100_000.0),
        // Range 4 m at 2 m: 1 - (1/2)^4.
        (1, 1.0 / 16.0, [0.0, 1.0], below(0.0), 2.5 * 0.9375),
        (1, 1.0 / 4.0, [0.0, 1.0], below(0.0), 0.0),
        (1, 1.0 / 4.0, [0.0, 1.0], below(-3.0), 0.0),
        (2, 0.0, cone, below(0.0), 2.5),
        // At the outer angle of 60 degrees nothing is left, and nothing is above the light.
        (2, 0.0, cone, [3.5, 0.0, 0.0], 0.0),
        (2, 0.0, cone, below(3.0), 0.0),
    ] {
        let row = [Value::U32(kind), Value::F32(range), Value::Vec2(cone), Value::Vec3(point)];
        let found = vec3s(&LIGHTING, "call_irradiance", &[row])[0];
        let exact = want == 0.0;
        assert!(close(found[0], want, 1e-5) && (!exact || found == [0.0; 3]), "{found:?} for {want} at {row:?}");
    }
    // Between the angles the square of the share: cos = 0.8 between 0.5 and 1.
    let point = [0.75f32 * 2.0, 0.0, 0.0];
    let row = [Value::U32(2), Value::F32(0.0), Value::Vec2([0.5, 2.0]), Value::Vec3(point)];
    let want = 10.0 / (4.0 + 2.25) * 0.6 * 0.6;
    assert!(close(vec3s(&LIGHTING, "call_irradiance", &[row])[0][0], want, 1e-5));
    let towards = vec3s(&LIGHTING, "call_towards", &[[Value::U32(1), Value::Vec3([0.0, -1.0, 4.0])]])[0];
    assert!(close(towards[1], 0.6, 1e-6) && close(towards[2], -0.8, 1e-6), "{towards:?}");
}

#[test]
fn shadow_taps_make_the_weights_one_two_one() {
    for i in 0..32 {
        let s = i as f32 / 32.0;
        let offsets = vec3s(&LIGHTING, "call_tap_offsets", &[[Value::F32(s)]])[0];
        let weights = vec3s(&LIGHTING, "call_tap_weights", &[[Value::F32(s)]])[0];
        // Bilinear taps spread their weight over two texels.
        let mut texels = [0.0f64; 4];
        for (offset, weight) in offsets.into_iter().zip(weights).take(2) {
            let first = offset.floor();
            let share = f64::from(offset - first);
            let at = (first + 1.0) as usize;
            texels[at] += f64::from(weight) * (1.0 - share);
            if share > 0.0 {
                texels[at + 1] += f64::from(weight) * share;
            }
        }
        let kernel = [0.0, 1.0, 2.0, 1.0, 0.0];
        for (texel, found) in texels.into_iter().enumerate() {
            let s = f64::from(s);
            let want = kernel[texel + 1] * (1.0 - s) + kernel[texel] * s;
            assert!((found - want).abs() < 1e-5, "{s}: {texels:?}");
        }
    }
}

#[test]
fn a_direction_lies_in_the_face_of_its_largest_part() {
    for (d, want) in [
        ([1.0, 0.5, -0.5], 0),
        ([-1.0, 0.5, 0.9], 1),
        ([0.2, 1.0, 0.9], 2),
        ([0.2, -1.0, 0.9], 3),
        ([0.2, -0.3, 0.9], 4),
        ([0.2, -0.3, -0.9], 5),
    ] {
        let found = LIGHTING.call("cube_face", &[Value::Vec3(d)]).expect("a face");
        assert_eq!(found, Value::I32(want), "{d:?}");
    }
}

fn grey(word: &str, values: &[f32]) -> Vec<[f32; 3]> {
    let rows: Vec<[Value; 1]> = values.iter().map(|&v| [Value::Vec3([v; 3])]).collect();
    vec3s(&probe(&[&shader::tonemap(word)]), "tonemap", &rows)
}

#[test]
fn tone_maps_have_their_published_greys() {
    for (word, want) in [
        ("agx", [0.2145, 0.590, 0.937]),
        ("aces", [0.10559, 0.61912, 0.96304]),
        ("neutral", [0.14, 0.86909, 0.99226]),
        ("reinhard", [0.15254, 0.5, 0.88889]),
        // 0.18 (1 + 0.18 / 16) / 1.18, 17 / 32.
        ("reinhard_extended", [0.15426, 0.53125, 1.0]),
        ("hable", [0.12834, 0.49292, 1.0]),
        ("aces_narkowicz", [0.26690, 0.80380, 1.0]),
        ("none", [0.18, 1.0, 1.0]),
    ] {
        for (found, want) in grey(word, &[0.18, 1.0, 8.0]).into_iter().zip(want) {
            for channel in found {
                assert!((channel - want).abs() < 6e-4, "{word}: {found:?} for {want}");
            }
        }
    }
}

#[test]
fn tone_maps_rise_from_black_to_at_most_white() {
    let ramp: Vec<f32> = (0..400).map(|i| stillframe_base::math::ops::exp2(i as f32 * 0.06 - 16.0)).collect();
    for (word, _) in shader::TONEMAPS {
        let tones = grey(word, &ramp);
        assert!(grey(word, &[0.0])[0][0] < 2e-3, "{word}");
        for pair in tones.windows(2) {
            assert!(pair[1][0] >= pair[0][0] - 1e-5 && (-1e-6..=1.0).contains(&pair[1][0]), "{word}: {pair:?}");
        }
    }
}

/// Rec. 709's primaries and white, and those of displays: x and y of red, green, blue and white.
const REC_709: [[f64; 2]; 4] = [[0.64, 0.33], [0.30, 0.60], [0.15, 0.06], [0.3127, 0.3290]];
const P3: [[f64; 2]; 4] = [[0.680, 0.320], [0.265, 0.690], [0.150, 0.060], [0.3127, 0.3290]];
const REC_2020: [[f64; 2]; 4] = [[0.708, 0.292], [0.170, 0.797], [0.131, 0.046], [0.3127, 0.3290]];

/// XYZ of linear light of these primaries (SMPTE RP 177).
fn xyz_of(primaries: [[f64; 2]; 4]) -> DMat3 {
    let [red, green, blue, white] = primaries.map(|[x, y]| DVec3::new(x / y, 1.0, (1.0 - x - y) / y));
    let unscaled = DMat3::from_cols(red, green, blue);
    unscaled * DMat3::from_diagonal(unscaled.inverse() * white)
}

#[test]
fn displays_have_their_primaries() {
    let colors = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0; 3], [0.2, 0.5, 0.9]];
    for (word, primaries) in [("srgb", REC_709), ("p3", P3), ("rec2020_pq", REC_2020)] {
        let of_709 = xyz_of(primaries).inverse() * xyz_of(REC_709);
        let rows: Vec<[Value; 1]> = colors.iter().map(|&color| [Value::Vec3(color)]).collect();
        for (found, color) in vec3s(&probe(&[&shader::display(word)]), "on_display", &rows).into_iter().zip(colors) {
            let want = of_709 * DVec3::from_array(color.map(f64::from));
            let off = (DVec3::from_array(found.map(f64::from)) - want).abs().max_element();
            assert!(off < 2e-7, "{word}: {found:?} for {want}");
        }
    }
}

/// White is 203 cd/m2, which PQ codes as 0.58 (ITU-R BT.2408, table 1), and 1000 cd/m2 as 0.75.
#[test]
fn pq_codes_are_the_standards() {
    let probe = probe(&[&shader::display("rec2020_pq")]);
    let lights_cd_m2 = || (0..=1000).map(|i| 1000.0 * m::pow(f64::from(i) / 1000.0, 3.0));
    let rows: Vec<[Value; 1]> = lights_cd_m2().map(|light| [Value::F32((light / 1000.0) as f32)]).collect();
    let code = |cd_m2: f64| {
        let y = m::pow(cd_m2 / 10000.0, 2610.0 / 16384.0);
        let (c1, c2, c3) = (3424.0 / 4096.0, 2413.0 / 128.0, 2392.0 / 128.0);
        m::pow((c1 + c2 * y) / (1.0 + c3 * y), 2523.0 / 32.0)
    };
    for (found, light) in f32s(&probe, "display_code", &rows).into_iter().zip(lights_cd_m2()) {
        // Half a 16-bit step.
        assert!((f64::from(found) - code(light)).abs() < 0.5 / 65535.0, "{light} cd/m2: {found}");
    }
    assert!((code(203.0) - 0.5807).abs() < 1e-4 && (code(1000.0) - 0.7518).abs() < 1e-4);
}

#[test]
fn srgb_encoding_is_the_standards() {
    let probe = probe(&[&shader::display("srgb")]);
    let values: Vec<f32> = (0..=1000).map(|i| i as f32 / 1000.0).collect();
    let rows: Vec<[Value; 1]> = values.iter().map(|&v| [Value::F32(v)]).collect();
    for (found, value) in f32s(&probe, "display_code", &rows).into_iter().zip(values) {
        let x = f64::from(value);
        let want = if x <= 0.0031308 { 12.92 * x } else { 1.055 * m::pow(x, 1.0 / 2.4) - 0.055 };
        // A thirtieth of a 16-bit step.
        assert!((f64::from(found) - want).abs() < 5e-7, "{value}: {found} for {want}");
    }
}

#[test]
fn cube_directions_are_webgpus() {
    let probe = probe(&[&shader::halve(shader::Radiance::Map)]);
    for (face, right, up, middle) in [
        (0u32, [0.0, 0.0, -1.0], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0]),
        (1, [0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0]),
        (2, [1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]),
        (3, [1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]),
        (4, [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]),
        (5, [-1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, -1.0]),
    ] {
        for (u, v) in [(0.0, 0.0), (0.5, -0.25), (-1.0, 1.0)] {
            let row = [Value::U32(face), Value::F32(u), Value::F32(v)];
            let found = vec3s(&probe, "cube_direction", &[row])[0];
            let want: [f32; 3] = std::array::from_fn(|c| middle[c] + right[c] * u - up[c] * v);
            assert_eq!(found, want, "face {face} at {u} {v}");
        }
    }
}

/// The sky's formula against its twin, with made-up coefficients in place of the uniform.
#[test]
fn the_sky_is_perezs_distribution() {
    let uniform = "@group(1) @binding(0) var<uniform> source: Source;";
    let text = shader::Radiance::Sky.text();
    assert!(text.contains(uniform));
    let v = |x: f64| format!("vec4f({x:?}, {:?}, {:?}, 0.0)", x * 0.9, x * 1.1);
    let rows = [-1.1, -0.32, 6.0, -2.4, 0.35, 0.2].map(v).join(", ");
    let private =
        format!("var<private> source: Source = Source({rows}, vec4f(0.6, 0.8, 0.0, 9.0), vec4f(0.1, 0.2, 0.3, 0.0));");
    let probe = probe(&[&text.replace(uniform, &private)]);
    let mut rows = Vec::new();
    let mut wants = Vec::new();
    for i in 0..300 {
        let d = direction(i, [0, 1]);
        let d = narrow([d[0], d[2], d[1]]);
        if d[1] < 0.02 {
            continue;
        }
        rows.push([Value::Vec3(d)]);
        let d = d.map(f64::from);
        let angle = m::acos(dot(d, [0.6, 0.8, 0.0]).clamp(-1.0, 1.0));
        let value = [1.0, 0.9, 1.1].map(|k: f64| {
            let cos = m::cos(angle);
            let rising = 1.0 - 1.1 * k * m::exp(-0.32 * k / d[1].max(0.002));
            0.2 * k * rising * (1.0 + 6.0 * k * m::exp(-2.4 * k * angle) + 0.35 * k * cos * cos)
        });
        let (cx, cz) = (value[0] * value[1] / value[2], value[0] * (1.0 - value[1] - value[2]) / value[2]);
        wants.push([
            (3.2404542 * cx - 1.5371385 * value[0] - 0.4985314 * cz).max(0.0),
            (1.8760108 * value[0] - 0.9692660 * cx + 0.0415560 * cz).max(0.0),
            (0.0556434 * cx - 0.2040259 * value[0] + 1.0572252 * cz).max(0.0),
        ]);
    }
    assert!(rows.len() > 200);
    for (found, want) in vec3s(&probe, "radiance", &rows).iter().zip(&wants) {
        for c in 0..3 {
            assert!((f64::from(found[c]) - want[c]).abs() < 1e-4 * (1.0 + want[c]), "{found:?} for {want:?}");
        }
    }
}

/// Unit vectors in 32 bits: the axes exactly, the rest within 0.004 degrees.
#[test]
fn octahedral_normals_come_back() {
    let call = "fn back(n: vec3f) -> vec3f { return unpacked_normal(packed_normal(n)); }";
    let probe = probe(&[shader::OCTAHEDRAL, call]);
    let axes = (0..6).map(|at| std::array::from_fn(|c| if at / 2 == c { 1.0 - 2.0 * (at % 2) as f32 } else { 0.0 }));
    let wants: Vec<[f32; 3]> = axes.chain((0..4000).map(|i| narrow(direction(i, [0, 1])))).collect();
    let rows: Vec<[Value; 1]> = wants.iter().map(|n| [Value::Vec3(*n)]).collect();
    for (at, (found, want)) in vec3s(&probe, "back", &rows).iter().zip(&wants).enumerate() {
        let [a, b] = [found, want].map(|n| n.map(f64::from));
        let cross = [0, 1, 2].map(|c| a[(c + 1) % 3] * b[(c + 2) % 3] - a[(c + 2) % 3] * b[(c + 1) % 3]);
        let off_deg = m::asin(dot(cross, cross).sqrt() / (dot(a, a) * dot(b, b)).sqrt()).to_degrees();
        assert!(off_deg <= if at < 6 { 0.0 } else { 0.004 } && dot(a, b) > 0.9, "{found:?} for {want:?}: {off_deg}");
    }
}
