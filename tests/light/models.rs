//! Lighting models: what every row of `asset::MODELS` is held to. Each function of WGSL is run by
//! `stillframe_soft::probe`.

use std::collections::BTreeMap;
use std::f64::consts::{PI, TAU};
use std::fmt::Write as _;

use stillframe_asset::asset::{Case, Lighting, LightingModel, Limit, MODELS, ModelId, ParamKind, Slots};
use stillframe_base::math::ops64 as m;
use stillframe_draw::material::{Lobes, model_text};
use stillframe_draw::shader;
use stillframe_soft::{Probe, Value};
use stillframe_testkit::models::{Given, ggx_albedo, sheen_albedo, twin};
use stillframe_testkit::vector::{Vector, unit};

use super::furnace::{fresnel_of_lambert, specular};

/// A model under test: its functions with plain arguments.
struct Bench {
    probe: Probe,
    row: &'static LightingModel,
    layers: u16,
}

/// What does not hold: the first of each kind, and how many more.
#[derive(Default)]
struct Wrong(BTreeMap<String, (u32, String)>);

impl Wrong {
    fn unless(&mut self, holds: bool, what: &str, text: impl FnOnce() -> String) {
        if !holds {
            self.0.entry(what.to_string()).or_insert_with(|| (0, text())).0 += 1;
        }
    }

    fn none(self) {
        let list: Vec<String> =
            self.0.iter().map(|(what, (count, text))| format!("{what}, {count} times: {text}")).collect();
        assert!(list.is_empty(), "{}", list.join("\n"));
    }
}

/// A surface with its parameters.
#[derive(Clone, Debug)]
struct Sample {
    base: [f32; 3],
    roughness: f32,
    metallic: f32,
    lighting: Lighting,
}

impl Bench {
    fn new(model: ModelId, layers: u16) -> Bench {
        let row = model.row();
        let text = model_text(Lobes { model, layers });
        let structure = row.structure();
        let mut parameters = String::new();
        let mut fill = String::new();
        for param in row.read(layers) {
            _ = write!(parameters, "{}: {}, ", param.name, param.kind.wgsl());
            _ = writeln!(fill, "    own.{0} = {0};", param.name);
        }
        if text.contains("    t: vec3f,\n    b: vec3f,\n") {
            fill.push_str("    own.t = vec3f(1.0, 0.0, 0.0);\n    own.b = vec3f(0.0, 1.0, 0.0);\n");
        }
        if !row.needs.prepared.is_empty() {
            _ = writeln!(fill, "    own = prepare_{}(s, own, v);", row.name);
        }
        let surface = "base: vec3f, roughness: f32, metallic: f32";
        let begin = format!(
            "    var s: Surface;
    s.base = base;
    s.roughness = roughness;
    s.metallic = metallic;
    s.n = vec3f(0.0, 0.0, 1.0);
    var own: {structure};
{fill}"
        );
        let name = row.name;
        let calls = format!(
            "fn dielectric_f0() -> vec3f {{ return vec3f(0.04); }}
fn dielectric_f90() -> f32 {{ return 1.0; }}
fn call_lobes({parameters}{surface}, l: vec3f, v: vec3f) -> vec3f {{
{begin}    return lobes_{name}(s, own, v, Incident(l, vec3f(1.0)));
}}
fn around({parameters}{surface}, v: vec3f, weight: f32) -> Around {{
{begin}    return around_{name}(s, own, v, weight);
}}
"
        );
        let arguments: String = row.read(layers).map(|param| format!("{}, ", param.name)).collect();
        let parts: String = ["diffuse", "mirror", "f0", "f90"]
            .iter()
            .map(|part| (*part, format!(".{part}")))
            .chain([("coat", String::new()), ("coat_f0", String::new())])
            .map(|(part, member)| {
                let value = match part {
                    "coat" => "vec3f(a.coat, a.coat_roughness, a.roughness)".to_string(),
                    "coat_f0" => "vec3f(a.coat_f0)".to_string(),
                    _ => format!("a{member}"),
                };
                format!(
                    "fn around_{part}_only({parameters}{surface}, v: vec3f, weight: f32) -> vec3f {{
    let a = around({arguments}base, roughness, metallic, v, weight);
    return {value};
}}
"
                )
            })
            .collect();
        let text = shader::compose(&[
            shader::COMMON,
            shader::LOBES,
            shader::DIELECTRIC,
            shader::AROUND,
            &text,
            &calls,
            &parts,
        ]);
        Bench { probe: Probe::new(&text).unwrap_or_else(|error| panic!("{name}: {error}")), row, layers }
    }

    fn arguments(&self, sample: &Sample) -> Vec<Value> {
        let mut out = Vec::new();
        for param in self.row.read(self.layers) {
            let value = sample.lighting.value(param.name);
            out.push(match param.kind {
                ParamKind::Number { .. } | ParamKind::Flag { .. } => Value::F32(value[0]),
                ParamKind::Color { .. } => Value::Vec3(value),
                ParamKind::Turn { .. } => {
                    let mut stored = Vec::new();
                    param.kind.store(value, &mut stored);
                    Value::Vec2([stored[0], stored[1]])
                }
            });
        }
        out.extend([Value::Vec3(sample.base), Value::F32(sample.roughness), Value::F32(sample.metallic)]);
        out
    }

    /// f(l, v) cos for many directions.
    fn lobes(&self, rows: &[(&Sample, [f32; 3], [f32; 3])]) -> Vec<[f32; 3]> {
        let rows: Vec<Vec<Value>> = rows
            .iter()
            .map(|(sample, l, v)| {
                let mut row = self.arguments(sample);
                row.extend([Value::Vec3(*l), Value::Vec3(*v)]);
                row
            })
            .collect();
        self.vectors("call_lobes", &rows)
    }

    fn vectors(&self, function: &str, rows: &[Vec<Value>]) -> Vec<[f32; 3]> {
        let values = self.probe.call_many(function, rows).unwrap_or_else(|error| panic!("{}: {error}", self.row.name));
        let vector = |value| match value {
            Value::Vec3(value) => value,
            other => panic!("{other:?}"),
        };
        values.into_iter().map(vector).collect()
    }
}

