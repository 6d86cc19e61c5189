//! The text form of a resolved scene: a scene file that says everything, and resolves to the same scene again.
//!
//! Files are named from the root, which is not printed: the same scene gives the same text wherever it lies. Included files and
//! parameters are gone, but for parameters that the test's matrix varies.

mod animation;

use std::fmt::Write;
use std::path::Path;

use glam::{Quat, Vec3};

use super::angle::degrees;
use super::control::{KEYS, KINDS};
use super::schema::INHERITS;
use super::toml::{self, key, list, scene_text as text};
use super::{
    Area, Background, Camera, CameraChoice, CameraControl, ClipChoice, Content, ControlInput, Curve, EnvironmentSource,
    Extend, Form, Ground, Interpolation, Light, LightKind, Lighting, MaterialOverride, Model, Moments, Node, NodeMorph,
    Pattern, PlanOptions, Projection, Proportion, Scene, SceneShot, Shape, Show, SkinBlend, Test, TextureChoice, Thing,
    Tonemap, Track, Up,
};
use crate::asset::{AlphaMode, Filter, UvTransform, Wrap};

impl Scene {
    /// The scene as the text of a scene file that lies in the root.
    pub fn print(&self) -> String {
        self.print_in(&self.root)
    }

    /// The scene as the text of a scene file that lies in `folder`, which is the root or lies below it.
    pub fn print_in(&self, folder: &Path) -> String {
        let mut out = Printer { text: String::new(), scene: self, thing: Thing::Output, folder };
        out.line("title", text(&self.title));
        if !self.params.is_empty() {
            out.heading("[param]");
            self.params.iter().for_each(|(name, value)| out.line(name, value.clone()));
        }
        out.heading("[output]");
        let own = SceneShot {
            name: String::new(),
            output: self.output.clone(),
            camera: self.camera.clone(),
            shadows: self.shadows,
            lighting: self.lighting,
            model_lights: self.model_lights,
            ground: self.ground,
            max_mip: self.max_mip,
            time_s: self.time_s,
        };
        output(&mut out, &own);
        for (at, shot) in self.shots.iter().enumerate() {
            out.begin(Thing::Shot(at), &format!("[shot.{}]", key(&shot.name)));
            output(&mut out, shot);
        }
        environment(&mut out);
        for (at, of) in self.cameras.iter().enumerate() {
            out.begin(Thing::Camera(at), &format!("[camera.{}]", key(&of.name)));
            camera(&mut out, of);
        }
        for (at, of) in self.models.iter().enumerate() {
            model(&mut out, at, of);
        }
        for (at, named) in self.materials.iter().enumerate() {
            out.begin(Thing::Material(at), &format!("[material.{}]", key(&named.name)));
            material(&mut out, &named.values);
        }
        animation::clips(&mut out);
        animation::animators(&mut out);
        for (at, of) in self.nodes.iter().enumerate() {
            out.begin(Thing::Node(at), "[[node]]");
            node(&mut out, at, of);
        }
        animation::crowds(&mut out);
        for (at, of) in self.lights.iter().enumerate() {
            out.begin(Thing::Light(at), "[[light]]");
            light(&mut out, of);
        }
        plan(&mut out, self.plan);
        if let Some(of) = &self.test {
            test(&mut out, of);
        }
        out.text
    }
}

struct Printer<'a> {
    text: String,
    scene: &'a Scene,
    /// Whose keys are printed.
    thing: Thing,
    /// Where the text shall lie.
    folder: &'a Path,
}

