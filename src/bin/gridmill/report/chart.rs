//! Draws charts as SVG, with plotters.
//!
//! Plotters writes colours as numbers. Each of ours stands for a variable of the style sheet, so that a chart is light or
//! dark as its page is.

use std::borrow::Cow;
use std::fmt::Write;

use plotters::coord::ranged1d::SegmentValue;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

/// A colour that stands for a variable.
const INK: RGBColor = RGBColor(1, 1, 1);
const FAINT: RGBColor = RGBColor(1, 1, 2);
const BAR: RGBColor = RGBColor(1, 1, 3);
const LINE: RGBColor = RGBColor(1, 1, 4);

/// The colours that stand for variables, as plotters writes them.
const VARIABLES: [(&str, &str); 4] =
    [("#010101", "var(--ink)"), ("#010102", "var(--faint)"), ("#010103", "var(--bar)"), ("#010104", "var(--line)")];

const FONT: &str = "sans-serif";

/// The size of texts: plotters writes 0.8 of it, so they have 12 pixels.
const TEXT: i32 = 15;

/// The size of a histogram in pixels: no wider than on a phone, so that its labels are never small.
const SIZE: (u32, u32) = (350, 210);

/// A bar for each number of puzzles, with a label below some of them. There must be at least one.
pub(crate) fn histogram(bars: &[(String, u64)], title: &str) -> String {
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, SIZE).into_drawing_area();
        draw_histogram(&area, bars).expect("a string takes any drawing");
    }
    themed(&svg, title)
}

type Area<'a> = DrawingArea<SVGBackend<'a>, plotters::coord::Shift>;
type Drawn = Result<(), Box<dyn std::error::Error>>;

fn draw_histogram(area: &Area<'_>, bars: &[(String, u64)]) -> Drawn {
    let most = bars.iter().map(|&(_, count)| count).max().unwrap_or(0).max(1);
    // A range of one place has no width, so that a single bar stands between two empty places.
    let places = match i32::try_from(bars.len())? - 1 {
        0 => -1..1,
        last => 0..last,
    };
    let mut chart = ChartBuilder::on(area)
        .margin(6)
        .margin_right(14)
        .x_label_area_size(26)
        .y_label_area_size(48)
        .build_cartesian_2d(places.into_segmented(), 0..most + most / 20 + 1)?;
    let label = |place: &SegmentValue<i32>| match place {
        SegmentValue::CenterOf(index) => bars.get(*index as usize).map(|(label, _)| label.clone()).unwrap_or_default(),
        _ => String::new(),
    };
    let widest = bars.iter().map(|(label, _)| label.chars().count()).max().unwrap_or(1);
    chart
        .configure_mesh()
        .disable_x_mesh()
        .x_labels((48 / (widest + 2)).max(2))
        .y_labels(5)
        .x_label_formatter(&label)
        .y_label_formatter(&|count| short(*count as f64))
        .label_style((FONT, TEXT).into_font().color(&INK))
        .axis_style(FAINT)
        .bold_line_style(LINE)
        .light_line_style(TRANSPARENT)
        .draw()?;
    chart.draw_series((0..).zip(bars).map(|(index, &(_, count))| {
        let corners = [(SegmentValue::Exact(index), 0), (SegmentValue::Exact(index + 1), count)];
        let mut bar = Rectangle::new(corners, BAR.filled());
        let margin = u32::from(bars.len() < 40);
        bar.set_margin(0, 0, margin, margin);
        bar
    }))?;
    area.present()?;
    Ok(())
}

/// The side of a map of cells in pixels.
const MAP: i32 = 324;

/// A cell of a map: how dark it is, from 0 to 1, and what stands in it if the cells are large enough.
#[derive(Clone, Debug)]
pub(crate) struct MapCell {
    pub(crate) shade: f64,
    pub(crate) text: String,
}

/// The cells of a square grid of some side, row by row, with boxes of `box_rows` rows.
pub(crate) fn cell_map(side: usize, box_rows: usize, cells: &[MapCell], title: &str) -> String {
    let mut svg = String::new();
    {
        let size = MAP as u32 + 8;
        let area = SVGBackend::with_string(&mut svg, (size, size)).into_drawing_area();
        draw_map(&area, side, box_rows, cells).expect("a string takes any drawing");
    }
    themed(&svg, title)
}

