//! One run, from a request to files.

use jostle::{
    Packer, Packing, Spheres,
    analysis::{Analysis, AnalysisOptions},
    io::{Format, write_packing},
    ranks::Ranks,
    rearrange::Progress,
    report::{Still, ViewData, report},
};
use serde_json::json;

use crate::request::BrowserRequest;

/// The stage of a run.
enum Stage {
    Packing(Box<Packer>),
    Packed(Box<Packing>),
    Failed,
}

/// A run with its last answer.
pub struct Run {
    stage: Stage,
    output: Vec<u8>,
    /// Spheres and bodies of the last view.
    view: Vec<u8>,
}

impl Run {
    /// Begins a run.
    pub fn begin(request: Result<BrowserRequest, String>) -> Self {
        match request.and_then(|request| packer(&request)) {
            Ok(packer) => Self {
                stage: Stage::Packing(Box::new(packer)),
                ..Self::answering(Ok(String::new()))
            },
            Err(error) => Self::answering(Err(error)),
        }
    }

    /// Returns an answer, or an error as JSON, without a run.
    pub fn answering(answer: Result<String, String>) -> Self {
        let output = answer.unwrap_or_else(|error| json!({ "error": error }).to_string());
        Self {
            stage: Stage::Failed,
            output: output.into_bytes(),
            view: Vec::new(),
        }
    }

    /// Returns the last answer.
    pub fn output(&self) -> &[u8] {
        &self.output
    }

    /// Sweeps for about this time. Returns whether the run goes on.
    pub fn sweep(&mut self, milliseconds: f64) -> bool {
        let Stage::Packing(packer) = &mut self.stage else {
            return false;
        };
        let begin = packer.elapsed();
        while packer.sweep().is_some() {
            if 1e3 * (packer.elapsed() - begin).as_secs_f64() >= milliseconds {
                return true;
            }
        }
        false
    }

    /// Answers with the state as JSON.
    pub fn answer_with_state(&mut self) {
        let state = match &self.stage {
            Stage::Packing(packer) => packer.progress().map(|progress| state(&progress)),
            Stage::Packed(packing) => Some(result(packing)),
            Stage::Failed => return,
        };
        self.output = state.unwrap_or_default().to_string().into_bytes();
    }

    /// Answers with the numbers of the view.
    pub fn answer_with_view(&mut self) {
        let view = match &self.stage {
            Stage::Packing(packer) => present_view(packer),
            Stage::Packed(packing) => ViewData::of_packing(packing).unwrap_or_else(|_| {
                ViewData::new(packing.spheres(), packing.container(), &packing.unit)
            }),
            Stage::Failed => return,
        };
        self.output = view.numbers.into_bytes();
        self.view = [view.spheres, view.bodies].concat();
    }

    /// Answers with the spheres of the last view, then its bodies.
    pub fn answer_with_view_solids(&mut self) {
        self.output = std::mem::take(&mut self.view);
    }

    /// Removes all overlap.
    pub fn finish(&mut self) {
        if let Stage::Packing(packer) = std::mem::replace(&mut self.stage, Stage::Failed) {
            self.stage = Stage::Packed(Box::new(packer.finish().packing));
        }
    }

    /// Answers with a file. Returns whether it could be written.
    pub fn answer_with_file(&mut self, format: &str) -> bool {
        let file = match &self.stage {
            Stage::Packed(packing) => file(packing, format),
            _ => Err("there is no packing".to_owned()),
        };
        let is_written = file.is_ok();
        self.output = file.unwrap_or_else(String::into_bytes);
        is_written
    }
}

/// Places the spheres, unless they need more memory than the page allows.
fn packer(request: &BrowserRequest) -> Result<Packer, String> {
    let resolved = request.request()?.resolve();
    let resolved = resolved.map_err(|error| error.to_string())?;
    let spheres = resolved.expected_spheres();
    let law = &request.sizes()?.distribution;
    let needed = resolved.options().estimated_memory(spheres, law).needed;
    if let Some(limit) = request.memory.filter(|&limit| needed > limit) {
        let [needed, limit] = [needed, limit].map(|bytes| 1e-6 * bytes);
        return Err(format!(
            "{spheres:.0} spheres need {needed:.0} MB of memory, and this page may take {limit:.0} MB; ask for fewer spheres, or use the \
             program on a computer"
        ));
    }
    let (radii, options) = resolved
        .draw(&Ranks::default())
        .map_err(|error| error.to_string())?;
    Packer::new(radii, &options).map_err(|error| error.to_string())
}

/// Returns the view of the spheres that are in the container.
fn present_view(packer: &Packer) -> ViewData {
    let radii = packer.radii();
    let present = packer.centers().into_iter().zip(radii.iter().copied());
    let (centers, radii) = present.filter(|(center, _)| center.is_finite()).unzip();
    ViewData::new(&Spheres::new(centers, radii), &packer.container(), "")
}

fn state(progress: &Progress) -> serde_json::Value {
    json!({
        "sweeps": progress.sweeps,
        "remaining": progress.remaining_sweeps,
        "spheres": progress.spheres,
        "fraction": progress.packing_fraction,
        "overlap": progress.mean_overlap,
        "seconds": progress.elapsed.as_secs_f64(),
    })
}

fn result(packing: &Packing) -> serde_json::Value {
    json!({
        "spheres": packing.spheres().len(),
        "fraction": packing.packing_fraction(),
        "overlap": packing.certificate().max_overlap,
        "lengths": packing.container().lengths().to_array(),
        "unit": packing.unit,
        "warning": packing.sizes.as_ref().and_then(|sizes| sizes.warning.as_deref()),
    })
}

/// Returns a file of the packing, or a sentence.
fn file(packing: &Packing, format: &str) -> Result<Vec<u8>, String> {
    match format {
        "html" => {
            let analysis = Analysis::new(packing, &AnalysisOptions::default());
            let analysis = analysis.map_err(|error| error.to_string())?;
            let page = report(packing, &analysis, None).map_err(|error| error.to_string())?;
            Ok(page.into_bytes())
        }
        "png" => Still::default()
            .png(packing)
            .map_err(|error| error.to_string()),
        format => {
            let format: Format = format.parse().map_err(|error| format!("{error}"))?;
            let mut file = Vec::new();
            write_packing(packing, format, &mut file).map_err(|error| error.to_string())?;
            Ok(file)
        }
    }
}
