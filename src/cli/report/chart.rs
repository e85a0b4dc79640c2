//! Charts as SVG: the positions of bars, lines and texts are computed here, and the template `chart.svg` draws them.
//!
//! Colours are variables of the style sheet, so that a chart is light or dark like its page. Each shape also has its
//! colour on a light page, for programs that do not support variables, unlike browsers.

use std::borrow::Cow;

use minijinja::value::Serde;
use minijinja::{Value, context};
use serde::Serialize;

use super::rendered;

/// The style sheet, which begins with the colours.
const CSS: &str = include_str!("style.css");

/// The colour of a variable on a light page.
pub(super) fn light(variable: &str) -> &'static str {
    let (_, colours) = CSS.split_once(&format!("--{variable}: ")).expect("the style sheet has all colours");
    &colours[.."#rrggbb".len()]
}

/// Draws a chart with the template.
fn drawn(chart: Value) -> String {
    rendered(include_str!("chart.svg"), chart).expect("the template takes its charts").trim_end().to_owned()
}

/// A chart as a separate file, with the colours of a page.
pub(crate) fn alone(svg: &str) -> String {
    let colours = &CSS[..CSS.find("* {").expect("the colours come first")];
    let style = format!("<style>\n{colours}svg {{ background: var(--page); font-family: sans-serif }}\n</style>");
    svg.replacen('>', &format!(">\n{style}"), 1) + "\n"
}

/// A bar for each number of puzzles, with a label below some of them. There must be at least one.
pub(crate) fn histogram(bars: &[(String, u64)], title: &str) -> String {
    // No wider than a phone, so that its labels are never small.
    let (width, height) = (350, 210);
    let (left, right, top, bottom) = (54.0, 336.0, 6.0, 178.0);

    let most = bars.iter().map(|&(_, count)| count).max().unwrap_or(0).max(1);
    let highest = most.saturating_add(most / 20 + 1);
    let y = |count: u64| tenths(bottom - (bottom - top) * count as f64 / highest as f64);
    let levels = (0..=highest).step_by(step(highest, 5) as usize);
    let levels = levels.map(|count| context! { y => y(count), text => short(count as f64) });

    // A few bars are centred.
    let place = (right - left) / bars.len().max(3) as f64;
    let first = f64::midpoint(left, right) - place * bars.len() as f64 / 2.0;
    let gap = if bars.len() < 40 { 1.0 } else { 0.0 };
    let widest = bars.iter().map(|(label, _)| label.chars().count()).max().unwrap_or(1);
    let step = step(bars.len() as u64 - 1, (48 / (widest as u64 + 2)).max(2));
    let bars = (0..).zip(bars).map(|(index, (label, count))| {
        let x = tenths(first + place * index as f64 + gap);
        context! { x, y => y(*count), label => (index % step == 0).then_some(label) }
    });
    drawn(context! {
        kind => "histogram", title, width, height, left, right, top, bottom,
        bar_width => tenths(place - 2.0 * gap),
        bars => bars.collect::<Vec<_>>(),
        levels => levels.collect::<Vec<_>>(),
    })
}

/// The smallest of 1, 2, 5, 10, 20, ... that divides a range into fewer than `most` steps.
fn step(range: u64, most: u64) -> u64 {
    let powers = (0..).map(|power| 10_u64.saturating_pow(power));
    let mut steps = powers.flat_map(|power| [1, 2, 5].map(|digit| power.saturating_mul(digit)));
    steps.find(|step| range / step < most).expect("the largest number has one step or none")
}

/// A length, rounded to a tenth of a pixel.
fn tenths(length: f64) -> f64 {
    (length * 10.0).round() / 10.0
}

/// A cell of a map: its darkness, from 0 to 1, and its text if the cells are large enough.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct MapCell {
    pub(crate) shade: f64,
    pub(crate) text: String,
}

/// The cells of a square grid of some side, row by row, with boxes of `box_rows` rows.
pub(crate) fn cell_map(side: usize, box_rows: usize, cells: &[MapCell], title: &str) -> String {
    let (margin, extent) = (4, 324);
    let width = extent + 2 * margin;
    drawn(context! {
        kind => "map", title, width, height => width, margin, extent,
        side, box_rows, box_columns => side / box_rows, cells => Value::from(Serde(cells)),
    })
}

/// A rate with its interval, for a bar.
#[derive(Clone, Debug)]
pub(crate) struct RateBar {
    pub(crate) label: String,
    /// The text at the end of the bar.
    pub(crate) text: String,
    pub(crate) low: f64,
    pub(crate) rate: f64,
    pub(crate) high: f64,
    /// The index of the colour, the same for a solver in all groups.
    pub(crate) colour: usize,
}

