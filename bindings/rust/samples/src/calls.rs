//! Calling C: statuses as results, texts, and structs that begin with their size.

use std::ffi::{c_char, CStr, CString};
use std::fmt;
use unisono_sys::*;

/// Why a call, or a line, was refused: a sentence for people.
#[derive(Debug)]
pub struct Refusal(pub String);

impl fmt::Display for Refusal {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str(&self.0)
    }
}

/// The status of a call of this thread that has just returned.
pub fn check(status: i32) -> Result<i32, Refusal> {
    if status >= 0 {
        return Ok(status);
    }
    // SAFETY: never NULL, and valid until this thread's next call.
    Err(Refusal(text(unsafe { unisono_last_error() })))
}

pub fn c_text(words: &str) -> Result<CString, Refusal> {
    CString::new(words).map_err(|_| Refusal("a text has a NUL inside, where C would cut it off".into()))
}

/// A text of the library's; NULL: "".
pub(crate) fn text(pointer: *const c_char) -> String {
    if pointer.is_null() {
        return String::new();
    }
    // SAFETY: texts of the library end with NUL, and are copied while what they hang on lives.
    unsafe { CStr::from_ptr(pointer) }.to_string_lossy().into_owned()
}

/// A struct of the C interface whose first field is its size: all else is zero.
///
/// # Safety
/// T begins with `size: u32`, and is right with all else zero: options, and what a call fills.
pub unsafe fn sized<T>() -> T {
    let mut made: T = std::mem::zeroed();
    (&mut made as *mut T).cast::<u32>().write(std::mem::size_of::<T>() as u32);
    made
}

/// A snapshot of the library's, which is given back when it goes; `None`: the call gave none.
pub(crate) struct Owned<T>(*const T);

impl<T> Owned<T> {
    pub(crate) fn of(call: impl FnOnce(*mut *const T) -> i32) -> Result<Option<Owned<T>>, Refusal> {
        let mut out = std::ptr::null();
        check(call(&mut out))?;
        Ok((!out.is_null()).then_some(Owned(out)))
    }
}

impl<T> std::ops::Deref for Owned<T> {
    type Target = T;
    fn deref(&self) -> &T {
        // SAFETY: not NULL, and its own until `drop`.
        unsafe { &*self.0 }
    }
}

impl<T> Drop for Owned<T> {
    fn drop(&mut self) {
        // SAFETY: from a call that says to end it so.
        unsafe { unisono_free(self.0.cast()) }
    }
}

/// What a list of the library points at.
///
/// # Safety
/// `items` has `count` pointers, none of them NULL, that live as long as `'a`.
pub(crate) unsafe fn list<'a, T>(items: *const *const T, count: usize) -> Vec<&'a T> {
    (0..count).map(|index| &**items.add(index)).collect()
}