fn draw_map(area: &Area<'_>, side: usize, box_rows: usize, cells: &[MapCell]) -> Drawn {
    /// The largest side whose cells have room for a number.
    const WITH_TEXT: usize = 9;
    let at = |line: usize| 4 + i32::from((MAP as usize * line / side) as u16);
    let centred = (FONT, TEXT - 2).into_font().color(&INK).pos(Pos::new(HPos::Center, VPos::Center));
    for (index, cell) in cells.iter().enumerate() {
        let (row, column) = (index / side, index % side);
        let (from, to) = ((at(column), at(row)), (at(column + 1), at(row + 1)));
        // No darker than the text can be read on.
        let shade = cell.shade.clamp(0.0, 1.0) * 0.8;
        area.draw(&Rectangle::new([from, to], BAR.mix(shade).filled()))?;
        if side <= WITH_TEXT {
            let middle = (i32::midpoint(from.0, to.0), i32::midpoint(from.1, to.1));
            area.draw(&Text::new(cell.text.clone(), middle, centred.clone()))?;
        }
    }
    for line in 0..=side {
        let of_box = |lines: usize| if line % lines == 0 { FAINT.stroke_width(2) } else { LINE.stroke_width(1) };
        let (place, end) = (at(line), at(side));
        area.draw(&PathElement::new([(4, place), (end, place)], of_box(box_rows)))?;
        area.draw(&PathElement::new([(place, 4), (place, end)], of_box(side / box_rows)))?;
    }
    area.present()?;
    Ok(())
}

/// A rate with its interval, for a bar.
#[derive(Clone, Debug)]
pub(crate) struct RateBar {
    pub(crate) label: String,
    /// What is written after the bar.
    pub(crate) text: String,
    pub(crate) low: f64,
    pub(crate) rate: f64,
    pub(crate) high: f64,
    /// A number for the colour: the same for one solver in all groups.
    pub(crate) colour: usize,
}

/// The bars of a group, with its title.
#[derive(Clone, Debug)]
pub(crate) struct RateGroup {
    pub(crate) title: String,
    pub(crate) bars: Vec<RateBar>,
}

/// How many colours there are for bars; they repeat.
const COLOURS: usize = 6;

/// Pixels of the chart of rates: narrow enough for a phone, so that a label stands above its bar.
const WIDTH: i32 = 480;
const LEFT: i32 = 6;
const RIGHT: i32 = WIDTH - 22;
const TITLE: i32 = 28;
const LABEL: i32 = 17;
const BAR_HEIGHT: i32 = 13;
const ROW: i32 = LABEL + BAR_HEIGHT + 6;
const LINE_HEIGHT: i32 = 15;

/// Characters of a line below it.
const FOOTER_WIDTH: usize = 70;

/// A bar for each rate on a logarithmic axis that starts at 1 in every chart, with an interval at its end. The footer says
/// what the rates are, and where they were measured.
pub(crate) fn rates(groups: &[RateGroup], footer: [&str; 2]) -> String {
    let footer: Vec<_> = footer.into_iter().flat_map(|text| textwrap::wrap(text, FOOTER_WIDTH)).collect();
    let bottom: i32 = groups.iter().map(|group| TITLE + ROW * i32::try_from(group.bars.len()).unwrap_or(0)).sum();
    let height = bottom + LINE_HEIGHT * i32::try_from(footer.len() + 2).unwrap_or(0);
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, (WIDTH as u32, height as u32)).into_drawing_area();
        draw_rates(&area, groups, &footer, bottom).expect("a string takes any drawing");
    }
    themed(&svg, "Puzzles a second")
}

