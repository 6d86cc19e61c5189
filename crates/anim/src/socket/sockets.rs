//! Sockets: those of one skeleton, by name.

use super::{Inherit, Socket, SocketError};
use crate::pose::Trs;
use crate::sample::Skeleton;

/// The sockets of a skeleton, in the order in which they were added. Names are each there once.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sockets {
    sockets: Vec<Socket>,
}

impl Sockets {
    /// Adds a socket below the joint of this name.
    ///
    /// Errors: [`SocketError::Duplicate`], [`SocketError::UnknownJoint`], [`SocketError::AmbiguousJoint`],
    ///         [`SocketError::Place`]; then nothing
    /// has changed.
    pub fn add(
        &mut self,
        skeleton: &Skeleton,
        name: &str,
        joint: &str,
        local: Trs,
        inherit: Inherit,
    ) -> Result<(), SocketError> {
        let socket = || name.to_owned();
        if self.find(name).is_ok() {
            return Err(SocketError::Duplicate { socket: socket() });
        }
        let Trs { translation, rotation, scale } = local;
        if !(translation.is_finite() && scale.is_finite() && rotation.is_normalized()) {
            return Err(SocketError::Place { socket: socket() });
        }
        let count = skeleton.names().iter().filter(|own| *own == joint).count();
        let joint = match (skeleton.joint_named(joint), count) {
            (Some(joint), 1) => joint,
            (None, _) => return Err(SocketError::UnknownJoint { socket: socket(), joint: joint.to_owned() }),
            _ => return Err(SocketError::AmbiguousJoint { socket: socket(), joint: joint.to_owned(), count }),
        };
        self.sockets.push(Socket { name: socket(), joint, local, inherit });
        Ok(())
    }

    /// Takes a socket away. What asks for it from now on gets [`SocketError::Unknown`].
    pub fn remove(&mut self, name: &str) -> Result<Socket, SocketError> {
        let at = self.sockets.iter().position(|socket| socket.name == name);
        let at = at.ok_or_else(|| SocketError::Unknown { socket: name.to_owned() })?;
        Ok(self.sockets.remove(at))
    }

    pub fn find(&self, name: &str) -> Result<&Socket, SocketError> {
        let found = self.sockets.iter().find(|socket| socket.name == name);
        found.ok_or_else(|| SocketError::Unknown { socket: name.to_owned() })
    }

    /// All, in the order in which they were added.
    pub fn all(&self) -> &[Socket] {
        &self.sockets
    }
}
