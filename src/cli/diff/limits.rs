//! Limits: how far two pictures may be apart.

use clap::Args as ClapArgs;
use stillframe_frames::Picture;
use stillframe_frames::compare::{Comparison, Tolerance};

use crate::cli::values::{share, steps};

/// Every limit that is given must hold. Without one, pictures must be equal.
#[derive(ClapArgs, Clone, Copy, Debug, Default, PartialEq)]
pub struct Limits {
    /// Accept channels that differ by at most N steps of 255
    #[arg(long, value_name = "N", help_heading = "Limits", value_parser = steps)]
    pub max_lsb: Option<f64>,
    /// Accept this share of pixels that differ more, from 0 to 1
    #[arg(long, value_name = "P", help_heading = "Limits", value_parser = share)]
    pub share: Option<f64>,
    /// Accept a mean FLIP error of at most X, from 0 to 1
    #[arg(long, value_name = "X", help_heading = "Limits", value_parser = share)]
    pub flip: Option<f64>,
}

impl Limits {
    pub fn are_given(&self) -> bool {
        self.max_lsb.is_some() || self.share.is_some() || self.flip.is_some()
    }

    /// Whether two pictures of one size and format are as near as asked.
    pub fn hold(&self, old: &Picture, new: &Picture, found: &Comparison) -> bool {
        if found.is_same() {
            return true;
        }
        let tolerance = Tolerance { delta: self.max_lsb.unwrap_or(0.0), share: self.share.unwrap_or(0.0) };
        let is_counted = self.max_lsb.is_some() || self.share.is_some();
        let counts = || !is_counted || tolerance.judge(old, new).is_ok_and(|judged| judged.passed);
        // Whole numbers are no colours, and have no visible error.
        let is_seen = |most: f64| found.flip.as_ref().is_none_or(|flip| !(flip.mean <= most));
        self.are_given() && counts() && !self.flip.is_some_and(is_seen)
    }
}
