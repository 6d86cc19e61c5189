//! Error: why a valid module does not become a program. It ends up as a failed pipeline creation.

/// What the adapter cannot run, by name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LowerError {
    /// A construct of naga's IR that needs a feature which the adapter does not report.
    #[error("the software adapter does not support {what}")]
    Unsupported { what: String },
    /// More registers, variables or words than the program format can address.
    #[error("{what} is too large: {words} words")]
    TooLarge { what: String, words: u64 },
}

impl LowerError {
    pub(crate) fn unsupported(what: impl Into<String>) -> LowerError {
        LowerError::Unsupported { what: what.into() }
    }
}
