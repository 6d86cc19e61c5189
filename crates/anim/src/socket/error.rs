//! Error: why there is no such socket.

/// What is wrong with a socket, by its name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SocketError {
    #[error("no socket `{socket}`")]
    Unknown { socket: String },
    #[error("there is a socket `{socket}` already")]
    Duplicate { socket: String },
    #[error("socket `{socket}`: the skeleton has no joint `{joint}`")]
    UnknownJoint { socket: String, joint: String },
    #[error("socket `{socket}`: the skeleton has {count} joints `{joint}`")]
    AmbiguousJoint { socket: String, joint: String, count: usize },
    #[error("socket `{socket}`: its place is not finite, or its rotation not of unit length")]
    Place { socket: String },
}
