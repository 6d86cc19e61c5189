//! Mistakes: players that are the model but for one thing, each a thing that graphs of this world have got wrong. The judge must find
//! every one of them, or it is blind.

/// What a graph got wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GraphMistake {
    LateWeight,
    Again,
    LeftoverLost,
    EarlyParameters,
    AddedInParent,
    OwnPhases,
    MaskIgnored,
    SumNotOne,
    Nearest,
    SeamMissed,
    AsleepRuns,
    LeaderStays,
    MindChanged,
    AlwaysInterrupted,
    PriorityIgnored,
    PlayedCut,
    SharedRestart,
    Jump,
}

/// Every mistake: its name, and what it does.
pub const GRAPH_MISTAKES: [(GraphMistake, &str, &str); 18] = [
    (GraphMistake::LateWeight, "late-weight", "events have the weight of their clip at the step's end (P32)"),
    (GraphMistake::Again, "again", "asking for the state that is there already begins it anew (P34)"),
    (GraphMistake::LeftoverLost, "leftover-lost", "transitions wait for the step's end (P33)"),
    (GraphMistake::EarlyParameters, "early-parameters", "parameters hold for the step before they are handed in"),
    (GraphMistake::AddedInParent, "added-in-parent", "deltas turn a joint in its parent's frame (ozz, B6)"),
    (GraphMistake::OwnPhases, "own-phases", "clips of a sync space have a time of their own (the book, P29)"),
    (GraphMistake::MaskIgnored, "mask-ignored", "layers cover joints that their mask leaves out"),
    (GraphMistake::SumNotOne, "sum-not-one", "weights of a joint are not divided by their sum (B1)"),
    (GraphMistake::Nearest, "nearest", "of a space the nearest pose alone is shown"),
    (GraphMistake::SeamMissed, "seam-missed", "time left is that of the first loop; later ones have none"),
    (GraphMistake::AsleepRuns, "asleep-runs", "clocks run on while nothing shows their pose"),
    (GraphMistake::LeaderStays, "leader-stays", "a sync space is led by its first clip whatever the weights"),
    (GraphMistake::MindChanged, "mind-changed", "a fade of the book that changes its mind begins at 0"),
    (GraphMistake::AlwaysInterrupted, "always-interrupted", "fades that may not be interrupted are"),
    (GraphMistake::PriorityIgnored, "priority-ignored", "of several rules the one listed first is taken"),
    (GraphMistake::PlayedCut, "played-cut", "a clip of a slot is gone at its end, without a fade"),
    (GraphMistake::SharedRestart, "shared-restart", "a state that is entered restarts clips that play already"),
    (GraphMistake::Jump, "jump", "nothing dies away or stands still after a change over: poses jump"),
];
