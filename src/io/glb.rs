//! Binary glTF 2.0: one icosphere, and an instance of it for each sphere (`EXT_mesh_gpu_instancing`).

use std::io::{self, Write};

use serde_json::json;

use super::{
    color::Colors,
    export::{ExportOptions, Narrow, Scene, invalid},
    surface::Mesh,
    surface::icosphere,
};

const MAGIC: &[u8] = b"glTF";
const VERSION: u32 = 2;

/// Codes of glTF for the numbers of an array, and for its use as vertices or as indices.
const FLOAT: u32 = 5126;
const UNSIGNED_INT: u32 = 5125;
const VERTICES: u32 = 34962;
const INDICES: u32 = 34963;

pub(super) fn write(scene: &Scene, options: &ExportOptions, out: &mut dyn Write) -> io::Result<()> {
    if scene.len() == 0 {
        return Err(invalid(
            "glTF cannot hold a scene without spheres; there must be at least one",
        ));
    }
    let mut buffer = Buffer::default();
    let unit = icosphere(options.resolution);
    let mesh = buffer.mesh(&unit);
    let instances = buffer.instances(scene, options);
    let middle = 0.5 * (scene.low + scene.high());
    let document = json!({
        "asset": {"version": "2.0", "generator": "jostle"},
        "extensionsUsed": ["EXT_mesh_gpu_instancing"],
        "extensionsRequired": ["EXT_mesh_gpu_instancing"],
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        // glTF's second axis points upwards, and jostle's third one. Instances lie around the center of the container, where 32-bit
        // numbers are finest.
        "nodes": [
            {"children": [1], "rotation": [-std::f64::consts::FRAC_1_SQRT_2, 0.0, 0.0, std::f64::consts::FRAC_1_SQRT_2]},
            {"mesh": 0, "translation": middle.to_array(), "extensions": {"EXT_mesh_gpu_instancing": {"attributes": instances}}},
        ],
        "meshes": [{"primitives": [mesh]}],
        "materials": [{"pbrMetallicRoughness": {"metallicFactor": 0.0, "roughnessFactor": 0.6}}],
        "accessors": buffer.accessors,
        "bufferViews": buffer.views,
        "buffers": [{"byteLength": buffer.bytes.len()}],
    });
    let mut text = serde_json::to_vec(&document)?;
    text.resize(text.len().next_multiple_of(4), b' ');
    let size = 12 + 8 + text.len() + 8 + buffer.bytes.len();
    let size = u32::try_from(size)
        .map_err(|_| invalid("the scene is larger than 4 GiB, the limit of binary glTF"))?;
    out.write_all(MAGIC)?;
    out.write_all(&VERSION.to_le_bytes())?;
    out.write_all(&size.to_le_bytes())?;
    for (kind, bytes) in [(b"JSON", &text), (b"BIN\0", &buffer.bytes)] {
        out.write_all(&(bytes.len() as u32).to_le_bytes())?;
        out.write_all(kind)?;
        out.write_all(bytes)?;
    }
    Ok(())
}

/// The binary part of a file, with the descriptions of its arrays.
#[derive(Default)]
struct Buffer {
    bytes: Vec<u8>,
    views: Vec<serde_json::Value>,
    accessors: Vec<serde_json::Value>,
}

impl Buffer {
    fn mesh(&mut self, unit: &Mesh) -> serde_json::Value {
        let vertices: Vec<[f32; 3]> = (unit.vertices.iter())
            .map(|vertex| vertex.to_array().map(|number| number as f32))
            .collect();
        let positions = self.vectors(&vertices, Some(VERTICES));
        let indices = unit.triangles.as_flattened();
        let bytes: Vec<u8> = indices
            .iter()
            .flat_map(|index| index.to_le_bytes())
            .collect();
        let view = self.view(&bytes, Some(INDICES));
        self.accessors.push(json!({
            "bufferView": view, "componentType": UNSIGNED_INT, "count": indices.len(), "type": "SCALAR",
        }));
        let indices = self.accessors.len() - 1;
        // The normals of a sphere of radius 1 are its vertices.
        json!({"attributes": {"POSITION": positions, "NORMAL": positions}, "indices": indices, "material": 0})
    }

    fn instances(&mut self, scene: &Scene, options: &ExportOptions) -> serde_json::Value {
        let Narrow { centers, radii, .. } = scene.narrowed();
        let colors = Colors::new(scene);
        let shades: Vec<[f32; 3]> = scene
            .spheres
            .radii()
            .iter()
            .map(|&r| colors.of(r))
            .collect();
        let scales: Vec<[f32; 3]> = (radii.iter())
            .map(|&radius| [options.shrink as f32 * radius; 3])
            .collect();
        json!({
            "TRANSLATION": self.vectors(&centers, None),
            "SCALE": self.vectors(&scales, None),
            "_COLOR_0": self.vectors(&shades, None),
        })
    }

    /// Adds an array of vectors, and returns its number.
    fn vectors(&mut self, vectors: &[[f32; 3]], target: Option<u32>) -> usize {
        let bytes: Vec<u8> = vectors
            .as_flattened()
            .iter()
            .flat_map(|n| n.to_le_bytes())
            .collect();
        let view = self.view(&bytes, target);
        let bound = |start: f32, choose: fn(f32, f32) -> f32| -> [f32; 3] {
            vectors.iter().fold([start; 3], |bound, vector| {
                std::array::from_fn(|axis| choose(bound[axis], vector[axis]))
            })
        };
        self.accessors.push(json!({
            "bufferView": view, "componentType": FLOAT, "count": vectors.len(), "type": "VEC3",
            "min": bound(f32::INFINITY, f32::min), "max": bound(f32::NEG_INFINITY, f32::max),
        }));
        self.accessors.len() - 1
    }

    fn view(&mut self, bytes: &[u8], target: Option<u32>) -> usize {
        let mut view =
            json!({"buffer": 0, "byteOffset": self.bytes.len(), "byteLength": bytes.len()});
        if let Some(target) = target {
            view["target"] = target.into();
        }
        self.bytes.extend_from_slice(bytes);
        self.views.push(view);
        self.views.len() - 1
    }
}
