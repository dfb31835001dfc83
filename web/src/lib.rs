//! The packer as exports of a WebAssembly module, without generated bindings.
//!
//! JavaScript writes a text into memory that [`allocate`] returns, and calls a function with it. A function that answers with bytes keeps
//! them in its [`Run`]: [`output`] and [`output_length`] tell where. `page/worker.js` has the other side.
#![cfg(any(target_family = "wasm", test))]

mod preview;
mod request;
mod run;

#[cfg(feature = "golden")]
mod golden;

use request::BrowserRequest;
use run::Run;

#[cfg(target_family = "wasm")]
#[link(wasm_import_module = "jostle")]
unsafe extern "C" {
    /// Throws an error with a text.
    fn fail(text: *const u8, length: usize) -> !;
}

/// Prepares the module, once, before all other calls.
#[unsafe(no_mangle)]
pub extern "C" fn initialize() {
    // Where there are no threads, this makes the present one the pool.
    rayon::current_num_threads();
    #[cfg(target_family = "wasm")]
    std::panic::set_hook(Box::new(|panic| {
        let text = panic.to_string();
        // SAFETY: the text outlives the call, which only reads it.
        unsafe { fail(text.as_ptr(), text.len()) }
    }));
}

/// Returns memory for `length` bytes, which the next function that takes a text frees.
#[unsafe(no_mangle)]
pub extern "C" fn allocate(length: usize) -> *mut u8 {
    Box::into_raw(vec![0_u8; length].into_boxed_slice()).cast()
}

/// Takes a text out of memory.
///
/// # Safety
/// `text` must come from [`allocate`] with this `length`, and is freed.
unsafe fn taken(text: *mut u8, length: usize) -> String {
    let bytes = std::ptr::slice_from_raw_parts_mut(text, length);
    // SAFETY: the caller guarantees that this is the slice that `allocate` leaked.
    let bytes = unsafe { Box::from_raw(bytes) };
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Begins a run of a request in JSON. An error is in its output.
///
/// # Safety
/// `text` must come from [`allocate`] with this `length`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn begin(text: *mut u8, length: usize) -> *mut Run {
    // SAFETY: the caller's promise.
    let text = unsafe { taken(text, length) };
    let request = BrowserRequest::read(&text);
    Box::into_raw(Box::new(Run::begin(request)))
}

/// Describes a request in JSON: number of spheres, expected packing fraction, memory and grading curve, or an error.
///
/// # Safety
/// `text` must come from [`allocate`] with this `length`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn preview(text: *mut u8, length: usize) -> *mut Run {
    // SAFETY: the caller's promise.
    let text = unsafe { taken(text, length) };
    let answer = BrowserRequest::read(&text).and_then(|request| preview::preview(&request));
    Box::into_raw(Box::new(Run::answering(answer)))
}

/// Answers with the names of presets, and with the names and extensions of file formats, as JSON.
#[unsafe(no_mangle)]
pub extern "C" fn choices() -> *mut Run {
    Box::into_raw(Box::new(Run::answering(preview::choices())))
}

/// Sweeps for about this time. Returns 1 while the run goes on, and 0 when it is over.
///
/// # Safety
/// `run` must come from [`begin`] and must not have been passed to [`release`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sweep(run: *mut Run, milliseconds: f64) -> u32 {
    // SAFETY: the caller's promise.
    u32::from(unsafe { &mut *run }.sweep(milliseconds))
}

/// Answers with the progress of a run, or with the result of one that [`finish`] ended, as JSON.
///
/// # Safety
/// Like [`sweep`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn state(run: *mut Run) {
    // SAFETY: the caller's promise.
    unsafe { &mut *run }.answer_with_state();
}

/// Answers with the numbers of the view as JSON.
///
/// # Safety
/// Like [`sweep`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn view(run: *mut Run) {
    // SAFETY: the caller's promise.
    unsafe { &mut *run }.answer_with_view();
}

/// Answers with the spheres of the last [`view`], then its bodies.
///
/// # Safety
/// Like [`sweep`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn view_solids(run: *mut Run) {
    // SAFETY: the caller's promise.
    unsafe { &mut *run }.answer_with_view_solids();
}

/// Removes all overlap. The state then describes the packing.
///
/// # Safety
/// Like [`sweep`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn finish(run: *mut Run) {
    // SAFETY: the caller's promise.
    unsafe { &mut *run }.finish();
}

/// Answers with the packing as a file of a format that is named, or with a report (`html`) or a picture (`png`).
///
/// Returns 0 if the answer is the text of an error.
///
/// # Safety
/// Like [`sweep`]; `text` must come from [`allocate`] with this `length`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn file(run: *mut Run, text: *mut u8, length: usize) -> u32 {
    // SAFETY: the caller's promise.
    let (run, format) = unsafe { (&mut *run, taken(text, length)) };
    u32::from(run.answer_with_file(&format))
}

/// Returns the address of the last answer.
///
/// # Safety
/// Like [`sweep`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn output(run: *mut Run) -> *const u8 {
    // SAFETY: the caller's promise.
    unsafe { &*run }.output().as_ptr()
}

/// Returns the length of the last answer.
///
/// # Safety
/// Like [`sweep`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn output_length(run: *mut Run) -> usize {
    // SAFETY: the caller's promise.
    unsafe { &*run }.output().len()
}

/// Frees a run.
///
/// # Safety
/// `run` must come from [`begin`], [`preview`] or [`choices`], and must not be used afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn release(run: *mut Run) {
    // SAFETY: the caller's promise.
    drop(unsafe { Box::from_raw(run) });
}
