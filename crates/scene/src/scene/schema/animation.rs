//! The part of the table that moves models: clips, animators with their graphs, crowds.

use super::{
    ANY, Key, Kind, MORPH_WEIGHT, NOT_NEGATIVE, POSITIVE, Range, Type, UNIT, VEC3, Variant, Variants, key, kind,
    moving, optional, range, required,
};

pub const SHOWS: &[&str] = &["skeleton", "sockets", "targets", "trails", "bounds"];
pub const ROOT_MOTIONS: &[&str] = &["horizontal", "vertical", "yaw", "rotation"];
/// In the order of `Node::inherits`.
pub const INHERITS: &[&str] = &["translation", "rotation", "scale"];
pub const CLIP_MODES: &[&str] = &["once", "clamp", "loop", "ping_pong"];
pub const CLIP_ENDS: &[&str] = &["stop", "run_on"];
pub const GRAPH_NODE_KINDS: &[&str] = &[
    "clip", "frame", "follow", "line", "grid", "scatter", "switch", "delta", "additive", "partial", "layers",
    "machine", "slot",
];
pub const PACES: &[&str] = &["leader", "blended"];
pub const FADE_POLICIES: &[&str] = &["inertial", "frozen", "book"];
pub const EASES: &[&str] = &["linear", "smooth"];
pub const PARTIAL_MODES: &[&str] = &["nlerp", "power", "matrix"];
pub const DELTA_SPACES: &[&str] = &["local", "mesh"];
pub const LAYER_MODES: &[&str] = &["override", "additive"];
pub const ENTERS: &[&str] = &["restart", "resume", "sync"];
pub const SOLVER_KINDS: &[&str] = &["two_bone", "aim", "ccd", "jacobian", "fabrik", "feet", "twist", "copy_rotation"];
pub const LIMIT_KINDS: &[&str] = &["hinge", "cone"];
pub const BAKINGS: &[&str] = &["joints", "vertices"];

/// Clips, fades and moments of them are no longer than a day.
const SECONDS: Range = range(0.0, 86_400.0);
/// Most points of a space, inputs of a switch, states of a machine.
pub const POINTS_MAX: usize = 256;
/// Farther from 0, differences are not exact enough.
const PLACE: Range = range(-1e6, 1e6);
const SPEED: Range = range(-1024.0, 1024.0);
/// Most figures of a crowd, and of all crowds together.
pub const FIGURES_MAX: i64 = 1_000_000;

pub static CLIP: Kind = Kind {
    exclusive: &[&["model", "file"], &["source", "file"]],
    needs: &[&["model", "file"]],
    ..kind(
        "[[clip]]",
        "A clip under a name for animators and crowds, and what is known about it. It may lie in the file of the model that it moves, in that of another one, or in a `.clip`: joints and shapes of other files are found by their names. A clip that no `[[clip]]` names can be played by the name it has in its model's file.",
        &[
            required("name", Type::Text, "What animators call it; each once."),
            optional("model", Type::Name("model"), "none", "The `[model.NAME]` whose file holds it."),
            optional("file", Type::File, "none", "A `.clip` of `anim compress -o` that holds it, instead."),
            optional(
                "source",
                Type::ClipSource,
                "its name",
                "The clip in the file: its name there, or `\"#N\"` (from 0).",
            ),
            optional(
                "start_s",
                Type::Number(SECONDS),
                "its start",
                "A part of it begins here; moments count from there.",
            ),
            optional("end_s", Type::Number(SECONDS), "its end", "And ends here."),
            optional("event", Type::List(&CLIP_EVENT), "none", "Named moments and spans."),
            optional(
                "marker",
                Type::List(&CLIP_MARKER),
                "none",
                "Moments that clips share, such as a foot's contact: spaces of clips match them.",
            ),
            optional("rename", Type::List(&CLIP_RENAME), "none", "Joints and shapes of other names than the model's."),
            key(
                "strip",
                Type::Texts,
                "[]",
                "What names of joints and shapes may begin with, here or in the model, that is no part of them: `\"mixamorig:\"`.",
            ),
            key(
                "loose_names",
                Type::Bool,
                "false",
                "Whether case, spaces and the signs `_`, `-`, `.` and `:` are no part of names.",
            ),
            key(
                "retarget",
                Type::Bool,
                "false",
                "For a body of other proportions: it keeps the lengths of its bones, joints turn beyond its own rest pose as the clip's do beyond theirs, and ways are as much longer as its hips are higher. Otherwise joints turn and stand to each other as they do in the clip's own file.",
            ),
        ],
    )
};

