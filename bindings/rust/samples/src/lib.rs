//! What both samples have in common: a member of a group (context, session, events and the keyboard in one loop), and the lines that a
//! person types to it.

mod calls;
mod group_lines;
mod member;

pub use calls::{c_text, check, sized, Refusal};
pub use group_lines::{GroupLines, Transport};
pub use member::Member;
