//! Methods of lighting, as rows: what each is called, what it does, and what it is held to.
//!
//! In: nothing. Out: the words of `[render] lighting`, the page's table, what `test --via lighting` compares. Never
//! here: passes and shaders, which `stillframe_draw` has in a file of each method.

use crate::scene::word::Word;

/// A way to bring lights to surfaces.
#[derive(Clone, Copy, Debug)]
pub struct Method {
    pub name: &'static str,
    /// Its passes, in order.
    pub passes: &'static str,
    pub asks: Asks,
    /// Surfaces that are drawn as `forward` draws them.
    pub forward: &'static str,
    /// Where it pays.
    pub pays: &'static str,
    pub source: &'static str,
    /// Its pixels have one sample: several are drawn one after the other, at the same places.
    pub one_sample: bool,
    pub likeness: Likeness,
}

/// Lights that a pixel asks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Asks {
    #[default]
    All,
    /// Those that can reach its cluster.
    Clusters,
    /// Those that can reach what is seen in its tile.
    Tiles,
}

impl Asks {
    pub fn words(self) -> &'static str {
        match self {
            Asks::All => "all",
            Asks::Clusters => {
                "those that touch its cluster: a square tile of pixels (16 wide, or more in pictures over 1024 \
                 pixels) between two depths, four to an octave"
            }
            Asks::Tiles => {
                "those that touch its tile: a square of 16 pixels (or more with thousands of lights) between the \
                 nearest and the farthest depth seen there"
            }
        }
    }
}

/// How near its pictures are to those of `forward` with the same shading.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Likeness {
    /// Every bit.
    Equal,
}

impl Likeness {
    pub fn words(self) -> &'static str {
        match self {
            Likeness::Equal => "equal",
        }
    }
}

/// The table of rows: the enum, its words, its rows.
macro_rules! methods {
    ($($(#[$doc:meta])* $id:ident => $row:expr,)+) => {
        /// Which method of lighting.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum LightingMethod {
            $($(#[$doc])* $id,)+
        }

        impl LightingMethod {
            /// Words of scene files and of the command line.
            pub const WORDS: &'static [(&'static str, LightingMethod)] =
                &[$((const { let row: Method = $row; row.name }, LightingMethod::$id)),+];

            pub fn row(self) -> &'static Method {
                match self {
                    $(LightingMethod::$id => const { &$row },)+
                }
            }
        }
    };
}

const ALL_FORWARD: &str = "all";
const NOT_STORED: &str = "blended ones, and those whose lighting model has parameters that differ from pixel to pixel";

methods! {
    /// Every light at every pixel.
    Forward => Method {
        name: "forward",
        passes: "`scene`",
        asks: Asks::All,
        forward: ALL_FORWARD,
        pays: "few lights",
        source: "",
        one_sample: false,
        likeness: Likeness::Equal,
    },
    /// Lights that can reach the pixel's part of what the camera sees.
    Clustered => Method {
        name: "clustered",
        passes: "`scene`",
        asks: Asks::Clusters,
        forward: ALL_FORWARD,
        pays: "many lights with short ranges",
        source: "Olsson, Billeter, Assarsson 2012",
        one_sample: false,
        likeness: Likeness::Equal,
    },
    /// Lights that can reach what is seen in the pixel's tile.
    ForwardPlus => Method {
        name: "forward_plus",
        passes: "`depth`, `tiles`, `scene`",
        asks: Asks::Tiles,
        forward: ALL_FORWARD,
        pays: "many lights with short ranges, and surfaces behind each other",
        source: "Harada, McKee, Yang 2012",
        one_sample: true,
        likeness: Likeness::Equal,
    },
    /// Surfaces are stored first, then shaded.
    Deferred => Method {
        name: "deferred",
        passes: "`gbuffer`, `shade`, `scene`",
        asks: Asks::All,
        forward: NOT_STORED,
        pays: "surfaces behind each other under few lights",
        source: "Deering, Winner, Schediwy, Duffy, Hunt 1988; Saito, Takahashi 1990; Hargreaves 2004",
        one_sample: true,
        likeness: Likeness::Equal,
    },
    /// Surfaces are stored first, then shaded by the lights of their tile.
    TiledDeferred => Method {
        name: "tiled_deferred",
        passes: "`gbuffer`, `tiles`, `shade`, `scene`",
        asks: Asks::Tiles,
        forward: NOT_STORED,
        pays: "many lights with short ranges, and surfaces behind each other",
        source: "Andersson 2009; Lauritzen 2010",
        one_sample: true,
        likeness: Likeness::Equal,
    },
}

impl Word for LightingMethod {
    const WORDS: &'static [(&'static str, LightingMethod)] = LightingMethod::WORDS;
}