impl Printer<'_> {
    fn heading(&mut self, heading: &str) {
        let _ = write!(self.text, "\n{heading}\n");
    }

    fn begin(&mut self, thing: Thing, heading: &str) {
        self.thing = thing;
        self.heading(heading);
    }

    fn line(&mut self, key: &str, value: String) {
        let _ = writeln!(self.text, "{key} = {value}");
    }

    /// A list of tables, one on each line; nothing where there are none.
    fn rows(&mut self, key: &str, rows: Vec<String>) {
        if !rows.is_empty() {
            self.all_rows(key, rows);
        }
    }

    /// The same, also where there are none.
    fn all_rows(&mut self, key: &str, rows: Vec<String>) {
        let lines: String = rows.iter().map(|row| format!("\n    {row},")).collect();
        let end = if rows.is_empty() { "" } else { "\n" };
        self.line(key, format!("[{lines}{end}]"));
    }

    /// A value that may move: its key frames where it does.
    fn moving(&mut self, key: &str, value: String) {
        let value = self.track(key).map_or(value, |track| curve(&track.curve));
        self.line(key, value);
    }

    fn moving_option(&mut self, key: &str, value: Option<String>) {
        if let Some(value) = value {
            self.moving(key, value);
        }
    }

    /// The key frames of a value, or the value.
    fn moved(&self, key: &str, value: String) -> String {
        self.track(key).map_or(value, |track| curve(&track.curve))
    }

    fn track(&self, key: &str) -> Option<&Track> {
        self.scene.track(self.thing, key)
    }

    /// The rotation in the one spelling that moves, else as a quaternion.
    fn rotation(&mut self, value: Quat) {
        match ["look_at", "direction"].into_iter().find(|key| self.track(key).is_some()) {
            Some(key) => self.moving(key, String::new()),
            None => self.moving("rotation_quat", quat(value)),
        }
    }

    fn option(&mut self, key: &str, value: Option<String>) {
        if let Some(value) = value {
            self.line(key, value);
        }
    }

    fn file(&mut self, key: &str, path: &Path) {
        let name = self.name_of(path);
        self.line(key, name);
    }

    fn name_of(&self, path: &Path) -> String {
        // A file from the command line may lie elsewhere; its folder is nobody's business.
        let is_inside = path.starts_with(&self.scene.root);
        let path = if is_inside { path } else { path.file_name().map_or(path, Path::new) };
        let shared = self.folder.components().zip(path.components()).take_while(|(a, b)| a == b).count();
        let up = if is_inside { self.folder.components().count() - shared } else { 0 };
        let down = path.components().skip(shared).map(|c| c.as_os_str().to_string_lossy());
        let parts: Vec<_> = std::iter::repeat_n("..".into(), up).chain(down).collect();
        text(&parts.join("/"))
    }
}

fn curve(curve: &Curve) -> String {
    let numbers = |value: &[f64; 4]| match curve.form {
        Form::Number => toml::float(value[0]),
        form => list(value[..form.count()].iter().map(|x| toml::float(*x))),
    };
    let keys =
        list(curve.keys.iter().map(|(tick, value)| format!("[{}, {}]", toml::float(tick.seconds()), numbers(value))));
    let mut out = format!("{{ keys = {keys}");
    if curve.interpolation != Interpolation::default() {
        let _ = write!(out, ", interpolation = {}", word(Interpolation::WORDS, curve.interpolation));
    }
    if curve.extend != Extend::default() {
        let _ = write!(out, ", extend = {}", word(Extend::WORDS, curve.extend));
    }
    out.push_str(" }");
    out
}

fn output(out: &mut Printer<'_>, of: &SceneShot) {
    let o = &of.output;
    out.line("size_px", format!("[{}, {}]", o.width_px, o.height_px));
    out.line("samples", o.samples.to_string());
    out.line("tonemap", word(Tonemap::WORDS, o.tonemap));
    out.moving("exposure_ev", float(o.exposure_ev));
    out.line(
        "background",
        match o.background {
            Background::Auto => text("auto"),
            Background::Environment => text("environment"),
            Background::Transparent => text("transparent"),
            Background::Color(color) => floats(color),
        },
    );
    match &of.camera {
        CameraChoice::Scene(at) => out.line("camera", text(&out.scene.cameras[*at].name)),
        CameraChoice::ModelNamed(name) => out.line("camera", text(name)),
        CameraChoice::ModelNumber(number) => out.line("camera", text(&format!("#{number}"))),
        CameraChoice::Auto => out.line("camera", text("auto")),
        CameraChoice::Look { eye, target, fov_y_rad } => {
            let point = |p: &Vec3| format!("{:?},{:?},{:?}", p.x, p.y, p.z);
            out.line("look", text(&format!("{}:{}:{:?}", point(eye), point(target), degrees(*fov_y_rad))));
        }
    }
    out.line("shadows", of.shadows.to_string());
    out.line("lighting", word(Lighting::WORDS, of.lighting));
    out.line("model_lights", of.model_lights.to_string());
    out.line("ground", word(Ground::WORDS, of.ground));
    out.option("max_mip", of.max_mip.map(|level| level.to_string()));
    out.line("time_s", toml::float(of.time_s));
    out.line("fps", toml::float(o.fps));
    out.option("frames", o.frames.map(|[first, last]| text(&format!("{first}..{last}"))));
    out.line("aov", list(o.aov.iter().map(|aov| text(&aov.to_string()))));
}

