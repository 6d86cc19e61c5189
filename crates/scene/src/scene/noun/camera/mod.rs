//! `[camera.NAME]`: cameras, and which of them looks.

mod control;
mod view;

use glam::{Quat, Vec3};
use stillframe_base::math::ops;

use super::placement::{self, DIRECTIONS, LOOK_AT, Placement, ROTATION_DEG, ROTATION_QUAT};
use crate::scene::Scene;
use crate::scene::angle::{degrees, direction, radians};
use crate::scene::code;
use crate::scene::fields::Fields;
use crate::scene::key::{Inner, Key, Moved, number, numbers, optional, rows};
use crate::scene::printer::Printer;
use crate::scene::resolver::Resolver;
use crate::scene::schema::{ANY, Kind, NUMBER_MAX, POSITIVE, Range, Rising, Row, Type, kind, range};
use crate::scene::text::syntax::{Place, Table};
use crate::scene::track::Thing;
use crate::scene::word::Word;
use crate::source::did_you_mean;

pub use control::{CameraControl, ControlInput, ControlKey, ControlKind};
pub(crate) use control::{INPUT_TABLE, TABLE as CONTROL_TABLE};
pub use view::{Turn, View};

pub(crate) static TABLE: Kind = Kind {
    exclusive: &[DIRECTIONS, &[FOV_Y_DEG.name(), HEIGHT_M.name()], &[FOCUS_M.name(), HEIGHT_M.name()]],
    rising: &[Rising {
        low: NEAR_M.name(),
        high: FAR_M.name(),
        beside: Some((HEIGHT_M.name(), ORTHOGRAPHIC_FAR_M as f64)),
    }],
    thing: Some(|at| Thing::Camera(at[0])),
    ..kind(
        "[camera.NAME]",
        "A camera looks along its -Z axis, with +Y up. Without a direction, it looks along the scene's -Z.",
        KEYS,
    )
};

const POSITION: Key<Vec3> = numbers("position", &[0.0, 0.0, 5.0], ANY, "Metres.").moves();
const FOV_Y_DEG: Key<f64> =
    number("fov_y_deg", 45.0, Range { min: 0.01, max: 179.0, open: false }, "Vertical field of view, in degrees.")
        .moves();
const HEIGHT_M: Key<Option<f32>> =
    optional("height_m", Type::Number(POSITIVE), "none", "Makes the camera orthographic; it then sees this height.")
        .moves();
const NEAR_M: Key<f32> = number("near_m", 0.1, POSITIVE, "Nothing nearer is drawn.").moves();
const FAR_M: Key<Option<f32>> =
    optional("far_m", Type::Number(POSITIVE), "no end; orthographic: 1000", "Nothing farther is drawn.").moves();
const FOCUS_M: Key<Option<f32>> = optional(
    "focus_m",
    Type::Number(POSITIVE),
    "everything is sharp",
    "What is this far away along the view axis is sharp, with `accumulate.lens`.",
)
.moves();
const F_NUMBER: Key<f32> = number(
    "f_number",
    2.8,
    range(0.1, 1000.0),
    "The focal length divided by the diameter of the lens: less blurs more. The frame is 24 mm high.",
)
.moves();
const CONTROL: Key<Inner> = optional(
    "control",
    Type::Table(&CONTROL_TABLE),
    "none",
    "A recording that steers the camera from this place on. Its place and rotation then have no key frames.",
);
static KEYS: &[Row] = rows! {
    POSITION, LOOK_AT, ROTATION_DEG, ROTATION_QUAT, FOV_Y_DEG, HEIGHT_M, NEAR_M, FAR_M, FOCUS_M, F_NUMBER, CONTROL
};

/// Where a camera without perspective ends, if nothing else is said.
pub(super) const ORTHOGRAPHIC_FAR_M: f32 = 1000.0;

/// Looks along its local -Z with +Y up.
#[derive(Clone, Debug, PartialEq)]
pub struct Camera {
    pub name: String,
    pub position: Vec3,
    pub rotation: Quat,
    pub projection: Projection,
    pub near_m: f32,
    /// `None`: infinitely far (reversed-Z).
    pub far_m: Option<f32>,
    /// `None`: everything is sharp.
    pub lens: Option<Lens>,
    /// What steers it from its start; position and rotation are then those of the scene's moment.
    pub control: Option<CameraControl>,
}