/// Numbers in [0, 1) that are spread evenly and are the same everywhere.
fn spread(index: u32, axis: u32) -> f64 {
    // Generalised golden ratios (Roberts 2018) of other starts.
    let step =
        [0.8191725133961645, 0.6710436067037893, 0.5497004779019703, 0.4503000524, 0.3688746271][axis as usize % 5];
    (f64::from(index) * step + 0.5 + 0.137 * f64::from(axis)).fract()
}

/// Over the whole half of directions; every eighth one grazes.
fn direction(index: u32, axes: [u32; 2]) -> Vector {
    let z = 1.0 - spread(index, axes[0]);
    let z = if index % 8 == 7 { z * 1e-3 } else { z };
    let (sin, cos) = m::sin_cos(spread(index, axes[1]) * TAU);
    let r = (1.0 - z * z).max(0.0).sqrt();
    [r * cos, r * sin, z]
}

fn narrow(v: Vector) -> [f32; 3] {
    v.map(|x| x as f32)
}

/// A surface of a case: random where the case says nothing.
fn sample(row: &'static LightingModel, model: ModelId, case: &Case, index: u32) -> Sample {
    let mut lighting = Lighting::new(model);
    for (at, param) in row.params.iter().enumerate() {
        let at = at as u32;
        let random = |axis: u32| spread(index, 5 + at * 3 + axis) as f32;
        let value = match param.kind {
            // Much of the range of large numbers looks alike.
            ParamKind::Number { min, max, .. } if max > 1e3 => {
                [min as f32 + random(0) * (200.0 - min as f32), 0.0, 0.0]
            }
            ParamKind::Number { min, max, .. } => [min as f32 + random(0) * (max - min) as f32, 0.0, 0.0],
            ParamKind::Color { .. } => [random(0), random(1), random(2)],
            ParamKind::Flag { .. } => [f32::from(u8::from(random(0) > 0.5)), 0.0, 0.0],
            ParamKind::Turn { .. } => [random(0) * 360.0, 0.0, 0.0],
        };
        lighting.values[at as usize] = if param.name == "bands" { value.map(f32::floor) } else { value };
    }
    for (name, value) in case.set {
        lighting.set(name, value.map(|x| x as f32));
    }
    let base = [0, 1, 2].map(|axis| (spread(index, axis + 2) * case.base_max) as f32);
    let roughness = case.roughness_min + (1.0 - case.roughness_min) * spread(index, 1);
    Sample { base, roughness: roughness as f32, metallic: [0.0, 1.0, 0.5][index as usize % 3], lighting }
}

