//! The text form of a resolved scene: a scene file that says everything, and resolves to the same scene again.
//!
//! Files are named from the root, which is not printed: the same scene gives the same text wherever it lies.

use std::fmt::Write;
use std::path::Path;

use glam::{Quat, Vec3};

use super::angle::degrees;
use super::{
    Background, Camera, CameraChoice, Content, EnvironmentSource, Ground, Light, LightKind, Lighting, MaterialOverride,
    Node, Projection, Scene, Shape, TexturePath, Tonemap, Up,
};
use crate::asset::{AlphaMode, Filter, UvTransform, Wrap};

impl Scene {
    /// The scene as the text of a scene file that lies in the root.
    pub fn print(&self) -> String {
        let mut out = Printer { text: String::new(), root: &self.root };
        out.line("title", text(&self.title));
        output(&mut out, self);
        environment(&mut out, self);
        self.cameras.iter().for_each(|c| camera(&mut out, c));
        for model in &self.models {
            out.heading(&format!("[model.{}]", key(&model.name)));
            out.file("file", &model.file);
            out.option("node", model.node.as_deref().map(text));
            out.line("up", word(Up::WORDS, model.up));
            for (name, values) in &model.overrides {
                out.heading(&format!("[model.{}.override.{}]", key(&model.name), key(name)));
                material(&mut out, values);
            }
        }
        for named in &self.materials {
            out.heading(&format!("[material.{}]", key(&named.name)));
            material(&mut out, &named.values);
        }
        self.nodes.iter().for_each(|n| node(&mut out, self, n));
        self.lights.iter().for_each(|l| light(&mut out, self, l));
        if let Some(test) = &self.test {
            out.heading("[test]");
            if !test.why.is_empty() {
                out.line("why", text(&test.why));
            }
            if !test.aov.is_empty() {
                out.line("aov", list(test.aov.iter().map(|aov| text(aov.name()))));
            }
        }
        out.text
    }
}

struct Printer<'a> {
    text: String,
    root: &'a Path,
}

impl Printer<'_> {
    fn heading(&mut self, heading: &str) {
        let _ = write!(self.text, "\n{heading}\n");
    }

    fn line(&mut self, key: &str, value: String) {
        let _ = writeln!(self.text, "{key} = {value}");
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
        let inside = path.strip_prefix(self.root).ok().or(path.file_name().map(Path::new)).unwrap_or(path);
        let parts: Vec<_> = inside.components().map(|c| c.as_os_str().to_string_lossy()).collect();
        text(&parts.join("/"))
    }
}

fn output(out: &mut Printer<'_>, scene: &Scene) {
    let o = &scene.output;
    out.heading("[output]");
    out.line("size_px", format!("[{}, {}]", o.width_px, o.height_px));
    out.line("samples", o.samples.to_string());
    out.line("tonemap", word(Tonemap::WORDS, o.tonemap));
    out.line("exposure_ev", float(o.exposure_ev));
    out.line(
        "background",
        match o.background {
            Background::Auto => text("auto"),
            Background::Environment => text("environment"),
            Background::Transparent => text("transparent"),
            Background::Color(color) => floats(color),
        },
    );
    match &scene.camera {
        CameraChoice::Scene(at) => out.line("camera", text(&scene.cameras[*at].name)),
        CameraChoice::ModelNamed(name) => out.line("camera", text(name)),
        CameraChoice::ModelNumber(number) => out.line("camera", text(&format!("#{number}"))),
        CameraChoice::Auto => out.line("camera", text("auto")),
        CameraChoice::Look { eye, target, fov_y_rad } => {
            let point = |p: &Vec3| format!("{:?},{:?},{:?}", p.x, p.y, p.z);
            out.line("look", text(&format!("{}:{}:{:?}", point(eye), point(target), degrees(*fov_y_rad))));
        }
    }
    out.line("shadows", scene.shadows.to_string());
    out.line("lighting", word(Lighting::WORDS, scene.lighting));
    out.line("model_lights", scene.model_lights.to_string());
    out.line("ground", word(Ground::WORDS, scene.ground));
    out.option("max_mip", scene.max_mip.map(|level| level.to_string()));
    out.line("time_s", format!("{:?}", scene.time_s));
}

fn environment(out: &mut Printer<'_>, scene: &Scene) {
    let environment = &scene.environment;
    if environment.source == EnvironmentSource::None {
        return;
    }
    out.heading("[environment]");
    match &environment.source {
        EnvironmentSource::None => {}
        EnvironmentSource::Auto => out.line("auto", "true".into()),
        EnvironmentSource::File(file) => out.file("file", file),
        EnvironmentSource::Uniform(color) => out.line("color", floats(*color)),
        EnvironmentSource::Gradient { zenith, horizon, ground } => {
            let parts = [zenith, horizon, ground].map(|c| floats(*c));
            let [zenith, horizon, ground] = parts;
            out.line("gradient", format!("{{ zenith = {zenith}, horizon = {horizon}, ground = {ground} }}"));
        }
        EnvironmentSource::Sky(sky) => out.line(
            "sky",
            format!(
                "{{ sun_elevation_deg = {:?}, sun_azimuth_deg = {:?}, turbidity = {}, ground_albedo = {} }}",
                degrees(sky.sun_elevation_rad),
                degrees(sky.sun_azimuth_rad),
                float(sky.turbidity),
                floats(sky.ground_albedo)
            ),
        ),
    }
    out.line("intensity", float(environment.intensity));
    out.line("rotation_deg", format!("{:?}", degrees(environment.rotation_rad)));
}

