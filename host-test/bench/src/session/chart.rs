//! The chart of how full the window is, turn by turn.

use std::fmt::Write;

/// The size of the chart, and where its axes are.
const WIDTH: f64 = 820.0;
const HEIGHT: f64 = 400.0;
const LEFT: f64 = 60.0;
const TOP: f64 = 24.0;
const RIGHT: f64 = 800.0;
const BOTTOM: f64 = 320.0;
const COLORS: [&str; 6] = ["#d4380d", "#8c6bb1", "#4c9be8", "#d9a400", "#1a9850", "#666666"];

/// A line of the chart.
pub struct Line {
    pub name: &'static str,
    /// The tokens of the last request of each turn.
    pub tokens: Vec<u64>,
}

/// Draws the lines, as an image for a light or a dark page.
pub fn draw(lines: &[Line], window: u64, turns: usize) -> String {
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <title>Tokens in the context window by turn</title>\n\
         <style>text{{fill:#555}}.axis{{stroke:#999;fill:none}}@media(prefers-color-scheme:dark){{text{{fill:#bbb}}}}</style>\n"
    );
    let x = |turn: usize| LEFT + (RIGHT - LEFT) * turn as f64 / turns as f64;
    let y = |tokens: u64| BOTTOM - (BOTTOM - TOP) * tokens as f64 / window as f64;
    for share in 0..=4 {
        let (tokens, at) = (window * share / 4, y(window * share / 4));
        let _ = writeln!(
            svg,
            "<path class=\"axis\" stroke-dasharray=\"2 4\" d=\"M{LEFT} {at:.0}H{RIGHT}\"/><text x=\"{:.0}\" y=\"{:.0}\" text-anchor=\"end\">{}k</text>",
            LEFT - 6.0,
            at + 4.0,
            tokens / 1_000
        );
    }
    for turn in (0..=turns).step_by(turns.div_ceil(6).max(1)) {
        let _ = writeln!(
            svg,
            "<text x=\"{:.0}\" y=\"{:.0}\" text-anchor=\"middle\">{turn}</text>",
            x(turn),
            BOTTOM + 18.0
        );
    }
    for (index, line) in lines.iter().enumerate() {
        let color = COLORS[index % COLORS.len()];
        let points: Vec<String> = line
            .tokens
            .iter()
            .enumerate()
            .map(|(turn, tokens)| format!("{:.1},{:.1}", x(turn + 1), y(*tokens)))
            .collect();
        let _ = writeln!(
            svg,
            "<polyline fill=\"none\" stroke=\"{color}\" stroke-width=\"1.6\" points=\"{}\"/>",
            points.join(" ")
        );
        let (column, row) = ((index % 3) as f64, (index / 3) as f64);
        let (at, down) = (LEFT + column * 250.0, BOTTOM + 44.0 + row * 20.0);
        let _ = writeln!(
            svg,
            "<path stroke=\"{color}\" stroke-width=\"3\" d=\"M{at:.0} {:.0}h20\"/><text x=\"{:.0}\" y=\"{down:.0}\">{}</text>",
            down - 4.0,
            at + 26.0,
            line.name
        );
    }
    svg + "</svg>\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_is_in_the_chart() {
        let lines = [Line { name: "a", tokens: vec![0, 50, 100] }, Line { name: "b", tokens: vec![] }];
        let svg = draw(&lines, 100, 3);
        assert_eq!(svg.matches("<polyline").count(), 2);
        assert!(svg.contains(">a</text>") && svg.contains(">b</text>") && svg.contains("800.0,24.0"));
    }
}