fn given(sample: &Sample, l: [f32; 3], v: [f32; 3]) -> Given {
    let row = sample.lighting.model.row();
    let values = row.params.iter().zip(&sample.lighting.values);
    Given {
        base: sample.base.map(f64::from),
        roughness: f64::from(sample.roughness),
        metallic: f64::from(sample.metallic),
        values: values.map(|(param, value)| (param.name, value.map(f64::from))).collect::<BTreeMap<_, _>>(),
        l: l.map(f64::from),
        v: v.map(f64::from),
    }
}

/// Every case of every model, with what it is called.
fn cases() -> impl Iterator<Item = (ModelId, &'static Case, String)> {
    ModelId::all().flat_map(|model| {
        model
            .row()
            .cases
            .iter()
            .enumerate()
            .map(move |(at, case)| (model, case, format!("{} case {at}", model.row().name)))
    })
}

fn samples(model: ModelId, case: &Case, count: u32) -> Vec<Sample> {
    (0..count).map(|index| sample(model.row(), model, case, index)).collect()
}

/// All samples of a case have the same layers.
fn bench(model: ModelId, samples: &[Sample]) -> Bench {
    let layers = samples[0].lighting.layers(Slots::default());
    assert!(samples.iter().all(|sample| sample.lighting.layers(Slots::default()) == layers));
    Bench::new(model, layers)
}

#[test]
fn every_model_is_its_twin_in_f64() {
    let mut wrong = Wrong::default();
    for (model, case, what) in cases() {
        let twin = twin(model.row().name).unwrap_or_else(|| panic!("no twin of {what}"));
        let samples = samples(model, case, 240);
        let bench = bench(model, &samples);
        let rows: Vec<_> = samples
            .iter()
            .zip(0..)
            .map(|(sample, index)| {
                let [x, y, z] = direction(index, [0, 3]);
                let z = if case.wraps && index % 2 == 1 { -z } else { z };
                (sample, narrow([x, y, z]), narrow(direction(index, [2, 4])))
            })
            .collect();
        // Where an albedo is a fitted polynomial, its error comes on top.
        // Near the horizon of smooth surfaces they are off by more.
        let least = if model.row().name == "openpbr" { 2e-3 } else { 2e-7 };
        let slack = if case.set.iter().any(|(name, _)| *name == "sheen_roughness")
            || matches!(model.row().name, "standard" | "openpbr")
        {
            3e-2
        } else {
            0.0
        };
        for (found, (sample, l, v)) in bench.lobes(&rows).into_iter().zip(&rows) {
            let want = twin(&given(sample, *l, *v));
            let size = want.iter().copied().fold(0.0, f64::max);
            for c in 0..3 {
                let off = (f64::from(found[c]) - want[c]).abs();
                let bound = case.within * want[c] + slack * size + least;
                wrong.unless(off <= bound, &what, || format!("{found:?} for {want:?} of {sample:?} at {l:?} {v:?}"));
            }
        }
    }
    wrong.none();
}

#[test]
fn light_and_eye_may_change_places_where_a_model_says_so() {
    let mut wrong = Wrong::default();
    for (model, case, what) in cases().filter(|(_, case, _)| case.is_reciprocal) {
        let samples = samples(model, case, 160);
        let bench = bench(model, &samples);
        let ways: Vec<_> = (0..160).map(|index| (direction(index, [0, 3]), direction(index, [2, 4]))).collect();
        let turned = |swap: bool| -> Vec<[f32; 3]> {
            let rows: Vec<_> = samples
                .iter()
                .zip(&ways)
                .map(
                    |(sample, (l, v))| {
                        if swap { (sample, narrow(*v), narrow(*l)) } else { (sample, narrow(*l), narrow(*v)) }
                    },
                )
                .collect();
            bench.lobes(&rows)
        };
        for (((one, other), (l, v)), sample) in turned(false).iter().zip(turned(true)).zip(&ways).zip(&samples) {
            // The cosine to the eye is kept from zero, the one to the light is not.
            if l[2] < 1e-3 || v[2] < 1e-3 {
                continue;
            }
            for c in 0..3 {
                let (a, b) = (f64::from(one[c]) / l[2], f64::from(other[c]) / v[2]);
                let holds = (a - b).abs() <= 2.0 * case.within * a.abs() + 1e-5;
                wrong.unless(holds, &what, || format!("{a} and {b} of {sample:?} at {l:?} {v:?}"));
            }
        }
    }
    wrong.none();
}

