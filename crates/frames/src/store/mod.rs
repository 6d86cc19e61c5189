//! The store of references: what every case must look like, and its picture where one is kept.
//!
//! In: a folder of references, an address ([`StoreAddress`]), changes. Out: locks, pictures that are what their lock
//! line says, findings. Never here: verdicts, printing, the environment, which case belongs to which scene.
//!
//! ```text
//! references/<family>/frames.lock      one sorted line a case; always here
//! references/<family>/<case>.png .exr  `git`: the picture beside its line     <case>.passes  hashes of its passes
//! FOLDER/ab/cdef....png .exr .passes   `dir:FOLDER` and object stores: by content, so equal pictures are one file
//! FOLDER/ab/cdef....note               there, small files of whoever tests, by keys of their own
//! references/.store/                   lock and journal of changes; ignores itself in git
//! ```
//!
//! [`Store::accept`] changes several families at once. All new files are written and waited for, then one file that
//! says where they go is renamed into place, then they go there; whoever opens the store next finishes what was
//! interrupted. `docs/references.md` tells more.

mod accept;
mod address;
mod blob;
mod check;
mod copy;
mod disk;
mod error;
mod folder;
mod journal;
mod link;
mod name;
mod notes;
mod open;
mod patch;
mod sound;
mod sweep;
mod transfer;
mod verify;
pub mod wire;

pub use crate::passes::passes_root;
pub use accept::{Accepted, Change, Pixels};
pub use address::{AddressError, StoreAddress};
pub use blob::{BlobKey, BlobKind};
pub use error::StoreError;
pub use folder::Stored;
pub use journal::Recovery;
pub use name::family_fault;
pub use open::{LOCK_FILE, Remote, Store, StoreOptions};
pub use patch::patch;
pub use sound::Ledger;
pub use sweep::{Exported, Sweep};
pub use transfer::Moved;
pub use verify::{DeadFile, FamilyStats, Finding, FindingKind, Stats, Verified};
