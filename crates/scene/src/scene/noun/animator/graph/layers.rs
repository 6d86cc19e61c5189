//! `kind = "layers"`: poses over or on top of a pose.

use stillframe_anim::graph::{LayerDef, LayerMode, NodeKind, Value};
use stillframe_anim::pose::LAYERS_MAX;

use super::{BASE, NODE_NAME, NodeCase, ON_MASK, Reader, Want};
use crate::scene::key::{Key, List, choice, key, required, rows};
use crate::scene::schema::{Constant, Kind, Row, Type, UNIT, Variant, kind};
use crate::scene::text::syntax::Table;

const LAYER: Key<List> = required("layer", Type::List(&LAYER_TABLE), "The layers, from bottom to top.");

pub(crate) static LAYER_TABLE: Kind = kind(
    "[[animator.node.layer]]",
    "`layer = [{ node = \"wave\", weight = \"waving\", mask = \"arm\" }]`.",
    LAYER_KEYS,
);

const NODE: Key<String> = required("node", NODE_NAME, "The node that gives the pose.");
const WEIGHT: Key<Value> = key("weight", Type::Value(UNIT), Constant::Number(1.0), "Its weight.");
const MODE: Key<LayerMode> = choice(
    "mode",
    "override",
    "Whether it replaces what is below or is added to it. To be added, its node must give a delta.",
);
static LAYER_KEYS: &[Row] = rows! { NODE, WEIGHT, ON_MASK, MODE };

pub(super) const CASE: NodeCase = NodeCase {
    variant: Variant {
        word: "layers",
        doc: "Overrides a pose with other poses or adds deltas to it, layer by layer.",
        keys: rows! { BASE, LAYER },
    },
    is: |kind| matches!(kind, NodeKind::Layers { .. }),
    read: |reader, table| {
        let base = reader.input(table, BASE, Want::Pose);
        let layers = table.rows(LAYER).map(|(_, layer)| self::layer(reader, layer)).collect();
        reader.at_most(table, LAYER, LAYERS_MAX);
        NodeKind::Layers { base, layers }
    },
    print: |out, kind| {
        let NodeKind::Layers { base, layers } = kind else { return };
        out.line(BASE, base.clone());
        let row = |layer: &LayerDef| {
            let row = out.inline().with(NODE, layer.node.clone()).with(WEIGHT, layer.weight.clone());
            row.with(ON_MASK, layer.mask.clone()).with(MODE, layer.mode)
        };
        let rows: Vec<_> = layers.iter().map(row).collect();
        out.all_rows(LAYER, rows);
    },
};

fn layer(reader: &mut Reader<'_, '_>, table: &Table) -> LayerDef {
    let mode = table.ask(MODE);
    let want = if mode == LayerMode::Additive { Want::Delta } else { Want::Pose };
    LayerDef {
        node: reader.input(table, NODE, want),
        weight: reader.value(table, WEIGHT),
        mask: reader.mask(table),
        mode,
    }
}