#[test]
fn no_direction_gives_less_than_nothing_or_no_number() {
    let mut wrong = Wrong::default();
    for (model, case, what) in cases() {
        let mut samples = samples(model, case, 60);
        for (sample, index) in samples.iter_mut().zip(0..) {
            sample.roughness = [0.0, 1.0, sample.roughness][index as usize % 3];
        }
        let bench = bench(model, &samples);
        let mut rows = Vec::new();
        for (sample, index) in samples.iter().zip(0..) {
            let l = direction(index, [0, 3]);
            let graze = unit([l[0], l[1], 1e-6]);
            let below = [l[0], l[1], -l[2]];
            for (l, v) in [
                (l, l),
                (graze, l),
                (l, graze),
                (graze, graze),
                (l, below),
                (l, l.map(|x| -x)),
                ([0.0, 0.0, 1.0], [0.0, 0.0, 1.0]),
            ] {
                rows.push((sample, narrow(l), narrow(v)));
            }
        }
        for (found, (sample, l, v)) in bench.lobes(&rows).into_iter().zip(&rows) {
            let holds = found.iter().all(|x| x.is_finite() && *x >= 0.0);
            wrong.unless(holds, &what, || format!("{found:?} of {sample:?} at {l:?} {v:?}"));
        }
    }
    wrong.none();
}

#[test]
fn sides_that_look_away_from_light_are_dark() {
    for (model, case, what) in cases().filter(|(_, case, _)| !case.wraps) {
        let samples = samples(model, case, 60);
        let bench = bench(model, &samples);
        let rows: Vec<_> = samples
            .iter()
            .zip(0..)
            .map(|(sample, index)| {
                let l = direction(index, [0, 3]);
                (sample, narrow([l[0], l[1], -l[2]]), narrow(direction(index, [2, 4])))
            })
            .collect();
        for (found, row) in bench.lobes(&rows).into_iter().zip(&rows) {
            assert_eq!(found, [0.0; 3], "{what}: {row:?}");
        }
    }
}

/// Cosines to the eye and roughnesses of the integrals.
const COSINES: [f64; 4] = [0.3, 0.5, 0.8, 1.0];
const ROUGHNESSES: [f64; 3] = [0.4, 0.7, 1.0];

/// What a surface returns of light from everywhere, by quadrature of the shader over the sphere or its upper half.
fn albedo(bench: &Bench, sample: &Sample, mu: f64, wraps: bool) -> [f64; 3] {
    let (rings, steps) = (80, 64);
    let v = narrow([(1.0 - mu * mu).max(0.0).sqrt(), 0.0, mu]);
    let span = if wraps { PI } else { PI / 2.0 };
    let mut rows = Vec::new();
    let mut shares = Vec::new();
    for i in 0..rings {
        let (sin, cos) = m::sin_cos((f64::from(i) + 0.5) / f64::from(rings) * span);
        for j in 0..steps {
            let (y, x) = m::sin_cos((f64::from(j) + 0.5) / f64::from(steps) * TAU);
            rows.push((sample, narrow([sin * x, sin * y, cos]), v));
            shares.push(sin * span / f64::from(rings) * TAU / f64::from(steps));
        }
    }
    let mut sum = [0.0; 3];
    for (found, share) in bench.lobes(&rows).into_iter().zip(shares) {
        (0..3).for_each(|c| sum[c] += f64::from(found[c]) * share);
    }
    sum
}

/// Surfaces whose lobes are wide enough for the quadrature: white plastic and metal, and a coloured one in between, of
/// three roughnesses.
fn wide(model: ModelId, case: &Case) -> Vec<Sample> {
    let mut out = Vec::new();
    for (index, roughness) in (0..).zip(ROUGHNESSES) {
        for metallic in [0.0, 0.5, 1.0] {
            let mut sample = sample(model.row(), model, case, index * 7 + 1);
            (sample.roughness, sample.metallic) = (roughness as f32, metallic);
            if metallic != 0.5 {
                sample.base = [case.base_max as f32; 3];
            }
            for (param, value) in model.row().params.iter().zip(&mut sample.lighting.values) {
                if param.name.starts_with("exponent") {
                    value[0] = value[0].min(60.0);
                } else if matches!(param.name, "clearcoat_roughness" | "coat_roughness") {
                    value[0] = value[0].max(0.4);
                }
            }
            out.push(sample);
        }
    }
    out
}

