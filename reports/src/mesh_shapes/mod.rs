//! Writes a concave body as an STL or OBJ file, to try `--container mesh:FILE`.
//!
//! cargo run --release -p reports -- mesh-shapes l|ring|hopper FILE [FINENESS]
//!
//! A fineness of 1 (the default) makes about 1 000 triangles, and a fineness of 10 about 100 000.

use crate::bodies;

pub fn write(arguments: &[String]) -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = arguments.iter();
    let (Some(name), Some(file)) = (arguments.next(), arguments.next()) else {
        return Err("expected l, ring or hopper, and a file".into());
    };
    let fineness: u32 = arguments.next().map_or(Ok(1), |number| number.parse())?;
    let body = match name.as_str() {
        "l" => bodies::l_shape(6 * fineness as i32),
        "ring" => bodies::ring(3 * fineness, 40 * fineness),
        "hopper" => bodies::hopper(3 * fineness, 40 * fineness),
        other => return Err(format!("unknown body '{other}'; expected l, ring or hopper").into()),
    };
    let bytes = if file.ends_with(".obj") {
        body.obj().into_bytes()
    } else {
        body.stl()
    };
    std::fs::write(file, bytes)?;
    println!("{file}: {} triangles", body.triangles.len());
    Ok(())
}