/// Only what is not as it is by itself: the switches change no pixel.
fn plan(out: &mut Printer<'_>, of: PlanOptions) {
    let PlanOptions { alias, poison } = of;
    if of == PlanOptions::DEFAULT {
        return;
    }
    out.heading("[plan]");
    if alias != PlanOptions::DEFAULT.alias {
        out.line("alias", word(PlanOptions::ALIAS_WORDS, alias));
    }
    if poison != PlanOptions::DEFAULT.poison {
        out.line("poison", poison.to_string());
    }
}

fn environment(out: &mut Printer<'_>) {
    let environment = &out.scene.environment;
    // One without a source may still turn: what the file says stays said.
    if environment.source == EnvironmentSource::None && *environment == super::Environment::NONE {
        let moves = out.scene.tracks.iter().any(|track| track.thing == Thing::Environment);
        if !moves {
            return;
        }
    }
    out.begin(Thing::Environment, "[environment]");
    match &environment.source {
        EnvironmentSource::None => {}
        EnvironmentSource::Auto => out.line("auto", "true".into()),
        EnvironmentSource::File(file) => out.file("file", file),
        EnvironmentSource::Uniform(color) => out.moving("color", floats(*color)),
        EnvironmentSource::Gradient { zenith, horizon, ground } => {
            let part = |name: &str, color: &[f32; 3]| out.moved(&format!("gradient.{name}"), floats(*color));
            let [zenith, horizon, ground] = [part("zenith", zenith), part("horizon", horizon), part("ground", ground)];
            out.line("gradient", format!("{{ zenith = {zenith}, horizon = {horizon}, ground = {ground} }}"));
        }
        EnvironmentSource::Sky(sky) => {
            let part = |name: &str, value: String| format!("{name} = {}", out.moved(&format!("sky.{name}"), value));
            let parts = [
                part("sun_elevation_deg", toml::float(degrees(sky.sun_elevation_rad))),
                part("sun_azimuth_deg", toml::float(degrees(sky.sun_azimuth_rad))),
                part("turbidity", float(sky.turbidity)),
                part("ground_albedo", floats(sky.ground_albedo)),
            ];
            out.line("sky", format!("{{ {} }}", parts.join(", ")));
        }
    }
    out.moving("intensity", float(environment.intensity));
    out.moving("rotation_deg", toml::float(degrees(environment.rotation_rad)));
}

fn camera(out: &mut Printer<'_>, camera: &Camera) {
    let control = camera.control.as_ref();
    let start = control.map(|control| (control.start_position, control.start_rotation));
    let (position, rotation) = start.unwrap_or((camera.position, camera.rotation));
    out.moving("position", vector(position));
    out.rotation(rotation);
    match camera.projection {
        Projection::Perspective { fov_y_rad } => out.moving("fov_y_deg", toml::float(degrees(fov_y_rad))),
        Projection::Orthographic { height_m } => out.moving("height_m", float(height_m)),
    }
    out.moving("near_m", float(camera.near_m));
    out.moving_option("far_m", camera.far_m.map(float));
    if let Some(control) = control {
        steered(out, control);
    }
}

fn steered(out: &mut Printer<'_>, control: &CameraControl) {
    let input = |input: &ControlInput| {
        let keys = input.keys.iter().map(|key| word(KEYS, *key));
        let look_px = list(input.look_px.map(toml::float));
        format!("{{ at_s = {}, look_px = {look_px}, keys = {} }}", toml::float(input.at_s), list(keys))
    };
    let parts = [
        format!("kind = {}", word(KINDS, control.kind)),
        format!("speed_m_s = {}", toml::float(control.speed_m_s)),
        format!("turn_deg_per_px = {}", toml::float(control.turn_deg_per_px)),
        format!("input = {}", list(control.inputs.iter().map(input))),
    ];
    out.line("control", format!("{{ {} }}", parts.join(", ")));
}