#[test]
fn no_more_light_leaves_than_a_model_says() {
    let mut wrong = Wrong::default();
    for (model, case, what) in cases() {
        let Some(most) = case.albedo_max else { continue };
        let samples = wide(model, case);
        let bench = bench(model, &samples);
        for sample in &samples {
            for mu in [0.1, 0.4, 0.7, 1.0] {
                let found = albedo(&bench, sample, mu, case.wraps);
                let holds = found.iter().all(|x| *x <= most + 2e-3);
                wrong.unless(holds, &what, || format!("{found:?} at {mu} of {sample:?}"));
            }
        }
    }
    wrong.none();
}

/// The parts of light from everywhere, put together as `ambient_of` does, against the integral of the lobes.
#[test]
fn a_white_room_shows_the_integral_of_the_lobes() {
    let mut wrong = Wrong::default();
    for (model, case, what) in cases() {
        let Some(within) = case.around_within else { continue };
        let samples = wide(model, case);
        let bench = bench(model, &samples);
        for sample in &samples {
            for mu in COSINES {
                let mut row = bench.arguments(sample);
                let v = narrow([(1.0 - mu * mu).max(0.0).sqrt(), 0.0, mu]);
                row.extend([Value::Vec3(v), Value::F32(fresnel_of_lambert(mu) as f32)]);
                let part = |name: &str| bench.vectors(&format!("around_{name}_only"), &[row.clone()])[0].map(f64::from);
                let ([coat, coat_roughness, roughness], [coat_f0, ..]) = (part("coat"), part("coat_f0"));
                let lobe = |roughness: f64| {
                    let (all, weighted) = specular(mu, roughness);
                    [all - weighted, weighted]
                };
                let [a, b] = lobe(roughness);
                let varnish = if coat > 0.0 { lobe(coat_roughness) } else { [0.0; 2] };
                let (diffuse, mirror, f0, f90) = (part("diffuse"), part("mirror"), part("f0"), part("f90"));
                let want = albedo(&bench, sample, mu, case.wraps);
                for c in 0..3 {
                    let found =
                        diffuse[c] + mirror[c] + f0[c] * a + f90[c] * b + coat * (coat_f0 * varnish[0] + varnish[1]);
                    // Dark metals show the fits of albedos, and Schlick's term in place of the coat's exact one.
                    let least = if model.row().name == "openpbr" { 1.2e-2 } else { 2e-3 };
                    let holds = (found - want[c]).abs() <= within * want[c] + least;
                    wrong.unless(holds, &what, || format!("{found} for {want:?} at {mu} of {sample:?}"));
                }
            }
        }
    }
    wrong.none();
}

/// Cubes of an environment are made down to the roughness that a row states: its mirrors must not be smoother.
#[test]
fn mirrors_are_no_smoother_than_a_model_says() {
    let mut wrong = Wrong::default();
    for (model, case, what) in cases() {
        let samples = samples(model, case, 120);
        let bench = bench(model, &samples);
        for (sample, index) in samples.iter().zip(0..) {
            let mut row = bench.arguments(sample);
            row.extend([Value::Vec3(narrow(direction(index, [2, 4]))), Value::F32(0.1)]);
            let [coat, coat_roughness, roughness] = bench.vectors("around_coat_only", &[row])[0];
            let least = sample.lighting.smoothest(sample.roughness);
            let holds = roughness >= least && (coat == 0.0 || coat_roughness >= least);
            wrong.unless(holds, &what, || format!("{roughness} and {coat_roughness}, at least {least}, of {sample:?}"));
        }
    }
    wrong.none();
}