pub static CLIP_RENAME: Kind = kind(
    "[[clip.rename]]",
    "`rename = [{ from = \"mixamorig:Hips\", to = \"pelvis\" }]`: what the clip moves under one name is another's in the model.",
    &[
        required("from", Type::Text, "A joint or a shape of the clip's file; each once."),
        required("to", Type::Text, "The joint or shape of the model that it moves; each once."),
    ],
);

const AT: Key = optional("at", Type::Number(UNIT), "none", "When, as a share of the clip's length.");
const AT_S: Key = optional("at_s", Type::Number(SECONDS), "none", "When, in seconds instead.");

pub static CLIP_EVENT: Kind = Kind {
    exclusive: &[&["at", "at_s"], &["until", "until_s"]],
    needs: &[&["at", "at_s"]],
    ..kind(
        "[[clip.event]]",
        "`event = [{ name = \"left\", at = 0.25 }, { name = \"swing\", at_s = 0.1, until_s = 0.4 }]`: a moment, or a span where it has an end.",
        &[
            required("name", Type::Text, "Of any number of events."),
            AT,
            AT_S,
            optional("until", Type::Number(UNIT), "none", "The end of a span, as a share of the clip's length."),
            optional("until_s", Type::Number(SECONDS), "none", "The end of a span, in seconds instead."),
        ],
    )
};

pub static CLIP_MARKER: Kind = Kind {
    exclusive: &[&["at", "at_s"]],
    needs: &[&["at", "at_s"]],
    ..kind(
        "[[clip.marker]]",
        "`marker = [{ name = \"left\", at = 0.0 }, { name = \"right\", at = 0.5 }]`: clips of one phase bear the same names in the same order.",
        &[required("name", Type::Text, "What happens then."), AT, AT_S],
    )
};

const MODE: Key = key(
    "mode",
    Type::Choice(CLIP_MODES),
    "\"loop\"",
    "What becomes of time outside of its window: it runs on there, the nearer end holds, the window begins again, or it is played there and back.",
);
const REVERSE: Key = key("reverse", Type::Bool, "false", "Whether it is played from its end to its start.");
const PASSES: Key = key(
    "passes",
    Type::Whole { min: 0, max: 1_000_000_000 },
    "0",
    "How often it is looped, or played there or back; 0 is without end.",
);
const AT_END: Key = key(
    "at_end",
    Type::Choice(CLIP_ENDS),
    "\"stop\"",
    "Whether its clock stops behind the last pass, or runs on unseen and comes back all the way when the speed turns.",
);
const WINDOW: Key = optional(
    "window_s",
    Type::Numbers { count: 2, range: SECONDS },
    "all of it",
    "Only the part between these two moments of the clip.",
);
const PHASE: Key =
    optional("phase_s", Type::Number(SECONDS), "the start of its window", "Where it starts, in the clip's time.");
const PLAY_SPEED: Key =
    key("speed", Type::Value(SPEED), "1.0", "Seconds of the clip a second; negative ones play backwards.");

const ROOT_JOINT: Key = optional("root_joint", Type::Text, "the first joint", "The joint whose way that is.");

pub static ANIMATOR: Kind = Kind {
    exclusive: &[&["clip", "node"], &["clip", "output"]],
    needs: &[&["clip", "node"]],
    ..kind(
        "[[animator]]",
        "Gives a model its pose: one clip, or a graph of nodes. Nodes of the scene wear it by `animator`; all that do show the same pose, but for solvers, which reach from where each of them stands.",
        &[
            required("name", Type::Text, "What nodes call it; each once."),
            required("model", Type::Name("model"), "The `[model.NAME]` that it moves."),
            optional("clip", Type::Name("clip"), "none", "The short form: this clip, and nothing else."),
            MODE,
            REVERSE,
            PASSES,
            AT_END,
            WINDOW,
            PHASE,
            PLAY_SPEED,
            optional("parameter", Type::List(&PARAMETER), "none", "Numbers that nodes of its graph read."),
            optional("mask", Type::List(&MASK), "none", "Which joints layers, deltas and slots move."),
            optional(
                "morph",
                Type::List(&ANIMATOR_MORPH),
                "none",
                "Shapes (morph targets) that numbers and parameters drive, where no clip does.",
            ),
            optional("node", Type::List(&GRAPH_NODE), "none", "Its graph, in any order."),
            optional("output", Type::Name("node of its graph"), "the last node", "The node whose pose is shown."),
            optional("play", Type::List(&PLAY), "none", "What slots of its graph are asked to play, and when."),
            optional("solver", Type::List(&SOLVER), "none", "Inverse kinematics on the graph's pose, in this order."),
            key(
                "rate_hz",
                Type::Number(range(1.0, 1000.0)),
                "60.0",
                "Updates a second, the first at 0 s: parameters and conditions are looked at then.",
            ),
            key(
                "root_motion",
                Type::Choices(ROOT_MOTIONS),
                "[]",
                "What of the root joint's way moves the nodes that wear it, instead of the pose: walking takes `[\"horizontal\", \"yaw\"]`. `yaw` is the turn about +Y, `rotation` all of it.",
            ),
            ROOT_JOINT,
            key(
                "event_weight_min",
                Type::Number(UNIT),
                "0.5",
                "Events of clips with less weight than this in the pose are not told; a space in one phase counts as a whole.",
            ),
        ],
    )
};