fn model(out: &mut Printer<'_>, at: usize, model: &Model) {
    out.heading(&format!("[model.{}]", key(&model.name)));
    out.file("file", &model.file);
    for (key, names) in [("node", &model.nodes), ("mesh", &model.meshes)] {
        match names.as_slice() {
            [] => {}
            [one] => out.line(key, text(one)),
            several => out.line(key, list(several.iter().map(|name| text(name)))),
        }
    }
    out.line("up", word(Up::WORDS, model.up));
    out.line("skinning", word(SkinBlend::WORDS, model.skinning));
    let mut rows = Vec::with_capacity(model.proportions.len());
    for (number, Proportion { joint, position, scale, branch, weight }) in model.proportions.iter().enumerate() {
        out.thing = Thing::Proportion(at, number);
        let (position, scale) = (floats(position.to_array()), floats(scale.to_array()));
        let (joint, weight) = (text(joint), out.moved("weight", float(*weight)));
        rows.push(format!(
            "{{ joint = {joint}, position = {position}, scale = {scale}, branch = {branch}, weight = {weight} }}"
        ));
    }
    out.rows("proportion", rows);
    if model.clip != ClipChoice::None {
        out.line("clip", text(&model.clip.words()));
        out.line("clip_time_s", toml::float(model.clip_time_s));
        out.line("clip_speed", toml::float(model.clip_speed));
    }
    for (number, (name, values)) in model.overrides.iter().enumerate() {
        out.begin(Thing::Override(at, number), &format!("[model.{}.override.{}]", key(&model.name), key(name)));
        material(out, values);
    }
}

fn material(out: &mut Printer<'_>, values: &MaterialOverride) {
    let MaterialOverride {
        base_color,
        base_color_texture,
        metallic,
        roughness,
        metallic_roughness_texture,
        normal_texture,
        normal_scale,
        occlusion_texture,
        occlusion_strength,
        emissive,
        emissive_texture,
        alpha_mode,
        double_sided,
        unlit,
    } = values;
    out.moving_option("base_color", base_color.map(floats));
    texture(out, "base_color_texture", base_color_texture);
    out.moving_option("metallic", metallic.map(float));
    out.moving_option("roughness", roughness.map(float));
    texture(out, "metallic_roughness_texture", metallic_roughness_texture);
    texture(out, "normal_texture", normal_texture);
    out.moving_option("normal_scale", normal_scale.map(float));
    texture(out, "occlusion_texture", occlusion_texture);
    out.moving_option("occlusion_strength", occlusion_strength.map(float));
    out.moving_option("emissive", emissive.map(floats));
    texture(out, "emissive_texture", emissive_texture);
    match alpha_mode {
        None => {}
        Some(AlphaMode::Opaque) => out.line("alpha_mode", text("opaque")),
        Some(AlphaMode::Blend) => out.line("alpha_mode", text("blend")),
        Some(AlphaMode::Mask { cutoff }) => {
            out.line("alpha_mode", text("mask"));
            out.moving("alpha_cutoff", float(*cutoff));
        }
    }
    out.option("double_sided", double_sided.map(|flag| flag.to_string()));
    out.option("unlit", unlit.map(|flag| flag.to_string()));
}

fn texture(out: &mut Printer<'_>, name: &str, texture: &Option<TextureChoice>) {
    let texture = match texture {
        None => return,
        Some(TextureChoice::None) => return out.line(name, text("none")),
        Some(TextureChoice::File(texture)) => texture,
    };
    let filter = |f: Filter| text(if f == Filter::Nearest { "nearest" } else { "linear" });
    let wrap = |w: Wrap| {
        text(match w {
            Wrap::Repeat => "repeat",
            Wrap::Mirror => "mirror",
            Wrap::Clamp => "clamp",
        })
    };
    let mut parts = vec![
        format!("file = {}", out.name_of(&texture.file)),
        format!("uv_set = {}", texture.uv_set),
        format!("wrap = [{}, {}]", wrap(texture.wrap[0]), wrap(texture.wrap[1])),
        format!("mag_filter = {}", filter(texture.mag_filter)),
        format!("min_filter = {}", filter(texture.min_filter)),
        format!("mip_filter = {}", texture.mip_filter.map_or(text("none"), filter)),
        format!("anisotropy = {}", texture.anisotropy),
    ];
    if texture.transform != UvTransform::IDENTITY {
        parts.push(format!(
            "matrix = {}",
            list([texture.transform.x, texture.transform.y, texture.transform.offset].map(floats))
        ));
    }
    out.line(name, format!("{{ {} }}", parts.join(", ")));
}

