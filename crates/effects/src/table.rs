//! Table: colours that an effect looks up, from a file.

/// A table of colours by red, green and blue; red changes fastest.
#[derive(Clone, PartialEq)]
pub struct Table {
    /// One curve for each channel (1), or a cube (3).
    pub dimensions: u32,
    /// Colours along a side.
    pub size: u32,
    /// The colours that its ends are for.
    pub domain: [[f32; 3]; 2],
    pub colors: Vec<[f32; 3]>,
}

impl std::fmt::Debug for Table {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Table { dimensions, size, domain, colors } = self;
        write!(f, "Table({dimensions}-D, {size}, {domain:?}, {} colours)", colors.len())
    }
}

impl Table {
    /// Texels of a row of its texture.
    pub const WIDTH_PX: u32 = 4096;

    /// As a texture, row by row, and its size. What is behind the last colour is 0.
    pub fn texels(&self) -> (Vec<[f32; 4]>, [u32; 2]) {
        let count = self.colors.len() as u32;
        let width = count.clamp(1, Table::WIDTH_PX);
        let rows = count.div_ceil(width).max(1);
        let mut texels: Vec<[f32; 4]> = self.colors.iter().map(|[r, g, b]| [*r, *g, *b, 1.0]).collect();
        texels.resize((width * rows) as usize, [0.0; 4]);
        (texels, [width, rows])
    }
}