pub static PARAMETER: Kind = kind(
    "[[animator.parameter]]",
    "`parameter = [{ name = \"speed\", value = { keys = [[0.0, 0.0], [2.0, 3.0]] } }]`: a number by name. Where a key of the graph is a \"number or parameter\", the name can stand in quotes.",
    &[
        required("name", Type::Identifier, "Letters, digits and `_`."),
        moving(key("value", Type::Number(ANY), "0.0", "The number.")),
    ],
);

pub static MASK: Kind = kind(
    "[[animator.mask]]",
    "`mask = [{ name = \"upper\", branch = [{ joint = \"spine\" }] }]`: weights of joints. Every node of the model is a joint, and shapes (morph targets) go with the node that wears them: what a mask leaves out of nodes it leaves out of their shapes.",
    &[
        required("name", Type::Text, "Each once in an animator."),
        key("default", Type::Number(UNIT), "0.0", "The weight of joints below none of its branches."),
        optional("branch", Type::List(&BRANCH), "none", "A joint's own branch counts, else its parent's."),
        optional("shape", Type::List(&MASK_SHAPE), "none", "Shapes that do not go with their node."),
    ],
);

pub static MASK_SHAPE: Kind = kind(
    "[[animator.mask.shape]]",
    "`shape = [{ name = \"smile\" }]`: the weight of a shape, whatever that of the node is that wears it.",
    &[
        required("name", Type::Text, "A shape's name in the model, on whichever nodes."),
        key("weight", Type::Number(UNIT), "1.0", "How much of it."),
    ],
);

pub static ANIMATOR_MORPH: Kind = kind(
    "[[animator.morph]]",
    "`morph = [{ name = \"smile\", weight = \"mood\" }]`: the weight that a shape has instead of the stored one. A clip that moves the shape takes its place by as much of the pose as the clip has; a delta is added to it.",
    &[
        required("name", Type::Text, "A shape's name in the model, on whichever nodes; each once."),
        key("weight", Type::Value(MORPH_WEIGHT), "1.0", "How much of it."),
        key("over_clips", Type::Bool, "false", "Whether it counts whatever clips do with the shape."),
    ],
);

pub static BRANCH: Kind = kind(
    "[[animator.mask.branch]]",
    "A joint and all below it.",
    &[
        required("joint", Type::Text, "A joint's name in the model."),
        key("weight", Type::Number(UNIT), "1.0", "How much of it."),
    ],
);

pub static GRAPH_NODE: Kind = Kind {
    exclusive: &[&["inputs", "clips"], &["input", "inputs"], &["input", "joint"], FADES],
    needs: &[&["inputs", "clips"], &["input", "inputs"]],
    variants: Some(&Variants { selector: "kind", default: None, cases: GRAPH_NODE_CASES }),
    ..kind(
        "[[animator.node]]",
        "A node of an animator's graph: makes a pose, of clips or of other nodes' poses. Each feeds any number of others, without circles.",
        &[
            optional("name", Type::Text, "its kind", "What other nodes call it; each once in an animator."),
            required("kind", Type::Choice(GRAPH_NODE_KINDS), "What it does."),
        ],
    )
};

const FADES: &[&str] = &["fade_s", "fade_to_s", "fade_from_to_s"];
const CLIP_NAME: Key = required(
    "clip",
    Type::Name("clip"),
    "The `name` of a `[[clip]]`, of this model or of another file, else the name of a clip of the model's file.",
);
const NODE_NAMES: Type = Type::Names { what: "node of the graph", max: POINTS_MAX };
const INPUTS: Key = optional("inputs", NODE_NAMES, "none", "A node for each point.");
const CLIPS: Key = optional(
    "clips",
    Type::Names { what: "clip", max: POINTS_MAX },
    "none",
    "A clip for each point instead: they loop in one phase, their lengths scaled to a common one.",
);
const BY_MARKERS: Key =
    key("by_markers", Type::Bool, "true", "With `clips`: whether their markers are matched, or only whole loops.");