fn node(out: &mut Printer<'_>, at: usize, node: &Node) {
    let scene = out.scene;
    out.line("name", text(&node.name));
    out.option("parent", node.parent.map(|parent| text(&scene.nodes[parent].name)));
    match &node.content {
        Content::Empty => {}
        Content::Model(model) => out.line("model", text(&scene.models[*model].name)),
        Content::Shape(shape) => self::shape(out, shape),
    }
    out.option("animator", node.animator.map(|animator| text(&scene.animators[animator].name)));
    if let Some(joint) = &node.joint {
        out.line("joint", text(joint));
        let words = INHERITS.iter().zip(node.inherits).filter(|(_, does)| *does);
        out.line("inherits", list(words.map(|(word, _)| text(word))));
    }
    if node.worn {
        out.line("worn", "true".to_string());
    }
    if !node.show.is_empty() {
        out.line("show", list(node.show.iter().map(|show| word(Show::WORDS, *show))));
    }
    out.option("material", node.material.map(|material| text(&scene.materials[material].name)));
    out.moving("position", vector(node.placement.position));
    out.rotation(node.placement.rotation);
    out.moving("scale", vector(node.placement.scale));
    out.line("casts_shadow", node.casts_shadow.to_string());
    if let Some(of) = &node.pattern {
        pattern(out, of);
    }
    let mut morphs = Vec::with_capacity(node.morphs.len());
    for (number, NodeMorph { name, weight }) in node.morphs.iter().enumerate() {
        out.thing = Thing::Morph(at, number);
        morphs.push(format!("{{ name = {}, weight = {} }}", text(name), out.moved("weight", toml::float(*weight))));
    }
    out.rows("morph", morphs);
}

fn pattern(out: &mut Printer<'_>, pattern: &Pattern) {
    let numbers = |values: &[f64]| list(values.iter().map(|x| toml::float(*x)));
    let (key, parts) = match pattern {
        Pattern::Line { count, step_m, centered } => (
            "line",
            vec![format!("count = {count}"), format!("step_m = {}", vector(*step_m)), format!("centered = {centered}")],
        ),
        Pattern::Grid { count: [x, y, z], step_m, centered } => (
            "grid",
            vec![
                format!("count = [{x}, {y}, {z}]"),
                format!("step_m = {}", vector(*step_m)),
                format!("centered = {centered}"),
            ],
        ),
        Pattern::Ring { count, radius_m, start_deg, sweep_deg, turn } => (
            "ring",
            vec![
                format!("count = {count}"),
                format!("radius_m = {}", float(*radius_m)),
                format!("start_deg = {}", toml::float(*start_deg)),
                format!("sweep_deg = {}", toml::float(*sweep_deg)),
                format!("turn = {turn}"),
            ],
        ),
        Pattern::Scatter { count, area, turn_deg, scale, seed } => (
            "scatter",
            vec![
                format!("count = {count}"),
                match area {
                    Area::Box { size_m } => format!("size_m = {}", numbers(size_m)),
                    Area::Disk { radius_m } => format!("radius_m = {}", toml::float(*radius_m)),
                },
                format!("turn_deg = {}", numbers(turn_deg)),
                format!("scale = {}", numbers(scale)),
                format!("seed = {seed}"),
            ],
        ),
    };
    out.line(key, format!("{{ {} }}", parts.join(", ")));
}

fn shape(out: &mut Printer<'_>, shape: &Shape) {
    let mut lines = |word: &str, lines: &[(&str, String)]| {
        out.line("shape", text(word));
        lines.iter().for_each(|(key, value)| out.moving(key, value.clone()));
    };
    match *shape {
        Shape::Box { size_m } => lines("box", &[("size_m", vector(size_m))]),
        Shape::Sphere { radius_m, segments, rings } => lines(
            "sphere",
            &[("radius_m", float(radius_m)), ("segments", segments.to_string()), ("rings", rings.to_string())],
        ),
        Shape::Icosphere { radius_m, subdivisions } => {
            lines("icosphere", &[("radius_m", float(radius_m)), ("subdivisions", subdivisions.to_string())]);
        }
        Shape::Plane { size_m, uv_scale } => {
            lines("plane", &[("size_m", floats(size_m)), ("uv_scale", float(uv_scale))]);
        }
        Shape::Quad { size_m, uv_scale } => {
            lines("quad", &[("size_m", floats(size_m)), ("uv_scale", float(uv_scale))]);
        }
        Shape::Disk { radius_m, segments } => {
            lines("disk", &[("radius_m", float(radius_m)), ("segments", segments.to_string())]);
        }
        Shape::Cylinder { radius_m, height_m, segments } => lines(
            "cylinder",
            &[("radius_m", float(radius_m)), ("height_m", float(height_m)), ("segments", segments.to_string())],
        ),
        Shape::Cone { radius_m, height_m, segments } => lines(
            "cone",
            &[("radius_m", float(radius_m)), ("height_m", float(height_m)), ("segments", segments.to_string())],
        ),
        Shape::Capsule { radius_m, height_m, segments, rings } => lines(
            "capsule",
            &[
                ("radius_m", float(radius_m)),
                ("height_m", float(height_m)),
                ("segments", segments.to_string()),
                ("rings", rings.to_string()),
            ],
        ),
        Shape::Torus { major_radius_m, minor_radius_m, major_segments, minor_segments } => lines(
            "torus",
            &[
                ("major_radius_m", float(major_radius_m)),
                ("minor_radius_m", float(minor_radius_m)),
                ("major_segments", major_segments.to_string()),
                ("minor_segments", minor_segments.to_string()),
            ],
        ),
        Shape::Triangle { points_m: [a, b, c] } => {
            lines("triangle", &[("a_m", vector(a)), ("b_m", vector(b)), ("c_m", vector(c))]);
        }
    }
}

