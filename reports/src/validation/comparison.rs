//! Measured packing fractions beside published ones, with an experiment for each difference above 0.01.

use jostle::Effort;

use super::{markdown, mean::Mean, numbers::grouped, outcome::Outcome, packings::Request};

/// Difference above which an experiment follows.
pub const NOTABLE: f64 = 0.01;

/// Largest number of spheres of an experiment.
const MOST: usize = 400_000;

/// Means of the experiments on one request.
struct Experiments {
    thorough: Mean,
    /// With four times as many spheres; absent beyond [`MOST`].
    more_spheres: Option<Mean>,
}

/// A request with its result.
struct Row {
    title: String,
    request: Request,
    published: f64,
    measured: Mean,
    experiments: Option<Experiments>,
}

/// Packs all requests, and returns the table of the results and of the experiments. Each request has a title and a published
/// packing fraction.
pub fn table(source: &str, requests: Vec<(String, Request, f64)>) -> Outcome<String> {
    let mut rows = Vec::new();
    for (title, request, published) in requests {
        let measured = request.fraction()?;
        let is_notable = (measured.value - published).abs() > NOTABLE;
        let experiments = is_notable.then(|| experiments(&request)).transpose()?;
        rows.push(Row {
            title,
            request,
            published,
            measured,
            experiments,
        });
    }
    let header = ["sizes", "spheres", source, "measured", "difference"];
    let lines = rows.iter().map(|row| {
        vec![
            row.title.clone(),
            grouped(row.request.spheres),
            format!("{:.4}", row.published),
            row.measured.describe(),
            format!("{:+.4}", row.measured.value - row.published),
        ]
    });
    Ok(markdown::table(&header, lines) + &table_of_experiments(&rows))
}

fn experiments(request: &Request) -> Outcome<Experiments> {
    let thorough = Request {
        effort: Effort::THOROUGH,
        seeds: 2,
        ..request.clone()
    };
    let more = Request {
        spheres: 4 * request.spheres,
        seeds: 2,
        ..request.clone()
    };
    Ok(Experiments {
        thorough: thorough.fraction()?,
        more_spheres: (more.spheres <= MOST)
            .then(|| more.fraction())
            .transpose()?,
    })
}

fn table_of_experiments(rows: &[Row]) -> String {
    let lines: Vec<Vec<String>> = rows
        .iter()
        .filter_map(|row| {
            let found = row.experiments.as_ref()?;
            let beside = |mean: Mean| {
                let difference = mean.value - row.published;
                format!("{} ({difference:+.4})", mean.describe())
            };
            let more = found.more_spheres.map_or_else(|| "–".to_owned(), beside);
            Some(vec![row.title.clone(), beside(found.thorough), more])
        })
        .collect();
    if lines.is_empty() {
        return "\nNo difference exceeds 0.01.\n".to_owned();
    }
    let header = [
        "difference above 0.01",
        "thorough effort",
        "four times as many spheres",
    ];
    markdown::table(&header, lines)
}
