//! `[plan]`: how the plan of a picture is carried out, for debugging.

/// No pixel depends on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlanOptions {
    /// Targets of one shape whose lives do not meet share memory.
    pub alias: bool,
    /// Every target is filled with NaN or `DEAD` before it is first used.
    pub poison: bool,
}

impl PlanOptions {
    pub const DEFAULT: PlanOptions = PlanOptions { alias: true, poison: false };
    /// As files spell `alias`.
    pub const ALIAS_WORDS: &[(&str, bool)] = &[("on", true), ("off", false)];
}