const PACE: Key = key(
    "pace",
    Type::Choice(PACES),
    "\"leader\"",
    "With `clips`: whose speed counts: the clip's with the most weight, or a loop takes the mean of their lengths.",
);
const SYNC_SPEED: Key = key("speed", Type::Value(SPEED), "1.0", "With `clips`: how fast they are played.");
const PARAMETERS: Key =
    required("parameters", Type::Values { count: 2, range: PLACE }, "Where in the space: along x and along y.");
const POLICY: Key = key(
    "policy",
    Type::Choice(FADE_POLICIES),
    "\"inertial\"",
    "At once, while the difference dies away; or the last pose stands still and is faded out; or both play, as in the book.",
);
const EASE: Key = key("ease", Type::Choice(EASES), "\"linear\"", "How the weight grows: evenly, or 3 t^2 - 2 t^3.");
const FADE: Key = key("fade_s", Type::Number(SECONDS), "0.2", "What changing over takes.");
const NODE_NAME: Type = Type::Name("node of the graph");
const BASE: Key = required("base", NODE_NAME, "The pose below.");
const ON_MASK: Key = optional("mask", Type::Name("mask"), "every joint", "Where it counts.");

static GRAPH_NODE_CASES: &[Variant] = &[
    Variant {
        word: "clip",
        doc: "A clip with a clock of its own.",
        keys: &[CLIP_NAME, MODE, REVERSE, PASSES, AT_END, WINDOW, PHASE, PLAY_SPEED],
    },
    Variant {
        word: "frame",
        doc: "One moment of a clip.",
        keys: &[CLIP_NAME, key("at_s", Type::Number(SECONDS), "0.0", "Which, in the clip's time.")],
    },
    Variant {
        word: "follow",
        doc: "A clip that stands at the same share of its length as another one.",
        keys: &[CLIP_NAME, required("leader", NODE_NAME, "Whose share: a `clip` node, or a space of `clips`.")],
    },
    Variant {
        word: "line",
        doc: "The mean of the two points next to a number.",
        keys: &[
            required("parameter", Type::Value(PLACE), "The number."),
            required("at", Type::NumbersUpTo { max: POINTS_MAX, range: PLACE }, "Where the points are, in any order."),
            INPUTS,
            CLIPS,
            BY_MARKERS,
            PACE,
            SYNC_SPEED,
        ],
    },
    Variant {
        word: "grid",
        doc: "The mean of the four points around a place; points are listed row by row.",
        keys: &[
            PARAMETERS,
            required("columns", Type::Rising(PLACE), "Where the columns are along x."),
            required("rows", Type::Rising(PLACE), "Where the rows are along y."),
            INPUTS,
            CLIPS,
            BY_MARKERS,
            PACE,
            SYNC_SPEED,
        ],
    },
    Variant {
        word: "scatter",
        doc: "The mean of the three points around a place, of points anywhere.",
        keys: &[
            PARAMETERS,
            required("at", Type::PairsUpTo { max: POINTS_MAX, range: PLACE }, "Where the points are: `[[x, y], ...]`."),
            INPUTS,
            CLIPS,
            BY_MARKERS,
            PACE,
            SYNC_SPEED,
        ],
    },
    Variant {
        word: "switch",
        doc: "One of many poses.",
        keys: &[
            required("index", Type::Value(range(0.0, 255.0)), "Which one, from 0; its whole part counts."),
            required("inputs", NODE_NAMES, "The nodes to choose from."),
            FADE,
            optional(
                "fade_to_s",
                Type::NumbersUpTo { max: POINTS_MAX, range: SECONDS },
                "none",
                "What changing over takes, by what is changed to.",
            ),
            optional(
                "fade_from_to_s",
                Type::RowsUpTo { max: POINTS_MAX, range: SECONDS },
                "none",
                "What changing over takes: a list for each input that is left, in it one for each that is changed to.",
            ),
            POLICY,
            EASE,
        ],
    },
    Variant {
        word: "delta",
        doc: "What a pose does beyond a reference; for additive nodes and layers.",
        keys: &[
            required("source", NODE_NAME, "The pose."),
            optional("reference", NODE_NAME, "the rest pose", "The pose it is the difference to."),
            key(
                "space",
                Type::Choice(DELTA_SPACES),
                "\"local\"",
                "Whose turns it has: each joint's own, which follow what they are added to, or the model's: an aim offset points the same way however the spine leans.",
            ),
        ],
    },
    Variant {
        word: "additive",
        doc: "Deltas on top of a pose.",
        keys: &[BASE, required("add", Type::List(&ADD), "The deltas, in order.")],
    },
    Variant {
        word: "partial",
        doc: "A mean of poses with weights joint by joint: `input`s with a weight and a mask each, or `inputs` with `joint`s.",
        keys: &[
            optional("input", Type::List(&PART), "none", "The poses, their weights and where they count."),
            optional("inputs", NODE_NAMES, "none", "The poses, where joints say how much they count."),
            optional("joint", Type::List(&PART_JOINT), "none", "Which joints say it; the first input has the others."),
            key(
                "mode",
                Type::Choice(PARTIAL_MODES),
                "\"nlerp\"",
                "How rotations become one: the sum of quaternions, the product of their powers, or the sum of matrices.",
            ),
        ],
    },
    Variant {
        word: "layers",
        doc: "Poses over or on top of a pose, one after the other.",
        keys: &[BASE, required("layer", Type::List(&LAYER), "From below to above.")],
    },
    Variant {
        word: "machine",
        doc: "States with a pose each, and rules of when to go from one to another.",
        keys: &[
            optional("initial", Type::Name("state"), "the first one", "The state at the beginning."),
            required("state", Type::List(&STATE), "Its states."),
            optional("transition", Type::List(&TRANSITION), "none", "Its rules."),
            POLICY,
            EASE,
        ],
    },
    Variant {
        word: "slot",
        doc: "A place for clips on demand over another node's pose; see `[[animator.play]]`.",
        keys: &[
            required("input", NODE_NAME, "What is shown while nothing plays."),
            ON_MASK,
            key("fade_in_s", Type::Number(SECONDS), "0.2", "What its coming takes."),
            key("fade_out_s", Type::Number(SECONDS), "0.2", "What its going takes; begins when the clip ends."),
        ],
    },
];

