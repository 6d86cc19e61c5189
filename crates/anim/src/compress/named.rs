//! Named: a compressed clip with the skeleton that it moves, so that another program, or another body, finds its joints
//! by name.
//!
//! ```text
//! "SFAN"  version u16  0 u16  length of the rest u64  its checksum u64       little-endian
//! rest:   joints u16
//!   each joint:   parent u16 (65535: none), less than its own number   bytes of its name u16   its name, UTF-8
//!                 rest pose, f32 each: rotation 4, translation 3, scale 3
//!   up to the end: the clip, as `CompressedClip::to_bytes` writes it
//! ```
//!
//! Reading trusts nothing, as with the clip's own bytes.

use glam::{Quat, Vec3};

use super::bytes::{BytesError, checksum};
use super::clip::CompressedClip;
use crate::pose::{NO_PARENT, Trs};
use crate::sample::{RawJoint, Skeleton};

const MAGIC: [u8; 4] = *b"SFAN";
const VERSION: u16 = 1;
const HEADER_BYTES: usize = 24;

/// A clip and its skeleton; they have as many joints.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedClip {
    skeleton: Skeleton,
    clip: CompressedClip,
}

impl NamedClip {
    /// Asserts that both have as many joints. Errors: a name of more than 65,535 bytes.
    pub fn new(skeleton: &Skeleton, clip: CompressedClip) -> Result<NamedClip, BytesError> {
        assert_eq!(skeleton.joint_count(), clip.joint_count(), "joints of the skeleton and of the clip");
        if skeleton.names().iter().any(|name| name.len() > usize::from(u16::MAX)) {
            return Err(BytesError::Range { what: "length of a name" });
        }
        // Joints have the numbers that a file gives them.
        let joint = |joint: usize| {
            let parent = Some(skeleton.parents()[joint]).filter(|parent| *parent != NO_PARENT).map(usize::from);
            RawJoint { node: joint, name: skeleton.names()[joint].clone(), parent, rest: skeleton.rest()[joint] }
        };
        let joints: Vec<RawJoint> = (0..skeleton.joint_count()).map(joint).collect();
        let skeleton = Skeleton::new(&joints).expect("it was a skeleton before");
        Ok(NamedClip { skeleton, clip })
    }

    pub fn skeleton(&self) -> &Skeleton {
        &self.skeleton
    }
    pub fn clip(&self) -> &CompressedClip {
        &self.clip
    }
    pub fn into_clip(self) -> CompressedClip {
        self.clip
    }

    /// The clip as a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut rest: Vec<u8> = (self.skeleton.joint_count() as u16).to_le_bytes().into();
        let joints = self.skeleton.parents().iter().zip(self.skeleton.names()).zip(self.skeleton.rest());
        for ((parent, name), Trs { translation, rotation, scale }) in joints {
            rest.extend(parent.to_le_bytes());
            rest.extend((name.len() as u16).to_le_bytes());
            rest.extend(name.as_bytes());
            let numbers = rotation.to_array().into_iter().chain(translation.to_array()).chain(scale.to_array());
            numbers.for_each(|number| rest.extend(number.to_le_bytes()));
        }
        rest.extend(self.clip.to_bytes());
        let mut out: Vec<u8> = MAGIC.into();
        out.extend(VERSION.to_le_bytes());
        out.extend([0; 2]);
        out.extend((rest.len() as u64).to_le_bytes());
        out.extend(checksum(&rest));
        out.extend(rest);
        out
    }

    /// Whether bytes begin as such a file does; a clip without names begins otherwise.
    pub fn is_named(bytes: &[u8]) -> bool {
        bytes.starts_with(&MAGIC)
    }

    /// Reads a file. Takes memory of at most [`MEMORY_FACTOR`](super::MEMORY_FACTOR) times its size.
    pub fn from_bytes(bytes: &[u8]) -> Result<NamedClip, BytesError> {
        let Some((header, rest)) = bytes.split_first_chunk::<HEADER_BYTES>() else { return Err(BytesError::Magic) };
        if header[..4] != MAGIC {
            return Err(BytesError::Magic);
        }
        let [_, _, _, _, v0, v1, zero0, zero1, l0, l1, l2, l3, l4, l5, l6, l7, ..] = *header;
        let (version, want) = (u16::from_le_bytes([v0, v1]), u64::from_le_bytes([l0, l1, l2, l3, l4, l5, l6, l7]));
        if version != VERSION {
            return Err(BytesError::Version { found: version });
        }
        if want != rest.len() as u64 {
            return Err(BytesError::Length { found: rest.len() as u64, want });
        }
        if header[16..] != checksum(rest) {
            return Err(BytesError::Checksum);
        }
        if [zero0, zero1] != [0; 2] {
            return Err(BytesError::Range { what: "form" });
        }
        let mut bytes = rest;
        let joint_count = usize::from(take_u16(&mut bytes, "joints")?);
        let mut joints = Vec::new();
        for node in 0..joint_count {
            joints.push(joint(&mut bytes, node)?);
        }
        let skeleton = Skeleton::new(&joints).map_err(|_| BytesError::Range { what: "rest pose" })?;
        let clip = CompressedClip::from_bytes(bytes)?;
        match clip.joint_count() == joint_count {
            true => Ok(NamedClip { skeleton, clip }),
            false => Err(BytesError::Range { what: "number of joints" }),
        }
    }
}

fn joint(bytes: &mut &[u8], node: usize) -> Result<RawJoint, BytesError> {
    let parent = take_u16(bytes, "parents")?;
    let parent = Some(usize::from(parent)).filter(|_| parent != NO_PARENT);
    if parent.is_some_and(|parent| parent >= node) {
        return Err(BytesError::Range { what: "parent" });
    }
    let length = usize::from(take_u16(bytes, "names")?);
    let (name, left) = bytes.split_at_checked(length).ok_or(BytesError::Ends { what: "names" })?;
    *bytes = left;
    let name = std::str::from_utf8(name).map_err(|_| BytesError::Range { what: "name" })?.to_owned();
    let mut numbers = [0.0; 10];
    for number in &mut numbers {
        *number = f32::from_le_bytes(take(bytes, "rest pose")?);
    }
    let [rx, ry, rz, rw, tx, ty, tz, sx, sy, sz] = numbers;
    let (rotation, translation, scale) =
        (Quat::from_xyzw(rx, ry, rz, rw), Vec3::new(tx, ty, tz), Vec3::new(sx, sy, sz));
    Ok(RawJoint { node, name, parent, rest: Trs { translation, rotation, scale } })
}

fn take<const N: usize>(bytes: &mut &[u8], what: &'static str) -> Result<[u8; N], BytesError> {
    let (out, left) = bytes.split_first_chunk::<N>().ok_or(BytesError::Ends { what })?;
    *bytes = left;
    Ok(*out)
}

fn take_u16(bytes: &mut &[u8], what: &'static str) -> Result<u16, BytesError> {
    Ok(u16::from_le_bytes(take(bytes, what)?))
}
