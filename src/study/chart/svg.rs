//! Svg: a drawing as text, the same on every machine. Colours are classes, of which there are two sets: for light and
//! for dark pages.

use std::fmt::Write;

/// Colours of lines.
pub const COLORS: usize = 8;

/// Steps of the scale of heat maps.
pub const HEATS: usize = 16;

const LIGHT: [&str; COLORS] = ["#d9480f", "#2b8a3e", "#1f6fb4", "#9c36b5", "#a97a00", "#0b7285", "#c2255c", "#5c5f66"];
const DARK: [&str; COLORS] = ["#ff9a62", "#69db7c", "#6cb2f0", "#da9bf0", "#ffd43b", "#66d9e8", "#faa2c1", "#c1c7cd"];

/// Viridis (Smith and van der Walt 2015) at five of its places; readable without colour vision, and on light and dark.
const HEAT: [[f64; 3]; 5] =
    [[68.0, 1.0, 84.0], [59.0, 82.0, 139.0], [33.0, 145.0, 140.0], [94.0, 201.0, 98.0], [253.0, 231.0, 37.0]];

const STYLE: &str = "\
text{font-family:system-ui,-apple-system,'Segoe UI',Roboto,'DejaVu Sans',sans-serif;font-size:11px;fill:#495057}\
.title{font-size:16px;font-weight:600;fill:#212529}.sub{font-size:12px}.head{font-size:12px;font-weight:600;fill:#343a40}\
.paper{fill:#fff}.shade{fill:#f1f3f5}.frame{fill:none;stroke:#adb5bd}.grid{stroke:#e9ecef;fill:none}.zero{stroke:#ced4da;fill:none}\
.line{fill:none;stroke-width:1.5;stroke-linejoin:round}.dash{stroke-dasharray:6 3}\
.cell{fill:none;stroke-width:1;shape-rendering:crispEdges}";

const DARK_STYLE: &str = "\
text{fill:#adb5bd}.title{fill:#f1f3f5}.head{fill:#dee2e6}\
.paper{fill:#16191d}.shade{fill:#22272d}.frame{stroke:#5c636a}.grid{stroke:#272c31}.zero{stroke:#3b4248}";

/// Where a text is held.
#[derive(Clone, Copy, Debug)]
pub enum Hold {
    Start,
    Middle,
    End,
}

/// A drawing under way. Units are pixels, y down.
pub struct Svg {
    pub width: f64,
    body: String,
}

impl Svg {
    pub fn new(width: f64) -> Svg {
        Svg { width, body: String::new() }
    }

    pub fn text(&mut self, at: [f64; 2], class: &str, hold: Hold, text: &str) {
        let hold = match hold {
            Hold::Start => "",
            Hold::Middle => " text-anchor=\"middle\"",
            Hold::End => " text-anchor=\"end\"",
        };
        let class = if class.is_empty() { String::new() } else { format!(" class=\"{class}\"") };
        let _ = writeln!(
            self.body,
            "<text x=\"{}\" y=\"{}\"{class}{hold}>{}</text>",
            number(at[0]),
            number(at[1]),
            escaped(text)
        );
    }

    pub fn line(&mut self, class: &str, from: [f64; 2], to: [f64; 2]) {
        self.path(class, &format!("M{}L{}", point(from), point(to)));
    }

    pub fn rect(&mut self, class: &str, [left, top]: [f64; 2], [width, height]: [f64; 2]) {
        self.path(class, &format!("M{}h{}v{}h{}z", point([left, top]), number(width), number(height), number(-width)));
    }

    /// Straight from point to point.
    pub fn points(&mut self, class: &str, points: &[[f64; 2]]) {
        let Some((first, others)) = points.split_first() else { return };
        let mut path = format!("M{}", point(*first));
        others.iter().for_each(|to| path.push_str(&format!("L{}", point(*to))));
        self.path(class, &path);
    }

    pub fn path(&mut self, class: &str, path: &str) {
        let _ = writeln!(self.body, "<path class=\"{class}\" d=\"{path}\"/>");
    }

    pub fn dot(&mut self, class: &str, at: [f64; 2], radius: f64) {
        let _ = writeln!(
            self.body,
            "<circle class=\"{class}\" cx=\"{}\" cy=\"{}\" r=\"{}\"/>",
            number(at[0]),
            number(at[1]),
            number(radius)
        );
    }

    /// What follows is drawn in units of this size from there on, until [`plain`](Svg::plain).
    pub fn scaled(&mut self, [left, top]: [f64; 2], [width, height]: [f64; 2]) {
        let (left, top) = (number(left), number(top));
        let _ = writeln!(self.body, "<g transform=\"translate({left},{top})scale({width:.5},{height:.5})\">");
    }

    pub fn plain(&mut self) {
        self.body.push_str("</g>\n");
    }

    /// The file. `words` describe the drawing to those who cannot see it.
    pub fn file(self, height: f64, title: &str, words: &str) -> String {
        let (w, h) = (number(self.width), number(height));
        let mut light = String::from(STYLE);
        let mut dark = String::from(DARK_STYLE);
        for color in 0..COLORS {
            let rules = |color: usize, value: &str| format!(".c{color}{{stroke:{value}}}.d{color}{{fill:{value}}}");
            light.push_str(&rules(color, LIGHT[color]));
            dark.push_str(&rules(color, DARK[color]));
        }
        for heat in 0..HEATS {
            let color = heat_color(heat);
            light.push_str(&format!(".h{heat}{{fill:{color}}}.s{heat}{{stroke:{color}}}"));
        }
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{w}\" height=\"{h}\" viewBox=\"0 0 {w} {h}\" role=\"img\">\n\
             <title>{}</title>\n<desc>{}</desc>\n\
             <style>{light}@media (prefers-color-scheme:dark){{{dark}}}</style>\n\
             <path class=\"paper\" d=\"M0,0h{w}v{h}h-{w}z\"/>\n{}</svg>\n",
            escaped(title),
            escaped(words),
            self.body
        )
    }
}

fn heat_color(heat: usize) -> String {
    let along = heat as f64 / (HEATS - 1) as f64 * (HEAT.len() - 1) as f64;
    let from = (along as usize).min(HEAT.len() - 2);
    let share = along - from as f64;
    let [r, g, b] = [0, 1, 2].map(|i| (HEAT[from][i] * (1.0 - share) + HEAT[from + 1][i] * share).round() as u8);
    format!("#{r:02x}{g:02x}{b:02x}")
}

/// Two digits after the point, none that say nothing.
fn number(value: f64) -> String {
    let text = format!("{value:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_string() } else { text.to_string() }
}

fn point([x, y]: [f64; 2]) -> String {
    format!("{},{}", number(x), number(y))
}

fn escaped(text: &str) -> String {
    let mut out = String::new();
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            // Names of files hold anything; XML does not.
            letter if letter.is_control() => out.push('\u{fffd}'),
            letter => out.push(letter),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_names_are_written_plainly() {
        for (value, want) in [(1.0, "1"), (-0.001, "0"), (1.25, "1.25"), (10.0, "10"), (0.5, "0.5"), (1.999, "2")] {
            assert_eq!(number(value), want);
        }
        assert_eq!(escaped("a<b & \"c\"\u{1}"), "a&lt;b &amp; &quot;c&quot;\u{fffd}");
    }
}