pub static ADD: Kind = kind(
    "[[animator.node.add]]",
    "`add = [{ delta = \"lean\", alpha = \"tilt\" }]`.",
    &[
        required("delta", NODE_NAME, "A node that is a delta."),
        key("alpha", Type::Value(UNIT), "1.0", "How much of it."),
        ON_MASK,
    ],
);

pub static PART: Kind = kind(
    "[[animator.node.input]]",
    "`input = [{ node = \"walk\" }, { node = \"wave\", mask = \"arm\" }]`: the weights of a joint are divided by their sum.",
    &[
        required("node", NODE_NAME, "Whose pose."),
        key("weight", Type::Value(range(0.0, 1e6)), "1.0", "How much it counts."),
        ON_MASK,
    ],
);

pub static PART_JOINT: Kind = kind(
    "[[animator.node.joint]]",
    "`joint = [{ name = \"spine\", weights = [0.0, 1.0] }]`: counts for it and all below it, down to the next one.",
    &[
        required("name", Type::Text, "A joint's name in the model."),
        required(
            "weights",
            Type::NumbersUpTo { max: POINTS_MAX, range: range(0.0, 1e6) },
            "One for each input, not all of them 0.",
        ),
    ],
);

pub static LAYER: Kind = kind(
    "[[animator.node.layer]]",
    "`layer = [{ node = \"wave\", weight = \"waving\", mask = \"arm\" }]`.",
    &[
        required("node", NODE_NAME, "Whose pose."),
        key("weight", Type::Value(UNIT), "1.0", "How much of it."),
        ON_MASK,
        key(
            "mode",
            Type::Choice(LAYER_MODES),
            "\"override\"",
            "Whether it takes the place of what is below, or is added; then its node is a delta.",
        ),
    ],
);

pub static STATE: Kind = kind(
    "[[animator.node.state]]",
    "`state = [{ name = \"idle\" }, { name = \"walking\", node = \"walk\" }]`.",
    &[
        required("name", Type::Text, "Each once in a machine."),
        optional("node", NODE_NAME, "the one of its name", "Whose pose it shows."),
    ],
);

pub static TRANSITION: Kind = kind(
    "[[animator.node.transition]]",
    "A rule. Of several that hold, the one with the highest priority is taken, then the one listed first.",
    &[
        optional("from", Type::Name("state"), "any state", "The state that is left."),
        required("to", Type::Name("state"), "The state that is entered."),
        key(
            "when",
            Type::Condition,
            "\"always\"",
            "What it waits for: `speed > 0.1`, `time_left < 0.2` (seconds), `always`, joined by `and`, `or`, `not` and brackets; see [Conditions](#conditions).",
        ),
        FADE,
        key("priority", Type::Whole { min: -1_000_000, max: 1_000_000 }, "0", "Higher ones come first."),
        key("interruptible", Type::Bool, "false", "Whether other rules may be taken before its fade is over."),
        key(
            "enter",
            Type::Choice(ENTERS),
            "\"restart\"",
            "Where the state's clips begin: at their phase, where they were left, or at the share of a loop that the state before has reached.",
        ),
    ],
);