fn light(out: &mut Printer<'_>, light: &Light) {
    let scene = out.scene;
    out.line("name", text(&light.name));
    out.option("parent", light.parent.map(|parent| text(&scene.nodes[parent].name)));
    match light.kind {
        LightKind::Directional { illuminance_lux } => {
            out.line("kind", text("directional"));
            out.moving("illuminance_lux", float(illuminance_lux));
        }
        LightKind::Point { intensity_cd, range_m } => {
            out.line("kind", text("point"));
            out.moving("intensity_cd", float(intensity_cd));
            out.moving_option("range_m", range_m.map(float));
        }
        LightKind::Spot { intensity_cd, range_m, inner_rad, outer_rad } => {
            out.line("kind", text("spot"));
            out.moving("intensity_cd", float(intensity_cd));
            out.moving_option("range_m", range_m.map(float));
            out.moving("inner_deg", toml::float(degrees(inner_rad)));
            out.moving("outer_deg", toml::float(degrees(outer_rad)));
        }
    }
    out.moving("position", vector(light.placement.position));
    out.rotation(light.placement.rotation);
    out.moving("color", floats(light.color));
    out.line("shadow", light.shadow.to_string());
}

fn test(out: &mut Printer<'_>, test: &Test) {
    let Test { why, tags, aov, moments, matrix, equals, differs, known_failure, tolerance } = test;
    out.heading("[test]");
    if !why.is_empty() {
        out.line("why", text(why));
    }
    if !tags.is_empty() {
        out.line("tags", list(tags.iter().map(|tag| text(tag))));
    }
    if !aov.is_empty() {
        out.line("aov", list(aov.iter().map(|aov| text(&aov.to_string()))));
    }
    match moments {
        Moments::Own => {}
        Moments::Seconds(all) => out.line("times_s", list(all.iter().map(|x| toml::float(*x)))),
        Moments::Frames(all) => out.line("frames", list(all.iter().map(i64::to_string))),
    }
    if !matrix.is_empty() {
        let axes: Vec<String> =
            matrix.iter().map(|axis| format!("{} = {}", quoted(&axis.name), list(axis.values.clone()))).collect();
        out.line("matrix", format!("{{ {} }}", axes.join(", ")));
    }
    for (key, files) in [("equals", equals), ("differs", differs)] {
        if !files.is_empty() {
            let names: Vec<String> = files.iter().map(|file| out.name_of(file)).collect();
            out.line(key, list(names));
        }
    }
    out.option("known_failure", known_failure.as_deref().map(text));
    if let Some(of) = tolerance {
        let (channel, share) = (toml::float(of.channel), toml::float(of.share));
        out.line("tolerance", format!("{{ channel = {channel}, share = {share} }}"));
        out.line("reason", text(&of.reason));
    }
}

/// A path as one key: in quotes where it has dots.
fn quoted(path: &str) -> String {
    if path.contains('.') { toml::text(path) } else { path.to_string() }
}

fn float(value: f32) -> String {
    toml::float32(value)
}

fn floats<const N: usize>(values: [f32; N]) -> String {
    list(values.map(float))
}

fn vector(value: Vec3) -> String {
    floats(value.to_array())
}

fn quat(value: Quat) -> String {
    floats(value.to_array())
}

fn word<T: PartialEq>(words: &[(&str, T)], value: T) -> String {
    text(words.iter().find(|(_, meaning)| *meaning == value).map_or("", |(word, _)| word))
}
