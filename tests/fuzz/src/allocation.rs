//! No input may make a program ask for a great deal of memory at once: what is asked for above the
//! limit is not given. Code that can live with that (`try_reserve`) goes on; any other is a finding.
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};

/// Far above what any parser needs, far below what hurts a computer.
const MOST: usize = 512 << 20;

struct Limited;

#[global_allocator]
static ALLOCATOR: Limited = Limited;

// SAFETY: Everything is the system's own allocator, with the layouts as they came; a null pointer is
// what the contract has for "no memory".
unsafe impl GlobalAlloc for Limited {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if layout.size() > MOST {
            return std::ptr::null_mut();
        }
        // SAFETY: The caller's promises are those of `System`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        if layout.size() > MOST {
            return std::ptr::null_mut();
        }
        // SAFETY: As above.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: As above.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if size > MOST {
            return std::ptr::null_mut();
        }
        // SAFETY: As above.
        unsafe { System.realloc(pointer, layout, size) }
    }
}