pub static PLAY: Kind = kind(
    "[[animator.play]]",
    "Asks a slot for a clip at a moment.",
    &[
        required("at_s", Type::Number(range(-1e6, 1e6)), "When."),
        optional("slot", Type::Name("slot"), "the only one", "Which slot."),
        optional("clip", Type::Name("clip"), "none", "Which clip; without one, what plays there is stopped."),
        key("speed", Type::Number(SPEED), "1.0", "Seconds of the clip a second."),
        key("passes", Type::Whole { min: 0, max: 1_000_000_000 }, "1", "How often; 0 is until it is stopped."),
    ],
);

const JOINT: Key = required("joint", Type::Text, "A joint's name in the model.");
const TARGET: Key = optional("target", Type::Name("node"), "`targets`", "A node of the scene.");
const TARGETS: Key = optional(
    "targets",
    Type::List(&SOLVER_TARGET),
    "`target`",
    "Several nodes instead, by weight: what is reached for lies between them.",
);
const ROOT: Key = required("root", Type::Text, "The chain's first joint.");
const TIP: Key = required("tip", Type::Text, "The joint that shall reach the target; the root is above it.");

pub static SOLVER: Kind = Kind {
    exclusive: &[&["target", "targets"]],
    needs: &[&["target", "targets"]],
    variants: Some(&Variants { selector: "kind", default: None, cases: SOLVER_CASES }),
    ..kind(
        "[[animator.solver]]",
        "Bends the pose so that it reaches something.",
        &[
            required("kind", Type::Choice(SOLVER_KINDS), "How."),
            key("weight", Type::Value(UNIT), "1.0", "How much of it."),
        ],
    )
};

const TOLERANCE: Key = key("tolerance_m", Type::Number(TOLERANCE_M), "0.0001", "How near the tip counts as there.");
const ITERATIONS: Key = key("iterations", Type::Whole { min: 1, max: 10_000 }, "64", "Most passes over the chain.");
const LIMITS: Key =
    optional("limit", Type::List(&SOLVER_LIMIT), "none", "How far joints of the chain may turn from the rest pose.");
/// A limit's angles: any arc can be written, up to a whole turn.
const ARC_DEG: Type = Type::Numbers { count: 2, range: range(-360.0, 360.0) };
const HALF_TURN_DEG: Type = Type::Number(range(0.0, 180.0));
const TOLERANCE_M: Range = range(0.0, 1e6);

pub static SOLVER_TARGET: Kind = kind(
    "[[animator.solver.targets]]",
    "`targets = [{ node = \"cup\", weight = 3.0 }, { node = \"mouth\" }]`: a quarter of the way from the cup to the mouth.",
    &[
        required("node", Type::Name("node"), "A node of the scene."),
        key("weight", Type::Number(Range { min: 1e-6, max: 1e6, open: false }), "1.0", "How much it pulls."),
    ],
);

pub static SOLVER_SHARE: Kind = kind(
    "[[animator.solver.share]]",
    "`share = [{ joint = \"spine\", weight = 0.2 }, { joint = \"neck\", weight = 0.5 }]`: joints that go along.",
    &[
        JOINT,
        required(
            "weight",
            Type::Number(UNIT),
            "How much of what the joints before have left; of a twist, how much of all of it.",
        ),
    ],
);

pub static SOLVER_BEND: Kind = kind(
    "[[animator.solver.bend]]",
    "`bend = [{ joint = \"elbow\", max_deg = 60 }]`: a cone about the bone before.",
    &[
        required("joint", Type::Text, "Where the bone begins: a joint of the chain but the first and the tip."),
        required("max_deg", HALF_TURN_DEG, "The largest angle between the two bones."),
    ],
);

pub static SOLVER_LIMIT: Kind = Kind {
    variants: Some(&Variants { selector: "kind", default: None, cases: LIMIT_CASES }),
    ..kind(
        "[[animator.solver.limit]]",
        "`limit = [{ joint = \"elbow\", kind = \"hinge\", axis = [1, 0, 0], range_deg = [0, 140] }]`: how far a joint may turn from its rest pose. A pose outside is brought inside.",
        &[
            required("joint", Type::Text, "A joint of the chain but the tip; each once."),
            required("kind", Type::Choice(LIMIT_KINDS), "How it may turn."),
            required("axis", VEC3, "In the joint's space."),
        ],
    )
};

