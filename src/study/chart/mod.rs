//! Chart: a page of panels with a title and a legend; in a panel, lines over time. `axis` places numbers, `svg` writes.

mod axis;
mod svg;

pub use axis::{Axis, length_unit, range};
pub use svg::{COLORS, HEATS, Hold, Svg};

pub const WIDTH: f64 = 960.0;
pub const LEFT: f64 = 58.0;
pub const RIGHT: f64 = 20.0;
const PANEL_HEIGHT: f64 = 168.0;
const BETWEEN_COLUMNS: f64 = 62.0;

/// Room under a panel for its ticks and the next one's head.
const BETWEEN_ROWS: f64 = 50.0;

/// Marks that would lie nearer to each other, on average, are left out.
const MARKS_APART: f64 = 3.0;

/// A line: numbers over seconds. Marks are points of it.
pub struct Line {
    pub color: usize,
    pub points: Vec<[f64; 2]>,
    pub marks: Vec<[f64; 2]>,
}

pub struct Panel {
    /// What is drawn and in which unit.
    pub head: String,
    pub lines: Vec<Line>,
    /// Whether 0 belongs on the axis, as with speeds.
    pub from_zero: bool,
}

/// The head of a chart.
pub struct Head {
    pub title: String,
    pub sub: String,
    /// A name for each colour, in order.
    pub legend: Vec<String>,
    /// Spans of seconds that are shaded in every panel.
    pub shaded: Vec<[f64; 2]>,
}

impl Head {
    /// Draws it; how high it is.
    pub fn draw(&self, svg: &mut Svg) -> f64 {
        svg.text([LEFT, 30.0], "title", Hold::Start, &self.title);
        let mut below = 49.0;
        for line in broken(&self.sub, ((svg.width - LEFT - RIGHT) / 6.8) as usize) {
            svg.text([LEFT, below], "sub", Hold::Start, &line);
            below += 17.0;
        }
        let (mut x, mut y) = (LEFT, below + 4.0);
        for (color, name) in self.legend.iter().enumerate() {
            let wide = 22.0 + text_width(name) + 16.0;
            if x + wide > svg.width - RIGHT && x > LEFT {
                (x, y) = (LEFT, y + 18.0);
            }
            svg.line(&format!("line {}", stroke(color)), [x, y - 4.0], [x + 16.0, y - 4.0]);
            svg.text([x + 22.0, y], "", Hold::Start, name);
            x += wide;
        }
        if self.legend.is_empty() { below } else { y + 14.0 }
    }
}

/// A text in lines of at most `most` letters, where its words allow it.
fn broken(text: &str, most: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let Some(line) = lines.last_mut() else { continue };
        if line.is_empty() {
            line.push_str(word);
        } else if line.chars().count() + 1 + word.chars().count() <= most {
            line.push(' ');
            line.push_str(word);
        } else {
            lines.push(word.to_string());
        }
    }
    lines
}

/// The classes of a line of some colour; repeated colours are dashed.
pub fn stroke(color: usize) -> String {
    format!("c{}{}", color % COLORS, if color >= COLORS { " dash" } else { "" })
}

/// About how wide a text is: letters differ, machines' fonts too.
pub fn text_width(text: &str) -> f64 {
    text.chars().count() as f64 * 6.3
}

/// What seconds are counted from, in charts of clips.
pub const FROM_CLIP: &str = "seconds from the clip's start";

/// Rows of panels over the same span of seconds, and what these are counted from.
pub fn chart(head: &Head, rows: &[Vec<Panel>], (duration_s, seconds): (f64, &str), words: &str) -> String {
    let mut svg = Svg::new(WIDTH);
    let mut top = head.draw(&mut svg) + 22.0;
    let columns = rows.iter().map(Vec::len).max().unwrap_or(1).max(1) as f64;
    let wide = (WIDTH - LEFT - RIGHT - BETWEEN_COLUMNS * (columns - 1.0)) / columns;
    for (number, row) in rows.iter().enumerate() {
        for (column, panel) in row.iter().enumerate() {
            let left = LEFT + column as f64 * (wide + BETWEEN_COLUMNS);
            let seconds = (number + 1 == rows.len()).then_some(seconds);
            for [from, to] in head.shaded.iter().map(|span| span.map(|s| left + wide * s / duration_s.max(1e-3))) {
                svg.rect("shade", [from, top], [to - from, PANEL_HEIGHT]);
            }
            panel.draw(&mut svg, [left, top], wide, (duration_s, seconds));
        }
        top += PANEL_HEIGHT + BETWEEN_ROWS;
    }
    svg.file(top - BETWEEN_ROWS + 46.0, &head.title, words)
}

/// Ticks of seconds below a panel.
pub fn seconds_below(svg: &mut Svg, x: &Axis, [top, bottom]: [f64; 2], named: Option<&str>) {
    for (value, words) in x.ticks(((x.to - x.from) / 70.0) as usize) {
        svg.line("grid", [x.place(value), top], [x.place(value), bottom]);
        svg.text([x.place(value), bottom + 16.0], "", Hold::Middle, &words);
    }
    if let Some(name) = named {
        svg.text([(x.from + x.to) * 0.5, bottom + 34.0], "", Hold::Middle, name);
    }
}

impl Panel {
    fn draw(&self, svg: &mut Svg, [left, top]: [f64; 2], wide: f64, (duration_s, seconds): (f64, Option<&str>)) {
        let bottom = top + PANEL_HEIGHT;
        svg.text([left, top - 8.0], "head", Hold::Start, &self.head);
        let x = Axis { min: 0.0, max: duration_s.max(1e-3), from: left, to: left + wide };
        let values = self.lines.iter().flat_map(|line| &line.points).map(|point| point[1]);
        let (min, max) = match self.from_zero {
            true => (0.0, range(values.chain([0.0])).1.max(1e-6)),
            false => range(values),
        };
        let y = Axis { min, max, from: bottom, to: top };
        seconds_below(svg, &x, [top, bottom], seconds);
        for (value, words) in y.ticks(5) {
            let class = if value == 0.0 { "zero" } else { "grid" };
            svg.line(class, [left, y.place(value)], [left + wide, y.place(value)]);
            svg.text([left - 6.0, y.place(value) + 4.0], "", Hold::End, &words);
        }
        svg.rect("frame", [left, top], [wide, PANEL_HEIGHT]);
        for line in &self.lines {
            let placed = |points: &[[f64; 2]]| -> Vec<[f64; 2]> {
                points.iter().map(|point| [x.place(point[0]), y.place(point[1])]).collect()
            };
            svg.points(&format!("line {}", stroke(line.color)), &placed(&line.points));
            if line.marks.len() as f64 * MARKS_APART <= wide {
                let class = format!("d{}", line.color % COLORS);
                placed(&line.marks).into_iter().for_each(|at| svg.dot(&class, at, 1.9));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_break_between_words() {
        assert_eq!(broken("one two three", 7), ["one two", "three"]);
        assert_eq!(broken("longer than", 3), ["longer", "than"]);
    }
}
