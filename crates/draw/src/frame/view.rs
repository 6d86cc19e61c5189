//! View: from where something is drawn.

/// Index into `Plan::views`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ViewId(pub usize);

/// From where something is drawn; all cameras come first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct View {
    pub eye: Eye,
    pub width_px: u32,
    pub height_px: u32,
    pub samples: u32,
    /// Left and right are exchanged: triangles turn the other way round.
    pub mirrored: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Eye {
    Camera,
    /// A camera whose pixels' centres are at another point, in sixteenths of a pixel, right and down.
    Sample {
        camera: ViewId,
        at: [i8; 2],
    },
    /// A camera at its pixels' own centres, wherever the picture is taken.
    Middle {
        camera: ViewId,
    },
    /// A depth map of this camera's shot, by its number there.
    Map {
        camera: ViewId,
        map: usize,
    },
    /// A square from -1 to 1 across z, for this camera's shot.
    Square {
        camera: ViewId,
    },
}
