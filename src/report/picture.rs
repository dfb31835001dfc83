//! Still pictures as files: PNG, SVG and PDF, with a legend.

use std::fmt::Write;

use base64::{Engine, engine::general_purpose::STANDARD};

use super::{
    coloring::{Coloring, colors_of_levels},
    colors::{Color, NONE, category, hex, scale},
    error::ReportError,
    paper::{png_file, svg_as_pdf, svg_as_png},
    still::Still,
    svg::escaped,
};
use crate::{
    Dimension,
    analysis::{ClassSummary, size_class_summaries, suitable_contacts},
    packing::Packing,
};

impl Still {
    /// Returns a PNG file of a packing.
    ///
    /// # Errors
    /// The errors of [`Still::draw`].
    pub fn png(&self, packing: &Packing) -> Result<Vec<u8>, ReportError> {
        png_file(&self.draw(packing)?, [self.side; 2])
    }

    /// Returns a PNG file of a packing, with a legend of the colors below the picture.
    ///
    /// # Errors
    /// The errors of [`Still::draw`], and [`ReportError::Side`] if the picture with its legend is higher than 8192 pixels.
    pub fn png_with_legend(&self, packing: &Packing) -> Result<Vec<u8>, ReportError> {
        svg_as_png(&self.svg(packing)?, self.side)
    }

    /// Returns a PDF file of a packing, with a legend of the colors below the picture.
    ///
    /// # Errors
    /// The errors of [`Still::draw`].
    pub fn pdf(&self, packing: &Packing) -> Result<Vec<u8>, ReportError> {
        svg_as_pdf(&self.svg(packing)?)
    }

    /// Returns an SVG file of a packing: the pixels of the picture, or the shapes of disks, and a legend of the colors as text.
    ///
    /// # Errors
    /// The errors of [`Still::draw`].
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
        svg += &self.legend(packing)?;
        Ok(svg + "</svg>\n")
    }

    /// Returns the legend below the picture.
    fn legend(&self, packing: &Packing) -> Result<String, ReportError> {
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
            return Ok(svg + "</g>\n");
        }
        let (name, numbers) = self.numbers(packing)?;
        let width = self.side as f64 * 0.5;
        let left = 0.5 * (self.side as f64 - width);
        for step in 0..64 {
            let color = hex(scale(f64::from(step) / 63.0));
            let at_x = left + width * f64::from(step) / 64.0;
            let _ = write!(
                svg,
                "<rect x=\"{at_x:.2}\" y=\"{}\" width=\"{:.2}\" height=\"10\" fill=\"{color}\"/>",
                at_y - 13,
                width / 64.0 + 0.3
            );
        }
        for (share, number) in numbers {
            let _ = write!(
                svg,
                "<text x=\"{:.1}\" y=\"{}\" text-anchor=\"middle\">{number}</text>",
                left + share * width,
                at_y + 11
            );
        }
        let _ = writeln!(
            svg,
            "<text x=\"{:.1}\" y=\"{}\" text-anchor=\"end\">{}</text></g>",
            left - 12.0,
            at_y - 3,
            escaped(&name)
        );
        Ok(svg)
    }

    /// Returns the colors of the legend and their names; `None` for a color scale without steps.
    fn entries(&self, packing: &Packing) -> Option<Vec<(Color, String)>> {
        match self.coloring {
            Coloring::Size | Coloring::Contacts => None,
            Coloring::Type => {
                let classes =
                    size_class_summaries(packing.spheres.radii(), packing.container.dimension());
                let unit = &packing.unit;
                let names = classes.iter().map(ClassSummary::name);
                let names = names.map(|name| format!("{name} {unit}").trim_end().to_owned());
                Some((0..).map(category).zip(names).collect())
            }
            Coloring::Component => {
                let labels = packing.components.iter().map(|own| own.label.clone());
                let of_fixed = (packing.fixed > 0).then(|| (NONE, "fixed".to_owned()));
                Some((0..).map(category).zip(labels).chain(of_fixed).collect())
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

    /// Returns the property that the color scale shows, and numbers with their shares of the scale.
    fn numbers(&self, packing: &Packing) -> Result<(String, Vec<(f64, String)>), ReportError> {
        let digits = |value: f64| {
            let rounded: f64 = format!("{value:.2e}").parse().unwrap_or(value);
            rounded.to_string()
        };
        if self.coloring == Coloring::Contacts {
            let contacts = suitable_contacts(&packing.spheres, &packing.container)?.numbers();
            let least = contacts.iter().copied().min().unwrap_or(0);
            let most = contacts.iter().copied().max().unwrap_or(0);
            // The scale shows square roots.
            let [low, high] = [least, most].map(|number| f64::from(number).sqrt());
            let span = (high - low).max(f64::MIN_POSITIVE);
            let step = ((most - least) / 5).max(1);
            let numbers = (least..=most).step_by(step as usize);
            let numbers = numbers.map(|number| {
                let share = (f64::from(number).sqrt() - low) / span;
                (share, number.to_string())
            });
            // The first numbers of many contacts lie close together.
            let mut last = f64::NEG_INFINITY;
            let numbers = numbers.filter(|(share, _)| {
                let is_apart = share - last > 0.08;
                if is_apart {
                    last = *share;
                }
                is_apart
            });
            return Ok(("contacts".to_owned(), numbers.collect()));
        }
        let radii = packing.spheres.radii();
        let smallest = 2.0 * radii.iter().copied().fold(f64::INFINITY, f64::min);
        let largest = 2.0 * radii.iter().copied().fold(0.0, f64::max);
        let name = match packing.unit.as_str() {
            "" => "diameter".to_owned(),
            unit => format!("diameter ({unit})"),
        };
        if largest <= smallest {
            return Ok((name, vec![(0.5, digits(smallest))]));
        }
        let shares = (0..=4).map(|step| f64::from(step) / 4.0);
        let number = |share: f64| {
            let value = smallest * libm::pow(largest / smallest, share);
            (share, digits(value))
        };
        Ok((name, shares.map(number).collect()))
    }
}
