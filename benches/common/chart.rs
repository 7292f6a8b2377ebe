//! A picture of times against sizes.

use std::path::Path;

use anyhow::Result;
use plotters::coord::Shift;
use plotters::element::DashedPathElement;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::comparison::Comparison;

/// Draws a panel for each comparison, whose columns belong to these sizes, two in a row, with one legend below. The first
/// comparison has every subject.
pub fn draw(path: &Path, sizes: &[usize], panels: &[Comparison]) -> Result<()> {
    const WIDTH: u32 = 520;
    const HEIGHT: i32 = 440;
    let columns = panels.len().min(2);
    let rows = panels.len().div_ceil(columns);
    let (width, height) = (WIDTH * columns as u32, HEIGHT * rows as i32);
    let subjects = &panels[0].subjects;
    let legend_columns = width / 173;
    let legend_rows = (subjects.len() as u32).div_ceil(legend_columns);
    let picture = SVGBackend::new(path, (width, height as u32 + LINE * legend_rows + 10)).into_drawing_area();
    picture.fill(&WHITE)?;
    let (upper, legend) = picture.split_vertically(height);
    for (area, comparison) in upper.split_evenly((rows, columns)).iter().zip(panels) {
        draw_panel(area, sizes, comparison, subjects)?;
    }
    let centred = TextStyle::from(("sans-serif", 13)).pos(Pos::new(HPos::Left, VPos::Center));
    for (index, subject) in subjects.iter().enumerate() {
        let (row, column) = (index as u32 / legend_columns, index as u32 % legend_columns);
        let (x, y) = ((column * 173 + 16) as i32, (row * LINE + LINE / 2) as i32);
        legend.draw(&line_of(index, subject, [(x, y), (x + 26, y)]))?;
        legend.draw(&Text::new(subject.clone(), (x + 32, y), centred.clone()))?;
    }
    Ok(picture.present()?)
}

/// The height of a line of the legend.
const LINE: u32 = 22;

/// A subject's line through points: dashed for what is not halfulp.
fn line_of<Point: Clone>(
    index: usize,
    subject: &str,
    points: impl IntoIterator<Item = Point>,
) -> DashedPathElement<std::vec::IntoIter<Point>, u32> {
    let points: Vec<_> = points.into_iter().collect();
    let (dash, gap) = if subject.starts_with("halfulp") { (10_000, 0) } else { (8, 5) };
    DashedPathElement::new(points, dash, gap, COLOURS[index % COLOURS.len()].stroke_width(2))
}

fn draw_panel(
    area: &DrawingArea<SVGBackend, Shift>,
    sizes: &[usize],
    comparison: &Comparison,
    legend: &[String],
) -> Result<()> {
    let Comparison { function, subjects, columns } = comparison;
    let times = columns.iter().flat_map(|column| &column.times);
    let (shortest, longest) = times.fold((f64::INFINITY, 0f64), |(low, high), &time| (low.min(time), high.max(time)));
    let marks = [0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0];
    let below = marks.into_iter().rfind(|&mark| mark <= shortest).unwrap_or(shortest);
    let above = marks.into_iter().find(|&mark| mark >= longest).unwrap_or(longest);
    let sizes: Vec<_> = sizes.iter().map(|&size| size as f64).collect();
    let horizontal = (sizes[0]..sizes[sizes.len() - 1]).log_scale().with_key_points(sizes.clone());
    let within = marks.into_iter().filter(|mark| (below..=above).contains(mark)).collect();
    let vertical = (below..above).log_scale().with_key_points(within);
    let mut chart = ChartBuilder::on(area)
        .caption(format!("{function}, {}", columns[0].keys[0]), ("sans-serif", 18))
        .margin(12)
        .margin_right(24)
        .x_label_area_size(44)
        .y_label_area_size(56)
        .build_cartesian_2d(horizontal, vertical)?;
    chart
        .configure_mesh()
        .label_style(("sans-serif", 13))
        .axis_desc_style(("sans-serif", 14))
        .light_line_style(TRANSPARENT)
        .x_desc("elements of the array")
        .x_label_formatter(&|&size| binary(size))
        .y_desc("ns an element")
        .y_label_formatter(&|&time| time.to_string())
        .draw()?;
    for (index, subject) in subjects.iter().enumerate() {
        let points = sizes.iter().zip(columns).map(|(&size, column)| (size, column.times[index]));
        let colour = legend.iter().position(|entry| entry == subject).unwrap_or(legend.len());
        chart.draw_series([line_of(colour, subject, points)])?;
    }
    Ok(())
}

/// Colours that the colour-blind can tell apart (Okabe and Ito's).
const COLOURS: [RGBColor; 8] = [
    RGBColor(0, 114, 178),
    RGBColor(0, 158, 115),
    RGBColor(86, 180, 233),
    RGBColor(0, 0, 0),
    RGBColor(230, 159, 0),
    RGBColor(213, 94, 0),
    RGBColor(204, 121, 167),
    RGBColor(120, 120, 120),
];

/// A power of two in words: "64 Ki".
fn binary(size: f64) -> String {
    match size as usize {
        size if size >= 1 << 20 => format!("{} Mi", size >> 20),
        size if size >= 1 << 10 => format!("{} Ki", size >> 10),
        size => size.to_string(),
    }
}