#[test]
fn models_become_others_at_their_limits() {
    for model in ModelId::all() {
        for (at, limit) in model.row().limits.iter().enumerate() {
            let what = format!("{} limit {at}", model.row().name);
            let Limit { set, of, other_set, metallic } = limit;
            let other = ModelId::of_name(of).expect("a model");
            let plain = Case { set: other_set, ..Case::PLAIN };
            // Layers are on by their text alone: the weight 0 must be no layer to that text.
            let mut layers = 0;
            let pairs: Vec<(Sample, Sample)> = (0..60)
                .map(|index| {
                    let mut two = sample(other.row(), other, &plain, index);
                    two.metallic = *metallic as f32;
                    if let Some((_, value)) = set.iter().find(|(name, _)| *name == "roughness") {
                        two.roughness = value[0] as f32;
                    }
                    let mut one = sample(model.row(), model, &Case::PLAIN, index);
                    (one.base, one.roughness, one.metallic) = (two.base, two.roughness, two.metallic);
                    for (name, value) in set.iter().filter(|(name, _)| *name != "roughness") {
                        one.lighting.set(name, value.map(|x| x as f32));
                    }
                    layers = one.lighting.layers(Slots::default());
                    for weight in model.row().layers.iter().flat_map(|layer| layer.weights) {
                        // The last is there without its layer, too.
                        if !["specular", "subsurface_weight"].contains(weight) {
                            one.lighting.set(weight, [0.0; 3]);
                        }
                    }
                    for (param, value) in other.row().params.iter().zip(&two.lighting.values) {
                        if model != other && model.row().param(param.name).is_some() {
                            one.lighting.set(param.name, *value);
                        }
                    }
                    (one, two)
                })
                .collect();
            assert!(model != other || layers != 0, "{what}: a layer is there");
            let [ones, twos] =
                [Bench::new(model, layers), Bench::new(other, pairs[0].1.lighting.layers(Slots::default()))];
            let directions: Vec<_> =
                (0..60).map(|index| (narrow(direction(index, [0, 3])), narrow(direction(index, [2, 4])))).collect();
            let rows = |second: bool| -> Vec<(&Sample, [f32; 3], [f32; 3])> {
                let both = pairs.iter().zip(&directions);
                both.map(|((one, two), (l, v))| (if second { two } else { one }, *l, *v)).collect()
            };
            for ((one, two), row) in ones.lobes(&rows(false)).iter().zip(twos.lobes(&rows(true))).zip(rows(false)) {
                for c in 0..3 {
                    assert!((one[c] - two[c]).abs() <= 1e-4 * two[c] + 1e-6, "{what}: {one:?} and {two:?} of {row:?}");
                }
            }
        }
    }
}

#[test]
fn glossy_numbers_of_the_fibres_are_those_of_the_quadrature() {
    let gltf = ModelId::of_name("gltf").expect("a model");
    let sheen = gltf.row().layers.iter().position(|layer| layer.name == "sheen").expect("a layer");
    let bench = Bench::new(gltf, 1 << sheen);
    for (roughness, values) in
        [(0.3, [0.5178, 0.0447, 0.0014]), (0.5, [0.4891, 0.1278, 0.0313]), (1.0, [0.4221, 0.2230, 0.1414])]
    {
        for (mu, want) in [0.2, 0.7, 1.0].into_iter().zip(values) {
            let exact = sheen_albedo(mu, roughness);
            assert!((exact - want).abs() < 3e-4, "{mu} {roughness}: {exact} for {want}");
            let call = bench.probe.call("sheen_albedo", &[Value::F32(mu as f32), Value::F32(roughness as f32)]);
            let Ok(Value::F32(found)) = call else { panic!("{call:?}") };
            assert!((f64::from(found) - want).abs() < 1e-2, "{mu} {roughness}: {found} for {want}");
        }
    }
}

/// Albedos of the GGX lobe, and the two parts of its split sum.
#[test]
fn glossy_numbers_of_the_lobe_are_those_of_the_quadrature() {
    for (mu, roughness, want) in [
        (0.1, 0.5, 0.8916),
        (0.5, 0.5, 0.8573),
        (1.0, 0.5, 0.9158),
        (0.1, 0.75, 0.8484),
        (0.5, 0.75, 0.6632),
        (1.0, 0.75, 0.6269),
        (0.1, 1.0, 0.76021),
        (0.5, 1.0, 0.45069),
        (1.0, 1.0, 0.30685),
    ] {
        let found = ggx_albedo(mu, roughness);
        assert!((found - want).abs() < 1e-3, "{mu} {roughness}: {found} for {want}");
    }
    for (mu, roughness, a, b) in [(0.5, 0.5, 0.8349, 0.0224), (1.0, 0.5, 0.9158, 0.0), (0.5, 1.0, 0.4477, 0.0030)] {
        let (all, weighted) = specular(mu, roughness);
        let off = (all - weighted - a).abs().max((weighted - b).abs());
        assert!(off < 1e-3, "{mu} {roughness}: {all} {weighted}");
    }
}

