//! Refusal: what the renderer does not draw, as a mistake in the file that asks for it.

use crate::frame::NotThere;
use crate::render::Refused;
use crate::scene::{Aov, Looks, Owner, Part, Scene};
use crate::source::Diagnostic;
use crate::view::ShotLight;

/// Code of the mistake that a test or an argument asks for a target that no pass leaves.
const NOT_THERE: &str = "E0602";

/// Code of the mistake that a scene asks for more than the device can do.
const TOO_MUCH: &str = "E0603";
/// Code of what tiles cannot show.
const NOT_IN_TILES: &str = "E0608";

pub fn complaint(scene: &Scene, lights: &[ShotLight], refused: &Refused) -> Diagnostic {
    let error = match refused {
        Refused::NotThere(missing) => {
            let owner = Owner { kind: "test", name: "" };
            scene.written.at(owner, &[], &missing.name, not_there(scene, lights, missing))
        }
        Refused::Lacks(what) => Diagnostic::error(TOO_MUCH, &scene.root, format!("this device has no {what}"))
            .help("choose another `render.lighting`"),
        Refused::NotInTiles { what, help } => {
            let message = format!("a picture with {what} cannot be drawn in tiles");
            Diagnostic::error(NOT_IN_TILES, &scene.root, message)
                .help(format!("{help}, or make the picture at most `render.tile_px` pixels wide and high"))
        }
        Refused::TooMuch { what, wanted, most } => {
            let message = format!("this device draws at most {most} {what}, not {wanted}");
            Diagnostic::error(TOO_MUCH, &scene.root, message)
        }
        Refused::Textures { material, keys, wanted, most } => {
            let message = format!(
                "material `{material}` needs {wanted} textures in one shader, and this device reads at most {most}"
            );
            Diagnostic::error(TOO_MUCH, &scene.root, message).help(format!("remove some of {}", keys.join(", ")))
        }
    };
    scene.written.home(error)
}

fn not_there(scene: &Scene, lights: &[ShotLight], NotThere { name, count }: &NotThere) -> Diagnostic {
    let kind = name.split('.').next().unwrap_or_default();
    let error = Diagnostic::error(NOT_THERE, &scene.root, format!("no pass of this scene writes `{name}`"));
    let aov = Aov::parse(name);
    if let Some(light) = aov.as_ref().and_then(Aov::light) {
        let names = || lights.iter().map(|light| light.name.as_str());
        if lights.is_empty() {
            return error.help("the scene has no lights");
        }
        return error.help(match crate::source::did_you_mean(light, names()) {
            Some(near) => format!("did you mean `{kind}.{near}`?"),
            None => {
                format!("the lights are {}", names().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", "))
            }
        });
    }
    let row = aov.map(|aov| aov.row());
    match (count, row) {
        (_, Some(row)) if row.part() == Part::Whole => error.help("shaders of this device do not know their triangle"),
        (0, Some(row)) if row.looks == Looks::MapDepth => error.help("no light casts shadows on a lit surface"),
        (0, _) => error.help("no environment lights a surface"),
        (1, _) => error.help(format!("available is `{kind}.0`")),
        _ => error.help(format!("available are `{kind}.0` to `{kind}.{}`", count - 1)),
    }
}
