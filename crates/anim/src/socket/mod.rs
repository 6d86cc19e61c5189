//! Socket: a named place on a joint, to which other things are attached.
//!
//! In: a skeleton's names, places below its joints, model matrices. Out: where the sockets are in the model. Never
//! here: what is attached, culling, files. Who attaches something holds the socket's name and asks for it
//! ([`Sockets::find`]): a socket that was removed is an error there and no stale place.
//!
//! Source: "Game engine: principles and practice" volume 2, section 2.9. Ours: joints that are named twice are refused,
//! and the switches of what is inherited belong to the socket.

mod error;
mod place;
mod sockets;

pub use error::SocketError;
pub use place::{Inherit, Socket};
pub use sockets::Sockets;