#[test]
fn there_are_as_many_rows_as_pages_and_twins() {
    assert!(MODELS.len() >= 18);
    for row in MODELS {
        assert!(twin(row.name).is_some(), "{}", row.name);
        for (what, text) in [("doc", row.doc), ("formula", row.formula), ("source", row.source), ("text", row.text)] {
            assert!(!text.is_empty(), "{}: {what}", row.name);
        }
        assert!(row.source.contains(|c: char| c.is_ascii_digit()), "{} names a year", row.name);
    }
}

const PAGE: &str = "docs/lighting-models.md";
const MARK: &str = "<!-- Below: from the rows of the models. -->\n";

/// A paragraph in lines of at most 120 columns.
fn wrapped(text: &str) -> String {
    let (mut out, mut columns) = (String::new(), 0);
    for word in text.split(' ') {
        let width = word.chars().count();
        if columns > 0 && columns + 1 + width > 120 {
            out.push('\n');
            columns = 0;
        } else if columns > 0 {
            out.push(' ');
            columns += 1;
        }
        out.push_str(word);
        columns += width;
    }
    out + "\n\n"
}

/// What a case says, in words.
fn claims(case: &Case) -> String {
    let mut words = Vec::new();
    if case.is_reciprocal {
        words.push("light and eye may change places".to_string());
    }
    match case.albedo_max {
        Some(most) if most <= 1.0 => words.push("no more light leaves than arrives".to_string()),
        Some(most) => words.push(format!("at most {most} times the light that arrives leaves")),
        None => {}
    }
    if let Some(within) = case.around_within {
        words.push(format!("a white room shows the integral of the lobes within {} %", within * 100.0));
    }
    if words.is_empty() {
        words.push("nothing but that no light is negative".to_string());
    }
    let value = |value: [f64; 3]| {
        if value[0] == value[1] && value[1] == value[2] { format!("{}", value[0]) } else { format!("{value:?}") }
    };
    let set: Vec<String> = case
        .set
        .iter()
        .map(|(name, given)| {
            if given[1] == 0.0 && given[2] == 0.0 {
                format!("`{name}` = {}", given[0])
            } else {
                format!("`{name}` = {}", value(*given))
            }
        })
        .collect();
    let base =
        if case.base_max < 1.0 { format!(" and a base colour of at most {}", case.base_max) } else { String::new() };
    match set.is_empty() {
        true => format!("Claims: {}.", words.join("; ")),
        false => format!("Claims with {}{base}: {}.", set.join(", "), words.join("; ")),
    }
}

fn table(row: &LightingModel) -> String {
    if row.params.is_empty() {
        return String::new();
    }
    let mut out = "| key | value | default | meaning |\n| --- | --- | --- | --- |\n".to_string();
    for param in row.params {
        let (value, default) = match param.kind {
            ParamKind::Number { default, min, max } => (format!("number from {min} to {max}"), format!("{default}")),
            ParamKind::Color { default, max } if max > 1.0 => ("colour".to_string(), format!("{default:?}")),
            ParamKind::Color { default, .. } => ("colour, at most 1".to_string(), format!("{default:?}")),
            ParamKind::Flag { default } => ("`true`, `false`".to_string(), format!("{default}")),
            ParamKind::Turn { default } => ("number, degrees".to_string(), format!("{default}")),
        };
        _ = writeln!(out, "| `{}` | {value} | `{default}` | {} |", param.name, param.doc);
    }
    out + "\n"
}

#[test]
#[expect(clippy::disallowed_methods, reason = "a test reads its own switches from the environment")]
fn the_page_of_the_models_is_fresh() {
    let mut out = String::new();
    for row in MODELS {
        _ = write!(
            out,
            "## `{}`\n\n{}{}{}",
            row.name,
            wrapped(row.doc),
            wrapped(&format!("{}.", row.formula)),
            table(row)
        );
        let mut all: Vec<String> = row.cases.iter().map(claims).collect();
        all.dedup();
        out.extend(all.iter().map(|words| wrapped(words)));
        out.push_str(&wrapped(&format!("Source: {}", row.source)));
    }
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(PAGE);
    let have = std::fs::read_to_string(&path).unwrap();
    let (head, _) = have.split_once(MARK).expect("the page has its mark");
    let want = format!("{head}{MARK}\n{}\n", out.trim_end());
    if have != want {
        if std::env::var_os("STILLFRAME_UPDATE").is_some_and(|value| value != "no") {
            std::fs::write(&path, want).unwrap();
        }
        panic!("{PAGE} is stale: STILLFRAME_UPDATE=all cargo test --test light models");
    }
}
