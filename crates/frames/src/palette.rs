//! A palette: at most 256 colours that stand for those of pictures.
//!
//! Up to the limit the colours are those of the pictures. More are sorted into cells of four levels a side, and the
//! cells are cut: the box with the greatest squared error, across the axis where it is greatest, at its mean (Wan, Wong
//! and Prusinkiewicz 1988, without their exact cut). A box stands for its mean. All in integers.

use std::collections::BTreeMap;

/// Levels of a channel in one cell, as a power of two.
const CELL_BITS: u32 = 2;
const SIDE: usize = 256 >> CELL_BITS;

/// The colours of pictures, counted.
pub struct Census {
    /// Each colour, as long as there are few of them.
    few: Option<BTreeMap<[u8; 3], u8>>,
    count_max: usize,
    /// By cell: how many pixels, and the sums of their channels.
    cells: Vec<[u64; 4]>,
}

/// Colours, and which of them stands for another.
pub struct Palette {
    pub colors: Vec<[u8; 3]>,
    exact: Option<BTreeMap<[u8; 3], u8>>,
    /// By cell.
    nearest: Vec<u8>,
}

fn cell(color: [u8; 3]) -> usize {
    let [r, g, b] = color.map(|level| usize::from(level >> CELL_BITS));
    (r * SIDE + g) * SIDE + b
}

impl Census {
    /// Of pictures that get up to `count_max` colours, which is 2 to 256.
    pub fn new(count_max: usize) -> Census {
        assert!((2..=256).contains(&count_max), "{count_max} colours");
        Census { few: Some(BTreeMap::new()), count_max, cells: vec![[0; 4]; SIDE * SIDE * SIDE] }
    }

    pub fn count(&mut self, color: [u8; 3]) {
        let [r, g, b] = color.map(u64::from);
        let sums = &mut self.cells[cell(color)];
        *sums = [sums[0] + 1, sums[1] + r, sums[2] + g, sums[3] + b];
        if let Some(few) = &mut self.few
            && !few.contains_key(&color)
        {
            if few.len() < self.count_max {
                few.insert(color, 0);
            } else {
                self.few = None;
            }
        }
    }

    pub fn palette(self) -> Palette {
        if let Some(mut exact) = self.few {
            exact.values_mut().enumerate().for_each(|(number, place)| *place = number as u8);
            return Palette { colors: exact.keys().copied().collect(), exact: Some(exact), nearest: Vec::new() };
        }
        let mut colors = cut(&self.cells, self.count_max);
        colors.sort_unstable();
        colors.dedup();
        let middle = |level: usize| (level << CELL_BITS) as i32 + (1 << (CELL_BITS - 1));
        let nearest = |at: usize| {
            let sums = self.cells[at];
            let color = match sums[0] {
                0 => [at / (SIDE * SIDE), at / SIDE % SIDE, at % SIDE].map(middle),
                count => [1, 2, 3].map(|channel| ((sums[channel] + count / 2) / count) as i32),
            };
            nearest(&colors, color)
        };
        let nearest = (0..self.cells.len()).map(nearest).collect();
        Palette { colors, exact: None, nearest }
    }
}

impl Palette {
    /// The place of the colour that stands for `color`, which has been counted.
    pub fn place(&self, color: [u8; 3]) -> u8 {
        match &self.exact {
            Some(exact) => exact[&color],
            None => self.nearest[cell(color)],
        }
    }
}

/// The first of the nearest colours.
fn nearest(colors: &[[u8; 3]], to: [i32; 3]) -> u8 {
    let far = |color: &[u8; 3]| -> i32 { (0..3).map(|at| (i32::from(color[at]) - to[at]).pow(2)).sum() };
    let best = colors.iter().enumerate().min_by_key(|(_, color)| far(color));
    best.map_or(0, |(at, _)| at as u8)
}

/// Cells that get one colour.
struct Bin {
    /// Means of cells, and how many pixels they have.
    cells: Vec<([u8; 3], u64)>,
    /// By how much its colour is wrong along an axis, squared, over all pixels; and the axis.
    error: (u128, usize),
    mean: [u64; 3],
}