/// A thin lens.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lens {
    /// What is this far away along the view axis is sharp.
    pub focus_m: f32,
    /// Focal length by diameter.
    pub f_number: f32,
}

impl Lens {
    /// Height of the frame that focal lengths are of.
    const FRAME_M: f32 = 0.024;

    /// The diameter of the lens in a camera of this field of view.
    pub fn diameter_m(&self, fov_y_rad: f32) -> f32 {
        let focal_m = Lens::FRAME_M * 0.5 / ops::tan(fov_y_rad * 0.5);
        focal_m / self.f_number
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Projection {
    Perspective { fov_y_rad: f32 },
    Orthographic { height_m: f32 },
}

/// Which camera makes the picture.
#[derive(Clone, Debug, PartialEq)]
pub enum CameraChoice {
    /// A camera of the scene file, by position in `Scene::cameras`.
    Scene(usize),
    /// A camera inside a model, by name or number; found when the model is loaded.
    ModelNamed(String),
    ModelNumber(usize),
    /// A model's first camera, else one that frames everything.
    Auto,
    /// A view of the scene file, by position in `Scene::views`.
    View(usize),
    /// One that frames everything, whatever cameras there are.
    Frame(View),
    /// `--look EYE:TARGET[:FOV]`.
    Look {
        eye: Vec3,
        target: Vec3,
        fov_y_rad: f32,
    },
}

/// Keys of `[output]`.
pub(crate) const CHOICE: Key<Option<String>> = optional(
    "camera",
    Type::Name("camera"),
    "the first camera of the file",
    "The camera to use: the name of one here, of a `[[view]]`, or of one in a model, `\"#N\"` for the model's camera N (from 0), or `\"auto\"` for a model's first camera, else a view that frames everything.",
);
pub(crate) const LOOK: Key<Option<String>> = optional(
    "look",
    Type::Look,
    "none",
    "A camera in one line instead: `\"EYE:TARGET[:FOV]\"`, in metres, with the vertical field of view in degrees, like `\"0,5,8.2:0,0.1,0.3:40\"`.",
);

pub(crate) const VIEW: Key<Option<View>> = optional(
    "view",
    Type::Choice(View::NAMES),
    "none",
    "A camera that frames everything instead: `auto` from three quarters with perspective, the others without. `front` looks from +Z; `side` is `right`, from +X.",
);

/// Which camera looks.
pub(crate) fn choice_of(resolver: &mut Resolver<'_>, output: &Table, tree: &Table, scene: &Scene) -> CameraChoice {
    if let Some(look) = output.ask(LOOK) {
        return parse_look(&look).unwrap_or(CameraChoice::Auto);
    }
    if let Some(view) = output.ask(VIEW) {
        return CameraChoice::Frame(view);
    }
    match output.placed(CHOICE) {
        Some(("auto", _)) => CameraChoice::Auto,
        Some((name, place)) => {
            if let Some(number) = name.strip_prefix('#').and_then(|n| n.parse().ok()) {
                return CameraChoice::ModelNumber(number);
            }
            scene.find_camera(name).unwrap_or_else(|(message, help)| {
                resolver.complain_with(code::UNKNOWN_CAMERA, place, message, help);
                CameraChoice::Auto
            })
        }
        None if scene.cameras.is_empty() => {
            let place = tree.entry("title").map_or(Place { source: 0, start: 0, end: 0 }, |e| e.key_place);
            if tree.entry("camera").is_none() {
                let help = "add [camera.main] with `position` and `look_at`, or `camera = \"auto\"` to [output]";
                resolver.complain_with(code::NO_CAMERA, place, "the scene has no camera", Some(help.into()));
            }
            CameraChoice::Auto
        }
        None => CameraChoice::Scene(0),
    }
}

pub(crate) fn print_choice(out: &mut Printer<'_>, choice: &CameraChoice) {
    match choice {
        CameraChoice::Scene(at) => out.name(CHOICE, Some(&out.scene.cameras[*at].name)),
        CameraChoice::View(at) => out.name(CHOICE, Some(&out.scene.views[*at].name)),
        CameraChoice::ModelNamed(name) => out.name(CHOICE, Some(name)),
        CameraChoice::ModelNumber(number) => out.name(CHOICE, Some(&format!("#{number}"))),
        CameraChoice::Auto => out.name(CHOICE, Some("auto")),
        CameraChoice::Frame(view) => out.line(VIEW, Some(*view)),
        CameraChoice::Look { eye, target, fov_y_rad } => {
            let point = |p: &Vec3| format!("{:?},{:?},{:?}", p.x, p.y, p.z);
            out.name(LOOK, Some(&format!("{}:{}:{:?}", point(eye), point(target), degrees(*fov_y_rad))));
        }
    }
}

pub(crate) fn cameras(resolver: &mut Resolver<'_>, tree: &Table) -> Vec<Camera> {
    let mut out = Vec::new();
    for (name, place, table) in tree.named("camera") {
        if name == "auto" || name.starts_with('#') {
            let message = format!("a camera cannot have the name `{name}`, which means a model's camera");
            resolver.complain(code::EMPTY_NAME, place, message);
        }
        let height_m = table.ask(HEIGHT_M);
        let near_m = table.ask(NEAR_M);
        let far_m = table.ask(FAR_M).or(height_m.map(|_| ORTHOGRAPHIC_FAR_M));
        resolver.far_beyond_near(table, near_m, far_m);
        if table.ask(FOCUS_M).is_none() {
            resolver.without_effect(table, F_NUMBER, "without `focus_m`", Some("add `focus_m`"));
        }
        let Placement { position, rotation, .. } = placement::placement(resolver, table, POSITION);
        out.push(Camera {
            name: name.to_string(),
            position,
            rotation,
            projection: match height_m {
                Some(height_m) => Projection::Orthographic { height_m },
                None => Projection::Perspective { fov_y_rad: radians(table.ask(FOV_Y_DEG)) },
            },
            near_m,
            far_m,
            lens: table.ask(FOCUS_M).map(|focus_m| Lens { focus_m, f_number: table.ask(F_NUMBER) }),
            control: table.inner(CONTROL).map(|table| control::control(resolver, table, (position, rotation))),
        });
    }
    out
}

/// What is steered cannot have key frames for where it is.
pub(crate) fn check_controls(resolver: &mut Resolver<'_>, tree: &Table, scene: &Scene) {
    for (at, (_, _, table)) in tree.named("camera").enumerate() {
        let Some(entry) = table.entry_of(CONTROL) else { continue };
        for key in [POSITION.name(), LOOK_AT.name(), ROTATION_QUAT.name()] {
            if scene.track(Thing::Camera(at), key).is_some() {
                let message = format!("`control` and key frames of `{key}` exclude each other");
                resolver.complain(code::EXCLUSIVE_KEYS, entry.key_place, message);
            }
        }
    }
}

pub(crate) fn print(out: &mut Printer<'_>, camera: &Camera) {
    let Camera { name: _, mut position, mut rotation, projection, near_m, far_m, lens, control } = camera.clone();
    if let Some(control) = &control {
        (position, rotation) = (control.start_position, control.start_rotation);
    }
    out.line(POSITION, position);
    placement::print_rotation(out, rotation);
    match projection {
        Projection::Perspective { fov_y_rad } => out.line(FOV_Y_DEG, degrees(fov_y_rad)),
        Projection::Orthographic { height_m } => out.line(HEIGHT_M, Some(height_m)),
    }
    out.line(NEAR_M, near_m);
    out.line(FAR_M, far_m);
    if let Some(Lens { focus_m, f_number }) = lens {
        out.line(FOCUS_M, Some(focus_m));
        out.line(F_NUMBER, f_number);
    }
    if let Some(control) = &control {
        let inner = control::print(out, control);
        out.table(CONTROL, inner);
    }
}

pub(crate) fn moved(camera: &mut Camera, moved: Moved<'_>) {
    let mut placement = Placement { position: camera.position, rotation: camera.rotation, ..Placement::IDENTITY };
    placement::moved(&mut placement, &moved);
    (camera.position, camera.rotation) = (placement.position, placement.rotation);
    let mut on = Fields::Move(moved);
    match &mut camera.projection {
        Projection::Perspective { fov_y_rad } => on.angle(FOV_Y_DEG, fov_y_rad),
        Projection::Orthographic { height_m } => {
            if let Some(Some(value)) = moved.of(HEIGHT_M) {
                *height_m = value;
            }
        }
    }
    on.field(NEAR_M, &mut camera.near_m);
    on.field(FAR_M, &mut camera.far_m);
    if let Some(lens) = &mut camera.lens {
        let mut focus_m = Some(lens.focus_m);
        on.field(FOCUS_M, &mut focus_m);
        lens.focus_m = focus_m.unwrap_or(lens.focus_m);
        on.field(F_NUMBER, &mut lens.f_number);
    }
}

impl Scene {
    /// The camera that `name` means: one of the scene file or a view, else one of a model, which is known later.
    pub(crate) fn find_camera(&self, name: &str) -> Result<CameraChoice, (String, Option<String>)> {
        if let Some(at) = self.cameras.iter().position(|c| c.name == name) {
            return Ok(CameraChoice::Scene(at));
        }
        if let Some(at) = self.views.iter().position(|view| view.name == name) {
            return Ok(CameraChoice::View(at));
        }
        if !self.models.is_empty() {
            return Ok(CameraChoice::ModelNamed(name.to_string()));
        }
        let names = || self.cameras.iter().map(|c| c.name.as_str());
        let near = did_you_mean(name, names()).map(|n| format!("did you mean `{n}`?"));
        let all = || names().map(|n| format!("`{n}`")).collect::<Vec<_>>().join(", ");
        let help = near.or_else(|| (!self.cameras.is_empty()).then(|| format!("known are {}", all())));
        Err((format!("unknown camera `{name}`"), help))
    }
}

/// `EYE:TARGET[:FOV]`, as `--look` takes it: `0,5,8.2:0,0.1,0.3:40`, metres and vertical degrees (45 if not said).
pub fn parse_look(text: &str) -> Result<CameraChoice, String> {
    let form = || format!("`{text}` is not a view: expected EYE:TARGET[:FOV], for example 0,5,8.2:0,0.1,0.3:40");
    let number = |text: &str| text.trim().parse::<f64>().ok().filter(|n| n.abs() <= NUMBER_MAX);
    let point = |text: &str| {
        let values: Vec<f32> = text.split(',').map(|t| number(t).map(|n| n as f32)).collect::<Option<_>>()?;
        <[f32; 3]>::try_from(values).ok().map(Vec3::from_array)
    };
    let parts: Vec<&str> = text.split(':').collect();
    let (eye, target, fov) = match parts[..] {
        [eye, target] => (eye, target, "45"),
        [eye, target, fov] => (eye, target, fov),
        _ => return Err(form()),
    };
    let (eye, target) = (point(eye).ok_or_else(form)?, point(target).ok_or_else(form)?);
    let fov_y_deg = number(fov).ok_or_else(form)?;
    if !(0.01..=179.0).contains(&fov_y_deg) {
        return Err(format!("`{text}`: the angle of view must be 0.01 to 179 degrees"));
    }
    if direction(target - eye).is_none() {
        return Err(format!("`{text}`: the eye and the target are the same point"));
    }
    Ok(CameraChoice::Look { eye, target, fov_y_rad: radians(fov_y_deg) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn looks() {
        let look = parse_look("0,5,8.2:0,0.1,0.3:40").unwrap();
        let want = CameraChoice::Look {
            eye: Vec3::new(0.0, 5.0, 8.2),
            target: Vec3::new(0.0, 0.1, 0.3),
            fov_y_rad: radians(40.0),
        };
        assert_eq!(look, want);
        assert!(parse_look("1,2,3:4,5,6").is_ok());
        for text in [
            "",
            "1,2,3",
            "1,2:3,4,5",
            "1,2,3:1,2,3",
            "1,2,3:4,5,6:0",
            "1,2,3:4,5,6:180",
            "1,2,3:nan,5,6",
            "1,2,3:4,5,1e30",
            "1,2,3:4,5,6:7:8",
        ] {
            assert!(parse_look(text).is_err(), "{text}");
        }
    }
}
