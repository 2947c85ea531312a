/// Fixes the order of instructions: what stands before this and gives one of the values is done
/// before anything that stands behind it and uses one of them. No instruction comes of it.
///
/// A compiler sees that a round of AES on one register does not depend on the other registers, and
/// that tweaks are not needed before their blocks; it would rather have one block after the other,
/// and each tweak just when it is used. That costs a fifth of the speed.
macro_rules! in_step {
    ($class:ident: $($value:expr),*) => {
        // Miri runs no text of an assembler, not even a comment.
        #[cfg(not(miri))]
        // SAFETY: the text is a comment, so each register leaves it as it came.
        unsafe {
            std::arch::asm!(
                concat!("/*", $(in_step!(@place $value)),*, "*/"),
                $(inout($class) $value,)*
                options(pure, nomem, nostack, preserves_flags),
            );
        }
    };
    (@place $value:expr) => { " {}" };
}

pub(crate) use in_step;