/// The bars of a group, with its title.
#[derive(Clone, Debug)]
pub(crate) struct RateGroup {
    pub(crate) title: String,
    pub(crate) bars: Vec<RateBar>,
}

/// The number of colours for bars; they repeat.
const COLOURS: usize = 6;

/// The number of characters in a line below the bars.
const FOOTER_WIDTH: usize = 70;

/// A bar for each rate on a logarithmic axis that starts at 1 in every chart, with an interval at its end. The footer
/// describes the rates, and the place where they were measured.
pub(crate) fn rates(groups: &[RateGroup], footer: [&str; 2]) -> String {
    // Narrow enough for a phone, so a label is above its bar.
    let width = 480;
    let (left, right) = (6.0, 458.0);
    let (title_height, bar_height, line_height) = (28, 36, 15);

    let highest = groups.iter().flat_map(|group| &group.bars).map(|bar| bar.high).fold(10.0, f64::max);
    let powers = highest.log10().ceil();
    let x = |rate: f64| (left + (right - left) * rate.max(1.0).log10() / powers).round();
    let decades = (0..=powers as i32).map(|power| 10_f64.powi(power));
    let decades = decades.map(|rate| context! { x => x(rate), text => short(rate) });

    let (mut y, mut titles, mut bars) = (0_usize, vec![], vec![]);
    for RateGroup { title, bars: rates } in groups {
        titles.push(context! { y, text => title });
        y += title_height;
        for RateBar { label, text, low, rate, high, colour } in rates {
            let colour = format!("c{}", colour % COLOURS);
            bars.push(context! { y, label, text, colour, low => x(*low), x => x(*rate), high => x(*high) });
            y += bar_height;
        }
    }
    let footer: Vec<_> =
        footer.iter().flat_map(|text| textwrap::wrap(text, FOOTER_WIDTH)).map(Cow::into_owned).collect();
    let height = y + line_height * (footer.len() + 2);
    drawn(context! {
        kind => "rates", title => "Puzzles a second", width, height, left, right, bottom => y,
        titles, bars, footer, decades => decades.collect::<Vec<_>>(),
    })
}

/// A number in few characters: `12 k`, `3 M`.
fn short(value: f64) -> String {
    let (scaled, unit) = match value {
        value if value < 1e4 => (value, ""),
        value if value < 1e6 => (value / 1e3, " k"),
        value if value < 1e9 => (value / 1e6, " M"),
        value => (value / 1e9, " G"),
    };
    let digits = usize::from(scaled.fract() > 0.05 && scaled < 10.0);
    format!("{scaled:.digits$}{unit}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        for (value, text) in [(1.0, "1"), (9999.0, "9999"), (12_000.0, "12 k"), (2.5e6, "2.5 M"), (1e9, "1 G")] {
            assert_eq!(short(value), text);
        }
    }

    #[test]
    fn labels_are_at_round_numbers() {
        for (range, most, expected) in
            [(0, 2, 1), (4, 5, 1), (5, 5, 2), (99, 5, 20), (100, 5, 50), (u64::MAX, 5, 5_000_000_000_000_000_000)]
        {
            assert_eq!(step(range, most), expected, "{range}");
        }
    }

    #[test]
    fn charts_are_xml_in_the_colours_of_the_page() {
        let bars = vec![("17 <b>".to_owned(), 3), ("18".to_owned(), 0)];
        let rate = RateBar { label: "a & b".into(), text: "10".into(), low: 9.0, rate: 10.0, high: 11.0, colour: 7 };
        let groups = [RateGroup { title: "<file>".into(), bars: vec![rate] }];
        let rates = alone(&rates(&groups, ["rates", "a \"machine\""]));
        let cells: Vec<_> =
            (0..16).map(|cell| MapCell { shade: f64::from(cell) / 15.0, text: cell.to_string() }).collect();
        let map = cell_map(4, 2, &cells, "blanks");
        for svg in [&histogram(&bars, "clues"), &histogram(&bars[..1], "clues"), &rates, &map] {
            let document = roxmltree::Document::parse(svg).unwrap();
            assert_eq!(document.root_element().tag_name().name(), "svg");
            assert!(svg.contains("fill: var(--ink)"), "{svg}");
        }
        // The bar is green in programs that do not support variables, and follows a dark page in browsers.
        assert!(rates.contains(r##"fill="#1baf7a" style="fill: var(--c1)""##), "{rates}");
        assert!(rates.contains("(prefers-color-scheme: dark)"), "{rates}");
    }
}
