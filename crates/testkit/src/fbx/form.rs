//! The forms that one content has as a file: binary and text, version 7 and 6.

use super::write::File;
use super::{old, text};

/// How a file spells its content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Version 7.4.
    Binary,
    Text,
    /// Version 6.1.
    OldBinary,
    OldText,
}

impl Form {
    pub const ALL: [Form; 4] = [Form::Binary, Form::Text, Form::OldBinary, Form::OldText];

    pub fn is_old(self) -> bool {
        matches!(self, Form::OldBinary | Form::OldText)
    }
}

impl File {
    /// The same content in some form.
    pub fn in_form(&self, form: Form) -> Vec<u8> {
        match form {
            Form::Binary => self.bytes(7400, true),
            Form::Text => text::text_of(&self.top(7400), 7400),
            Form::OldBinary => old::bytes_of(&old::records(self)),
            Form::OldText => text::text_of(&old::records(self), 6100),
        }
    }
}
