//! `kind = "feet"`.

use super::{SolverCase, SolverKind, print_node};
use crate::scene::code;
use crate::scene::fields::Fields;
use crate::scene::key::{Key, number, optional, required, rows};
use crate::scene::schema::{Range, Type, Variant, range};

/// Heights over the ground.
const HEIGHT_M: Range = range(0.0, 1e3);
const HIP: Key<String> = required("hip", Type::Text, "The joint that is lowered where a leg is too short.");
const ANKLES: Key<Vec<String>> = required("ankles", Type::Texts, "The joints that stand on the ground.");
const GROUND: Key<Option<String>> = optional(
    "ground",
    Type::Name("node"),
    "all nodes",
    "The node that is the ground, with the nodes below it. Nodes that animators move are never ground.",
);
const PLANT_M: Key<f32> =
    number("plant_m", 0.02, HEIGHT_M, "A sole that the pose has up to this height above 0 is on the ground.");
const LIFT_M: Key<f32> = number(
    "lift_m",
    0.15,
    HEIGHT_M,
    "A sole from this height on is in the air and ignores the ground. In between, the ground has a partial effect.",
);
const TILT_MAX_DEG: Key<f64> =
    number("tilt_max_deg", 29.8, range(0.0, 85.0), "Largest angle by which feet tilt with the ground.");
const REACH_UP_M: Key<f32> =
    number("reach_up_m", 0.5, HEIGHT_M, "How far above the ankle the search for the ground begins.");
const REACH_DOWN_M: Key<f32> = number("reach_down_m", 1.0, HEIGHT_M, "How far below the ankle it ends.");

/// When a foot stands, and how far the ground may be from it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlantingDef {
    /// A sole this high over the ground of the clip stands, and from `lift_m` on it is in the air.
    pub plant_m: f32,
    pub lift_m: f32,
    /// Feet tilt no further.
    pub tilt_max_deg: f64,
    /// The ground is looked for so far over and under the ankle.
    pub reach_up_m: f32,
    pub reach_down_m: f32,
}

impl Default for PlantingDef {
    fn default() -> PlantingDef {
        PlantingDef {
            plant_m: PLANT_M.default(),
            lift_m: LIFT_M.default(),
            tilt_max_deg: TILT_MAX_DEG.default(),
            reach_up_m: REACH_UP_M.default(),
            reach_down_m: REACH_DOWN_M.default(),
        }
    }
}

fn fields(on: &mut Fields<'_, '_>, planting: &mut PlantingDef) {
    let PlantingDef { plant_m, lift_m, tilt_max_deg, reach_up_m, reach_down_m } = planting;
    on.field(PLANT_M, plant_m);
    on.field(LIFT_M, lift_m);
    on.field(TILT_MAX_DEG, tilt_max_deg);
    on.field(REACH_UP_M, reach_up_m);
    on.field(REACH_DOWN_M, reach_down_m);
}

pub(super) const CASE: SolverCase = SolverCase {
    variant: Variant {
        word: "feet",
        doc: "Puts feet on uneven ground, as high above it as the pose has them above height 0.",
        keys: rows! { HIP, ANKLES, GROUND, PLANT_M, LIFT_M, TILT_MAX_DEG, REACH_UP_M, REACH_DOWN_M },
    },
    is: |kind| matches!(kind, SolverKind::Feet { .. }),
    read: |resolver, table, nodes| {
        let ground = resolver.name(table, GROUND, nodes);
        let mut planting = PlantingDef::default();
        fields(&mut Fields::Read(table), &mut planting);
        let PlantingDef { plant_m, lift_m, .. } = planting;
        if let (true, Some(entry)) = (lift_m < plant_m, table.entry_of(LIFT_M).or(table.entry_of(PLANT_M))) {
            let message = format!("soles are in the air from {lift_m} m on, and planted up to {plant_m} m");
            let help = "`lift_m` must be at least `plant_m`".to_string();
            resolver.complain_with(code::WRONG_ORDER, entry.value.place, message, Some(help));
        }
        SolverKind::Feet { hip: table.ask(HIP), ankles: table.ask(ANKLES), ground, planting }
    },
    print: |out, kind| {
        let SolverKind::Feet { hip, ankles, ground, mut planting } = kind.clone() else { return };
        out.line(HIP, hip);
        out.line(ANKLES, ankles);
        fields(&mut Fields::Print(out), &mut planting);
        print_node(out, GROUND, ground);
    },
    print_joints: |_, _| (),
};