fn camera(out: &mut Printer<'_>, camera: &Camera) {
    out.heading(&format!("[camera.{}]", key(&camera.name)));
    out.line("position", vector(camera.position));
    out.line("rotation_quat", quat(camera.rotation));
    match camera.projection {
        Projection::Perspective { fov_y_rad } => out.line("fov_y_deg", format!("{:?}", degrees(fov_y_rad))),
        Projection::Orthographic { height_m } => out.line("height_m", float(height_m)),
    }
    out.line("near_m", float(camera.near_m));
    out.option("far_m", camera.far_m.map(float));
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
    out.option("base_color", base_color.map(floats));
    texture(out, "base_color_texture", base_color_texture);
    out.option("metallic", metallic.map(float));
    out.option("roughness", roughness.map(float));
    texture(out, "metallic_roughness_texture", metallic_roughness_texture);
    texture(out, "normal_texture", normal_texture);
    out.option("normal_scale", normal_scale.map(float));
    texture(out, "occlusion_texture", occlusion_texture);
    out.option("occlusion_strength", occlusion_strength.map(float));
    out.option("emissive", emissive.map(floats));
    texture(out, "emissive_texture", emissive_texture);
    match alpha_mode {
        None => {}
        Some(AlphaMode::Opaque) => out.line("alpha_mode", text("opaque")),
        Some(AlphaMode::Blend) => out.line("alpha_mode", text("blend")),
        Some(AlphaMode::Mask { cutoff }) => {
            out.line("alpha_mode", text("mask"));
            out.line("alpha_cutoff", float(*cutoff));
        }
    }
    out.option("double_sided", double_sided.map(|flag| flag.to_string()));
    out.option("unlit", unlit.map(|flag| flag.to_string()));
}

fn texture(out: &mut Printer<'_>, name: &str, texture: &Option<TexturePath>) {
    let Some(texture) = texture else { return };
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

fn node(out: &mut Printer<'_>, scene: &Scene, node: &Node) {
    out.heading("[[node]]");
    out.line("name", text(&node.name));
    out.option("parent", node.parent.map(|parent| text(&scene.nodes[parent].name)));
    match &node.content {
        Content::Empty => {}
        Content::Model(model) => out.line("model", text(&scene.models[*model].name)),
        Content::Shape(shape) => self::shape(out, shape),
    }
    out.option("material", node.material.map(|material| text(&scene.materials[material].name)));
    out.line("position", vector(node.placement.position));
    out.line("rotation_quat", quat(node.placement.rotation));
    out.line("scale", vector(node.placement.scale));
    out.line("casts_shadow", node.casts_shadow.to_string());
}

fn shape(out: &mut Printer<'_>, shape: &Shape) {
    let mut lines = |word: &str, lines: &[(&str, String)]| {
        out.line("shape", text(word));
        lines.iter().for_each(|(key, value)| out.line(key, value.clone()));
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

fn light(out: &mut Printer<'_>, scene: &Scene, light: &Light) {
    out.heading("[[light]]");
    out.line("name", text(&light.name));
    out.option("parent", light.parent.map(|parent| text(&scene.nodes[parent].name)));
    match light.kind {
        LightKind::Directional { illuminance_lux } => {
            out.line("kind", text("directional"));
            out.line("illuminance_lux", float(illuminance_lux));
        }
        LightKind::Point { intensity_cd, range_m } => {
            out.line("kind", text("point"));
            out.line("intensity_cd", float(intensity_cd));
            out.option("range_m", range_m.map(float));
        }
        LightKind::Spot { intensity_cd, range_m, inner_rad, outer_rad } => {
            out.line("kind", text("spot"));
            out.line("intensity_cd", float(intensity_cd));
            out.option("range_m", range_m.map(float));
            out.line("inner_deg", format!("{:?}", degrees(inner_rad)));
            out.line("outer_deg", format!("{:?}", degrees(outer_rad)));
        }
    }
    out.line("position", vector(light.placement.position));
    out.line("rotation_quat", quat(light.placement.rotation));
    out.line("color", floats(light.color));
    out.line("shadow", light.shadow.to_string());
}

/// Debug prints the shortest text that reads back as the same float, always with a point or an exponent: TOML's form.
fn float(value: f32) -> String {
    format!("{value:?}")
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

fn list(values: impl IntoIterator<Item = String>) -> String {
    format!("[{}]", values.into_iter().collect::<Vec<_>>().join(", "))
}

fn word<T: PartialEq>(words: &[(&str, T)], value: T) -> String {
    text(words.iter().find(|(_, meaning)| *meaning == value).map_or("", |(word, _)| word))
}

/// A TOML basic string.
fn text(value: &str) -> String {
    let mut out = String::from("\"");
    for character in value.chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            c if c.is_control() => {
                let _ = write!(out, "\\u{:04X}", c as u32);
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// A TOML key, with quotes where it needs them.
fn key(name: &str) -> String {
    let bare = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-');
    if bare { name.to_string() } else { text(name) }
}
