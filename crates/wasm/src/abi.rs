//! The interface to JavaScript. A text is an address and a length in the module's memory. There are three
//! functions in each direction, few enough to write the other side (`js/core.js`) by hand.

#![allow(unsafe_code, reason = "texts cross the border by address and length")]

use std::{cell::RefCell, time::Duration};

use crate::{Core, Host};

mod host {
    #[link(wasm_import_module = "host")]
    unsafe extern "C" {
        /// Milliseconds since a fixed moment.
        pub(super) safe fn now() -> f64;
        /// Unix time in milliseconds.
        pub(super) safe fn unix() -> f64;
        /// Takes a text before it returns: a report, the response, or the message of a panic.
        pub(super) fn tell(kind: u32, text: *const u8, length: usize);
    }
}

const REPORT: u32 = 0;
const RESPONSE: u32 = 1;
const PANIC: u32 = 2;

fn tell(kind: u32, text: &str) {
    // The host reads the text before the call returns.
    unsafe { host::tell(kind, text.as_ptr(), text.len()) }
}

#[derive(Debug)]
struct JavaScript;

impl Host for JavaScript {
    fn now(&self) -> Duration {
        Duration::from_secs_f64(host::now() / 1e3)
    }

    fn unix_ms(&self) -> u64 {
        host::unix() as u64
    }

    fn report(&self, text: &str) {
        tell(REPORT, text);
    }
}

thread_local! {
    static CORE: RefCell<Core> = RefCell::new({
        std::panic::set_hook(Box::new(|panic| tell(PANIC, &panic.to_string())));
        Core::new(JavaScript)
    });
    /// The text of the next request.
    static REQUEST: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Reserves the buffer for the text of the next request.
#[unsafe(no_mangle)]
extern "C" fn room(length: usize) -> *mut u8 {
    REQUEST.with_borrow_mut(|request| {
        request.clear();
        request.resize(length, 0);
        request.as_mut_ptr()
    })
}

/// Takes the book in the room.
#[unsafe(no_mangle)]
extern "C" fn book() {
    let bytes = REQUEST.take();
    let response = CORE.with_borrow_mut(|core| core.take_book(&bytes));
    tell(RESPONSE, &response);
}

/// Takes the weights in the room.
#[unsafe(no_mangle)]
extern "C" fn weights() {
    let bytes = REQUEST.take();
    let response = CORE.with_borrow_mut(|core| core.take_weights(&bytes));
    tell(RESPONSE, &response);
}

/// Responds to the request in the buffer.
#[unsafe(no_mangle)]
extern "C" fn ask() {
    let request = REQUEST.take();
    let response = CORE.with_borrow_mut(|core| core.ask(&String::from_utf8_lossy(&request)));
    tell(RESPONSE, &response);
}