fn draw_rates(area: &Area<'_>, groups: &[RateGroup], footer: &[Cow<'_, str>], bottom: i32) -> Drawn {
    let highest = groups.iter().flat_map(|group| &group.bars).map(|bar| bar.high).fold(10.0, f64::max);
    let decades = highest.log10().ceil();
    let x = |rate: f64| LEFT + (f64::from(RIGHT - LEFT) * rate.max(1.0).log10() / decades).round() as i32;
    let font = |colour: &RGBColor| (FONT, TEXT).into_font().color(colour);
    let at_end = Pos::new(HPos::Right, VPos::Top);
    let powers = || (0..=decades as i32).map(|decade| 10_f64.powi(decade));
    let mut y = 0;
    for group in groups {
        area.draw(&Text::new(group.title.clone(), (LEFT, y + 9), (FONT, TEXT + 2).into_font().color(&INK)))?;
        y += TITLE;
        for bar in &group.bars {
            let (top, end) = (y + LABEL, y + LABEL + BAR_HEIGHT);
            for power in powers() {
                area.draw(&PathElement::new([(x(power), top - 2), (x(power), end + 2)], LINE))?;
            }
            let colour = RGBColor(2, 2, (bar.colour % COLOURS) as u8);
            area.draw(&Text::new(bar.label.clone(), (LEFT, y + 2), font(&INK)))?;
            area.draw(&Text::new(bar.text.clone(), (RIGHT, y + 2), font(&INK).pos(at_end)))?;
            area.draw(&Rectangle::new([(LEFT, top), (x(bar.rate), end)], colour.filled()))?;
            let (low, high, middle) = (x(bar.low), x(bar.high), top + BAR_HEIGHT / 2);
            area.draw(&PathElement::new([(low, middle), (high, middle)], INK.stroke_width(2)))?;
            for at in [low, high] {
                area.draw(&PathElement::new([(at, middle - 4), (at, middle + 4)], INK.stroke_width(2)))?;
            }
            y += ROW;
        }
    }
    for power in powers() {
        let centred = font(&FAINT).pos(Pos::new(HPos::Center, VPos::Top));
        area.draw(&Text::new(short(power), (x(power), bottom), centred))?;
    }
    for (line, y) in footer.iter().zip((bottom + LINE_HEIGHT + 8..).step_by(LINE_HEIGHT as usize)) {
        area.draw(&Text::new(&**line, (LEFT, y), font(&FAINT)))?;
    }
    area.present()?;
    Ok(())
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

/// The drawing with variables for colours, a title for those who do not see it, and a size that fits its page.
fn themed(svg: &str, title: &str) -> String {
    let mut svg = svg.replacen("<svg ", &format!("<svg role=\"img\" aria-label=\"{title}\" "), 1);
    for (colour, variable) in VARIABLES {
        svg = svg.replace(colour, variable);
    }
    for number in 0..COLOURS {
        svg = svg.replace(&format!("#0202{number:02X}"), &format!("var(--c{number})"));
    }
    svg.trim_end().to_owned()
}

/// A chart as a file of its own, with the colours of a page.
///
/// Programs other than browsers know no variables, so the attributes have the colours of a light page, and the style sheet
/// replaces them by the variables.
pub(crate) fn alone(svg: &str) -> String {
    let style = include_str!("style.css");
    let colours = &style[..style.find("* {").expect("the colours come first")];
    let light = &colours[..colours.find('}').expect("the light colours end")];
    let mut style = format!("<style>\n{colours}svg {{ background: var(--page); font-family: sans-serif }}\n");
    let start = svg.find('>').expect("it has a tag") + 1;
    let mut drawing = svg[start..].trim_start().to_owned();
    for (name, colour) in light.split("--").filter_map(|variable| variable.split_once(": ")) {
        let colour = colour.trim_end().trim_end_matches(';');
        for attribute in ["fill", "stroke"] {
            let (by_name, by_value) = (format!("{attribute}=\"var(--{name})\""), format!("{attribute}=\"{colour}\""));
            if drawing.contains(&by_name) {
                drawing = drawing.replace(&by_name, &by_value);
                writeln!(style, "[{by_value}] {{ {attribute}: var(--{name}) }}").expect("a string takes any text");
            }
        }
    }
    format!("{}\n{style}</style>\n{drawing}\n", &svg[..start])
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
            assert!(svg.contains("var(--ink)") && !svg.contains("#0101") && !svg.contains("#0202"), "{svg}");
        }
        // The bar is green for programs that know no variables, and has the colour of a dark page in others.
        assert!(!rates.contains("fill=\"var") && rates.contains("[fill=\"#1baf7a\"] { fill: var(--c1) }"), "{rates}");
    }
}
