//! What the page asks for.

use std::str::FromStr;

use jostle::{
    Effort, PackOptions, Request, SizeSpec,
    container::{Body, BoundarySpec, ContainerSpec},
    rearrange::ExchangeRate,
};
use serde::Deserialize;

/// A request of the page, in the words of the command line. A value that is absent has the default of the command line.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct BrowserRequest {
    /// A preset or a law.
    sizes: String,
    /// A sieve table or a list of diameters, in place of `sizes`, which then names it.
    table: Option<String>,
    number: Option<u64>,
    fraction: Option<f64>,
    container: Option<String>,
    boundary: Option<String>,
    /// Bodies that keep spheres out.
    keep_out: Vec<String>,
    effort: Option<String>,
    exchange: Option<String>,
    seed: u64,
    /// Bytes that the run may take.
    pub memory: Option<f64>,
}

impl BrowserRequest {
    /// Reads a request in JSON.
    pub fn read(json: &str) -> Result<Self, String> {
        serde_json::from_str(json).map_err(|error| format!("the request cannot be read: {error}"))
    }

    /// Returns the sizes.
    pub fn sizes(&self) -> Result<SizeSpec, String> {
        let spec = match &self.table {
            Some(table) => SizeSpec::from_text(&self.sizes, table.as_bytes()),
            None => SizeSpec::load(&self.sizes),
        };
        spec.map_err(|error| error.to_string())
    }

    /// Returns the request of the library.
    pub fn request(&self) -> Result<Request, String> {
        let container = parsed::<ContainerSpec>(self.container.as_deref())?;
        let boundary = parsed::<BoundarySpec>(self.boundary.as_deref())?;
        let bodies = self.keep_out.iter().map(|text| parse::<Body>(text));
        let mut options = PackOptions::default().threads(1).seed(self.seed);
        if let Some(effort) = parsed::<Effort>(self.effort.as_deref())? {
            options = options.effort(effort);
        }
        if let Some(exchange) = parsed::<ExchangeRate>(self.exchange.as_deref())? {
            options = options.exchange(exchange);
        }
        Ok(Request::new(self.sizes()?)
            .number(self.number)
            .fraction(self.fraction)
            .container(container)
            .boundary(boundary)
            .bodies(bodies.collect::<Result<_, _>>()?)
            .options(options))
    }
}

/// Reads a value if there is a text.
fn parsed<T: FromStr<Err: ToString>>(text: Option<&str>) -> Result<Option<T>, String> {
    text.map(parse).transpose()
}

fn parse<T: FromStr<Err: ToString>>(text: &str) -> Result<T, String> {
    text.parse().map_err(|error: T::Err| error.to_string())
}