impl Bin {
    fn new(cells: Vec<([u8; 3], u64)>) -> Bin {
        let count: u64 = cells.iter().map(|(_, count)| count).sum();
        let sum = |axis: usize| -> u64 { cells.iter().map(|(color, count)| u64::from(color[axis]) * count).sum() };
        let mean = [0, 1, 2].map(|axis| (sum(axis) + count / 2) / count);
        let error = |axis: usize| -> u128 {
            let of = |(color, count): &([u8; 3], u64)| {
                u128::from(mean[axis].abs_diff(u64::from(color[axis])).pow(2)) * u128::from(*count)
            };
            cells.iter().map(of).sum()
        };
        let worst =
            [0, 1, 2].map(|axis| (error(axis), axis)).into_iter().max_by_key(|(error, axis)| (*error, 3 - axis));
        Bin { error: worst.expect("three axes"), mean, cells }
    }

    /// What is below the mean along the worst axis, and the rest; neither is empty.
    fn split(self) -> [Bin; 2] {
        let (axis, mean) = (self.error.1, self.mean);
        let highest = self.cells.iter().map(|(color, _)| u64::from(color[axis])).max().unwrap_or(0);
        // Rounded up, a mean may be above all.
        let edge = mean[axis].min(highest);
        let (low, high): (Vec<_>, Vec<_>) =
            self.cells.into_iter().partition(|(color, _)| u64::from(color[axis]) < edge);
        match low.is_empty() {
            false => [low, high].map(Bin::new),
            true => {
                // The mean is the lowest of them.
                let (low, high): (Vec<_>, Vec<_>) =
                    high.into_iter().partition(|(color, _)| u64::from(color[axis]) <= edge);
                [low, high].map(Bin::new)
            }
        }
    }
}

/// Up to `count_max` colours for what has been counted.
fn cut(cells: &[[u64; 4]], count_max: usize) -> Vec<[u8; 3]> {
    let mean = |sums: &[u64; 4]| [1, 2, 3].map(|channel| ((sums[channel] + sums[0] / 2) / sums[0]) as u8);
    let all = cells.iter().filter(|sums| sums[0] > 0).map(|sums| (mean(sums), sums[0])).collect();
    let mut bins = vec![Bin::new(all)];
    while bins.len() < count_max {
        let worst = (0..bins.len()).max_by_key(|at| (bins[*at].error.0, bins.len() - at)).expect("there is one");
        if bins[worst].error.0 == 0 {
            break;
        }
        let [low, high] = bins.swap_remove(worst).split();
        bins.extend([low, high]);
    }
    bins.iter().map(|bin| bin.mean.map(|level| level as u8)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn census(colors: impl Iterator<Item = [u8; 3]>) -> Palette {
        let mut census = Census::new(256);
        colors.for_each(|color| census.count(color));
        census.palette()
    }

    #[test]
    fn few_colours_are_kept_exactly() {
        let few = || (0..=255u8).map(|level| [level, level / 2, 255 - level]);
        let palette = census(few().chain(few()));
        assert_eq!(palette.colors.len(), 256);
        assert!(few().all(|color| palette.colors[palette.place(color) as usize] == color));
        // One more.
        let palette = census(few().chain([[9, 200, 9]]));
        assert!(few().any(|color| palette.colors[palette.place(color) as usize] != color));
    }

    #[test]
    fn many_colours_are_shown_by_near_ones() {
        // A smooth picture of 65,536 colours on a plane, and the whole cube.
        let plane = || (0..65536u32).map(|at| [(at % 256) as u8, (at / 256) as u8, (at % 256 / 2) as u8]);
        let cube = || (0..32768u32).map(|at| [at % 32, at / 32 % 32, at / 1024].map(|level| (level * 8) as u8));
        let wrong = |palette: &Palette, color: [u8; 3]| {
            let shown = palette.colors[palette.place(color) as usize];
            (0..3).map(|at| shown[at].abs_diff(color[at])).max().unwrap_or(0)
        };
        let of_plane = census(plane());
        assert!(of_plane.colors.len() > 200 && plane().all(|color| wrong(&of_plane, color) <= 24));
        let of_cube = census(cube());
        assert!(of_cube.colors.len() > 200 && cube().all(|color| wrong(&of_cube, color) <= 48));
    }

    #[test]
    fn a_few_pixels_of_one_colour_are_not_lost_beside_many() {
        let sea = || (0..200_000u32).map(|at| [0, (at % 200) as u8, (at / 2 % 250) as u8]);
        let palette = census(sea().chain([[255, 0, 0]; 40]));
        let shown = palette.colors[palette.place([255, 0, 0]) as usize];
        assert!(shown[0] > 200, "{shown:?}");
    }
}
