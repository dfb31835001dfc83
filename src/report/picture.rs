//! Still pictures as files: PNG, and SVG with a legend.

use std::fmt::Write;

use base64::{Engine, engine::general_purpose::STANDARD};

use super::{
    coloring::{Coloring, colors_of_levels},
    colors::{Color, category, hex, scale},
    error::ReportError,
    still::Still,
    svg::escaped,
};
use crate::{
    Dimension,
    analysis::{ClassSummary, size_class_summaries},
    packing::Packing,
};

impl Still {
    /// Returns a PNG file of a packing.
    ///
    /// # Errors
    /// Those of [`Still::draw`].
    pub fn png(&self, packing: &Packing) -> Result<Vec<u8>, ReportError> {
        let pixels = self.draw(packing)?;
        let mut bytes = Vec::new();
        let side = self.side as u32;
        let mut encoder = png::Encoder::new(&mut bytes, side, side);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_compression(png::Compression::High);
        let mut writer = encoder.write_header()?;
        writer.write_image_data(&pixels)?;
        writer.finish()?;
        Ok(bytes)
    }

    /// Returns an SVG file of a packing: the pixels of the picture, or the shapes of disks, and a legend of the colors as text.
    ///
    /// # Errors
    /// Those of [`Still::draw`].
    pub fn svg(&self, packing: &Packing) -> Result<String, ReportError> {
        let (side, height) = (self.side, self.side + 44);
        let picture = match packing.container.dimension() {
            Dimension::Two => self.shapes(packing)?,
            Dimension::Three => format!(
                "<image width=\"{side}\" height=\"{side}\" href=\"data:image/png;base64,{}\"/>\n",
                STANDARD.encode(self.png(packing)?)
            ),
        };
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {side} {height}\" width=\"{side}\" height=\"{height}\">\n\
             <rect width=\"{side}\" height=\"{height}\" fill=\"#f6f6f6\"/>\n{picture}",
        );
        svg += &self.legend(packing);
        Ok(svg + "</svg>\n")
    }

    /// Returns the legend below the picture.
    fn legend(&self, packing: &Packing) -> String {
        let at_y = self.side + 18;
        let size = (self.side / 46).clamp(7, 13);
        let mut svg = format!(
            "<g font-family=\"system-ui,sans-serif\" font-size=\"{size}\" fill=\"#1b1f24\">",
        );
        if let Some(entries) = self.entries(packing) {
            for (number, (color, name)) in entries.iter().enumerate() {
                let at_x = 16 + number * (self.side.saturating_sub(32)) / entries.len();
                let (color, name) = (hex(*color), escaped(name));
                let _ = write!(
                    svg,
                    "<circle cx=\"{at_x}\" cy=\"{}\" r=\"6\" fill=\"{color}\"/><text x=\"{}\" y=\"{at_y}\">{name}</text>",
                    at_y - 4,
                    at_x + 11
                );
            }
            return svg + "</g>\n";
        }
        let width = self.side as f64 * 0.4;
        let left = 0.5 * (self.side as f64 - width);
        for step in 0..64 {
            let color = hex(scale(f64::from(step) / 63.0));
            let at_x = left + width * f64::from(step) / 64.0;
            let _ = write!(
                svg,
                "<rect x=\"{at_x:.2}\" y=\"{}\" width=\"{:.2}\" height=\"10\" fill=\"{color}\"/>",
                at_y - 9,
                width / 64.0 + 0.3
            );
        }
        let [low, high] = self.ends(packing);
        let _ = writeln!(
            svg,
            "<text x=\"{:.1}\" y=\"{at_y}\" text-anchor=\"end\">{low}</text><text x=\"{:.1}\" y=\"{at_y}\">{high}</text></g>",
            left - 8.0,
            left + width + 8.0
        );
        svg
    }

    /// Returns the colors of the legend and their names; `None` for a color scale without steps.
    fn entries(&self, packing: &Packing) -> Option<Vec<(Color, String)>> {
        match self.coloring {
            Coloring::Size | Coloring::Contacts => None,
            Coloring::Type => {
                let classes =
                    size_class_summaries(packing.spheres.radii(), packing.container.dimension());
                let names = classes.iter().map(ClassSummary::name);
                Some((0..).map(category).zip(names).collect())
            }
            Coloring::Level | Coloring::StrictLevel => {
                let colors = colors_of_levels(packing);
                // More names would overlap.
                let word = if colors.len() <= 8 { "level " } else { "" };
                let names = (0..).map(|level| format!("{word}{level}"));
                Some(colors.into_iter().zip(names).collect())
            }
        }
    }

    /// Returns the texts at the ends of the color scale.
    fn ends(&self, packing: &Packing) -> [String; 2] {
        if self.coloring == Coloring::Contacts {
            return ["few contacts", "many"].map(str::to_owned);
        }
        let radii = packing.spheres.radii();
        let smallest = radii.iter().copied().fold(f64::INFINITY, f64::min);
        let largest = radii.iter().copied().fold(0.0, f64::max);
        let unit = escaped(&packing.unit);
        [2.0 * smallest, 2.0 * largest].map(|d| format!("{d:.4} {unit}").trim().to_owned())
    }
}