static LIMIT_CASES: &[Variant] = &[
    Variant {
        word: "hinge",
        doc: "Turns about its axis alone.",
        keys: &[required("range_deg", ARC_DEG, "From the first angle up to the second, a whole turn at most.")],
    },
    Variant {
        word: "cone",
        doc: "Its axis leans, and it turns about that.",
        keys: &[
            required("swing_max_deg", HALF_TURN_DEG, "How far the axis leans from where it rests."),
            key(
                "twist_deg",
                ARC_DEG,
                "[-180.0, 180.0]",
                "Turns about the axis, from the first angle up to the second.",
            ),
        ],
    },
];

const TURN_SHARES: Key = optional(
    "share",
    Type::List(&SOLVER_SHARE),
    "none",
    "Joints above it that turn first, from the root side, each by a share of what is left.",
);
/// Heights over the ground.
const HEIGHT_M: Range = range(0.0, 1e3);

static SOLVER_CASES: &[Variant] = &[
    Variant {
        word: "two_bone",
        doc: "An arm or a leg: turns the joint's parent and grandparent.",
        keys: &[
            JOINT,
            TARGET,
            TARGETS,
            optional("pole", Type::Name("node"), "as the pose bends", "The node that elbow or knee points to."),
            optional(
                "bend_axis",
                VEC3,
                "as the pose bends",
                "The axis of elbow or knee, in its own space: positive turns bend a limb that is straight.",
            ),
            key(
                "soften",
                Type::Number(range(1e-3, 1.0)),
                "1.0",
                "The share of the limb's length up to which it follows; beyond, ever less more, so that it never snaps straight.",
            ),
        ],
    },
    Variant {
        word: "aim",
        doc: "Turns a joint so that its axis points at the target.",
        keys: &[
            JOINT,
            key("axis", VEC3, "[0.0, 0.0, 1.0]", "Which axis, in the joint's space."),
            key("offset_m", VEC3, "[0.0, 0.0, 0.0]", "Where it looks from, in the joint's space: an eye."),
            optional("up", VEC3, "its Y axis, or Z where `axis` is along Y", "What is up, in the joint's space."),
            optional("pole", Type::Name("node"), "where it is in the pose", "The node that `up` turns towards."),
            TARGET,
            TARGETS,
            TURN_SHARES,
        ],
    },
    Variant {
        word: "copy_rotation",
        doc: "Turns a joint from how it rests as the target is turned, seen from the figure: a back takes the turn of a head.",
        keys: &[JOINT, TARGET, TARGETS, TURN_SHARES],
    },
    Variant {
        word: "ccd",
        doc: "Turns every joint of a chain in turn, from the tip.",
        keys: &[ROOT, TIP, TARGET, TARGETS, TOLERANCE, ITERATIONS, LIMITS],
    },
    Variant {
        word: "jacobian",
        doc: "Turns all joints of a chain at once, a little (Jacobian transpose): slower, and bends are spread over the chain.",
        keys: &[ROOT, TIP, TARGET, TARGETS, TOLERANCE, ITERATIONS, LIMITS],
    },
    Variant {
        word: "fabrik",
        doc: "Pulls a chain's joints along, from the tip and from the root.",
        keys: &[
            ROOT,
            TIP,
            TARGET,
            TARGETS,
            TOLERANCE,
            ITERATIONS,
            optional(
                "bend",
                Type::List(&SOLVER_BEND),
                "none",
                "How far bones bend from the one before; where they hardly do, `ccd` comes nearer.",
            ),
        ],
    },
    Variant {
        word: "feet",
        doc: "Stands feet on uneven ground, as high above it as the pose has them above 0.",
        keys: &[
            required("hip", Type::Text, "The joint that is lowered where a leg is too short."),
            required("ankles", Type::Texts, "The joints that stand on it."),
            optional(
                "ground",
                Type::Name("node"),
                "all nodes",
                "The node that is the ground, with those below it; never what animators move.",
            ),
            key(
                "plant_m",
                Type::Number(HEIGHT_M),
                "0.02",
                "A sole that the pose has up to here over 0 stands on the ground.",
            ),
            key(
                "lift_m",
                Type::Number(HEIGHT_M),
                "0.15",
                "A sole from here on is in the air, where the ground does nothing to it; between the two it does a part.",
            ),
            key("tilt_max_deg", Type::Number(range(0.0, 85.0)), "29.8", "Feet tilt with the ground, no further."),
            key("reach_up_m", Type::Number(HEIGHT_M), "0.5", "The ground is looked for from so far over the ankle."),
            key("reach_down_m", Type::Number(HEIGHT_M), "1.0", "And down to so far under it."),
        ],
    },
    Variant {
        word: "twist",
        doc: "Spreads how far a joint is twisted about its parent's bone, against the rest pose, over joints above: forearms follow a hand. No joint leaves its place, and this one stays turned as it is.",
        keys: &[
            JOINT,
            required(
                "share",
                Type::List(&SOLVER_SHARE),
                "Joints above it, each by how much of the twist it follows: `[{ joint = \"forearm\", weight = 0.6 }, { joint = \"upper_arm\", weight = 0.1 }]`.",
            ),
        ],
    },
];

