//! Equipment: what one sitting leaves for the next: an open adapter, pipelines, threads.

use stillframe_base::par::Pool;

use super::{AdapterChoice, Settings};
use crate::fault::Fault;
use crate::render::{Gpu, Uploads};

/// Costly things that no picture depends on. They belong to settings: with others of adapter, threads or instruction
/// set they are made anew.
#[derive(Debug)]
pub struct Equipment {
    made_for: Fits,
    pub(super) gpu: Option<Gpu>,
    pub(super) uploads: Uploads,
    pub(super) pool: Pool,
}

/// What equipment depends on.
#[derive(Clone, Debug, PartialEq)]
struct Fits {
    adapter: AdapterChoice,
    threads: usize,
    isa: Option<stillframe_base::lanes::Isa>,
    last_first: bool,
    fault: Option<Fault>,
}

impl Equipment {
    /// Nothing is opened yet.
    pub fn new(settings: &Settings) -> Equipment {
        let pool = Pool::new(settings.threads);
        let fault = settings.fault.as_ref().map(Fault::for_rendering).unwrap_or_default();
        Equipment { made_for: fits(settings), gpu: None, uploads: Uploads::new(&fault), pool }
    }

    /// The same where it fits, else new.
    pub(super) fn fitting(self, settings: &Settings) -> Equipment {
        if self.made_for == fits(settings) { self } else { Equipment::new(settings) }
    }

    /// What the next sitting can use.
    pub(super) fn for_another_scene(self) -> Equipment {
        Equipment { uploads: self.uploads.for_another_scene(), ..self }
    }
}

fn fits(settings: &Settings) -> Fits {
    let Settings { threads, isa, last_first, .. } = *settings;
    Fits { adapter: settings.adapter.clone(), threads, isa, last_first, fault: settings.fault.clone() }
}
