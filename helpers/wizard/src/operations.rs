//! Everything that acts on a volume, for the command line and the wizard alike.
//!
//! What somebody asked for is a raw [`EncryptRequest`]; a [`Plan`] is checked, and only a plan can be
//! carried out: [`stage`] makes the header in a file, where the recovery key is proven with it,
//! [`begin`] puts that very header in place, [`resume`] goes on to the end, from any stop.
//!
//! A running conversion holds the device exclusively. Every function opens what it needs and closes
//! it again.

mod access;
mod backup;
mod check;
mod checklist;
mod convert;
mod enroll;
mod front;
mod keys;
mod pace;
mod plan;
mod resizing;
mod stage;

pub use access::{KeyInfo, KeyKind, add_password, erase, keys, remove_key};
pub use backup::{header_backup, header_backup_into, header_restore, write_new};
pub use check::{EncryptRequest, MethodWish, plan_encrypt, plan_encrypt_on};
pub use checklist::check;
pub use convert::{
    Direction, Resumed, Unreadable, begin, begin_decrypt, decrypt, encrypt, is_converting, resume, undo, with_plain,
};
pub use enroll::{Chip, Pin, can_enroll, enroll};
pub use front::{front_copy_path, read_front_copy};
pub use keys::{Proof, check_key, passwd, prove, recovery_new, uuid};
pub use luks::convert::Space;
pub use plan::{Plan, Room};
pub use resizing::{Disorder, Resizing, disorder, give_room_back, is_made_smaller, mend};
pub use stage::{KdfWish, Staged, stage};
