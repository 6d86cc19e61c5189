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
    /// What light is added up for, before surfaces are drawn.
    pub sums: Option<Sums>,
    pub likeness: Likeness,
}

/// How light is added up that surfaces are drawn in later.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sums {
    /// All that glTF's surface knows, in three sums.
    Coloured,
    /// What is reflected is a luminance.
    Grey,
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
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Likeness {
    /// Every bit.
    Equal,
    /// All but this share of the pixels differ by no more than so many 1/255 of the range.
    Near { delta: f64, share: f64 },
    /// They differ, in this.
    Other(&'static str),
}

impl Likeness {
    pub fn words(self) -> String {
        match self {
            Likeness::Equal => "equal".to_string(),
            Likeness::Near { delta, share } => {
                format!("near: {} % of the pixels within {delta} of 255", 100.0 - 100.0 * share)
            }
            Likeness::Other(words) => format!("differs: {words}"),
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
const NOT_SUMMED: &str = "blended ones, those without light, and all but glTF's surface without layers and with an \
                          f90 of 1";
const NOT_FETCHED: &str = "blended ones, those that vertex shaders bend, as figures of crowds, and those that light \
                           leaves elsewhere than it enters";
const NOT_IN_ROUNDS: &str = "blended ones, those without light, and those that light leaves elsewhere than it enters";
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
        sums: None,
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
        sums: None,
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
        sums: None,
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
        sums: None,
        likeness: Likeness::Equal,
    },
    /// The same, stored in fewer bits.
    DeferredPacked => Method {
        name: "deferred_packed",
        passes: "`gbuffer`, `shade`, `scene`",
        asks: Asks::All,
        forward: NOT_STORED,
        pays: "devices that draw into 32 bytes a pixel",
        source: "as `deferred`; normals: Meyer and others 2010",
        one_sample: true,
        sums: None,
        likeness: Likeness::Near { delta: 4.0, share: 0.02 },
    },
    /// Light is added up first, then surfaces are drawn in it.
    LightPrepass => Method {
        name: "light_prepass",
        passes: "`gbuffer`, `sums`, `surfaces`, `scene`",
        asks: Asks::All,
        forward: NOT_SUMMED,
        pays: "surfaces with many textures behind each other: what is stored of them is small",
        source: "Engel 2008; three sums are ours",
        one_sample: true,
        sums: Some(Sums::Coloured),
        likeness: Likeness::Near { delta: 1.0, share: 0.001 },
    },
    /// The same, and what is reflected has no colour of the lights.
    LightPrepassClassic => Method {
        name: "light_prepass_classic",
        passes: "`gbuffer`, `sums`, `surfaces`, `scene`",
        asks: Asks::All,
        forward: NOT_SUMMED,
        pays: "as it was done: one sum of four values",
        source: "Engel 2008",
        one_sample: true,
        sums: Some(Sums::Grey),
        likeness: Likeness::Other("highlights are grey, and grazing light is reflected no more than other light"),
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
        sums: None,
        likeness: Likeness::Equal,
    },
    /// A few lights at a time.
    Multipass => Method {
        name: "multipass",
        passes: "`depth`, `round 0`, `round 1` ..., `scene`",
        asks: Asks::All,
        forward: NOT_IN_ROUNDS,
        pays: "devices that read few lights at once; `lights_per_draw` says how many",
        source: "Diefenbach 1996",
        one_sample: true,
        sums: None,
        likeness: Likeness::Equal,
    },
    /// Triangles are numbered first, then each pixel fetches the corners of its own.
    Visibility => Method {
        name: "visibility",
        passes: "`gbuffer`, `fetch`, `scene`",
        asks: Asks::All,
        forward: NOT_FETCHED,
        pays: "triangles of a pixel or less, and surfaces with many textures behind each other: 8 bytes are stored of each",
        source: "Burns, Hunt 2013",
        one_sample: true,
        sums: None,
        likeness: Likeness::Near { delta: 1.0, share: 0.001 },
    },
}

impl Word for LightingMethod {
    const WORDS: &'static [(&'static str, LightingMethod)] = LightingMethod::WORDS;
}