const RANGE_OF_TWO: Range = Range { min: 1e-6, max: 1e6, open: false };

pub static CROWD: Kind = Kind {
    exclusive: &[&["size_m", "radius_m"], &["look_at", "rotation_deg", "rotation_quat"]],
    ..kind(
        "[[crowd]]",
        "Many figures of one model at random places, the same on every machine, each somewhere else in one of some clips. Poses are baked into textures ahead of time.",
        &[
            optional("name", Type::Text, "the model's name", "For `--set` and messages; each once."),
            required("model", Type::Name("model"), "Shows `[model.NAME]`."),
            required("clips", Type::Names { what: "clip", max: POINTS_MAX }, "Each figure plays one of them."),
            required("count", Type::Whole { min: 1, max: FIGURES_MAX }, "How many; all crowds together: 1,000,000."),
            key(
                "size_m",
                Type::Numbers { count: 3, range: NOT_NEGATIVE },
                "[10.0, 0.0, 10.0]",
                "A box about its position, evenly filled.",
            ),
            optional("radius_m", Type::Number(NOT_NEGATIVE), "none", "A level disk about its position instead."),
            key(
                "turn_deg",
                Type::Numbers { count: 2, range: ANY },
                "[0.0, 360.0]",
                "Each is turned about +Y by an angle between these two.",
            ),
            key(
                "scale",
                Type::Numbers { count: 2, range: RANGE_OF_TWO },
                "[1.0, 1.0]",
                "Each is as large as a number between these two.",
            ),
            key(
                "speed",
                Type::Numbers { count: 2, range: range(0.0, 1024.0) },
                "[1.0, 1.0]",
                "Each plays as fast as a number between these two.",
            ),
            optional("change_s", Type::Number(POSITIVE), "never", "Each changes over to another clip so often."),
            key("fade_s", Type::Number(SECONDS), "0.3", "What such a change takes."),
            key(
                "root_motion",
                Type::Choices(ROOT_MOTIONS),
                "[]",
                "What of the root joint's way moves the figures, instead of their poses, as an animator's does: from 0 s on each goes on from where it is placed.",
            ),
            ROOT_JOINT,
            key("seed", Type::Whole { min: 0, max: i64::MAX }, "0", "Another number, other figures."),
            key(
                "baking",
                Type::Choice(BAKINGS),
                "\"joints\"",
                "What textures hold: matrices of joints, or places of vertices.",
            ),
            key("error_mm", Type::Number(POSITIVE), "1.0", "What baking may move a vertex by."),
            optional("lod", Type::List(&CROWD_LOD), "none", "How figures look that are farther away."),
            key("position", VEC3, "[0.0, 0.0, 0.0]", "Metres."),
            optional("look_at", VEC3, "none", "Turns -Z towards this point, +Y upwards."),
            optional("rotation_deg", VEC3, "none", "Turns about the X axis, then Y, then Z, by these angles."),
            optional(
                "rotation_quat",
                Type::Numbers { count: 4, range: ANY },
                "none",
                "A quaternion `[x, y, z, w]` of any length but 0.",
            ),
            optional("material", Type::Name("material"), "the model's own", "Wears `[material.NAME]`, all over."),
            key("casts_shadow", Type::Bool, "true", "Whether they throw shadows."),
        ],
    )
};

pub static CROWD_LOD: Kind = kind(
    "[[crowd.lod]]",
    "`lod = [{ from_m = 20.0, model = \"coarse\" }, { from_m = 200.0 }]`, by rising distance.",
    &[
        required("from_m", Type::Number(POSITIVE), "From this distance on."),
        optional(
            "model",
            Type::Name("model"),
            "nothing is drawn",
            "Another model of the same joints. Clips that its file has not are those of the crowd's model, by the names of joints.",
        ),
    ],
);
