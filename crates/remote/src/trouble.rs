//! What went wrong with an object store, for people, without what only its owner may know.

use object_store::Error;
use stillframe_frames::store::wire::Trouble;

/// Why the program or a request ends.
#[derive(Clone, Debug)]
pub struct Failure {
    pub trouble: Trouble,
    pub message: String,
    pub exit_status: u8,
}

impl Failure {
    pub fn usage(message: String) -> Failure {
        Failure { trouble: Trouble::Broken, message, exit_status: 2 }
    }

    pub fn environment(message: String) -> Failure {
        Failure { trouble: Trouble::Unreachable, message, exit_status: 8 }
    }

    pub fn broken(message: String) -> Failure {
        Failure { trouble: Trouble::Broken, message, exit_status: 8 }
    }

    /// Says what an error of the client means. `what` is what was tried.
    pub fn of(what: &str, error: &Error) -> Failure {
        let text = chain(error);
        let lower = text.to_lowercase();
        let has = |words: &[&str]| words.iter().any(|word| lower.contains(word));
        let (trouble, means) = if matches!(error, Error::PermissionDenied { .. } | Error::Unauthenticated { .. })
            || has(&[
                "invalidaccesskeyid",
                "signaturedoesnotmatch",
                "authenticationfailed",
                "authorizationfailure",
                "403 forbidden",
                "credential",
            ]) {
            (Trouble::Denied, "the credentials in the environment are missing or not accepted")
        } else if has(&["nosuchbucket", "containernotfound", "the specified bucket does not exist", "bucket not found"])
        {
            (Trouble::NoSuchPlace, "there is no such bucket or container")
        } else if has(&[
            "dns error",
            "failed to lookup",
            "connection refused",
            "error trying to connect",
            "tcp connect",
        ]) {
            (Trouble::Unreachable, "the server cannot be reached")
        } else if has(&["timed out", "error sending request", "connection closed", "connection reset"]) {
            (Trouble::Unreachable, "the server does not answer")
        } else {
            (Trouble::Broken, "the server's answer is not what was expected")
        };
        Failure { trouble, message: format!("{what}: {means} ({text})"), exit_status: 8 }
    }

    pub fn without_secrets(mut self, environment: &[(String, String)]) -> Failure {
        self.message = without_secrets(&self.message, environment);
        self
    }
}

/// An error and what it stems from, each part once.
fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(inner) = source {
        let inner_text = inner.to_string();
        if !text.contains(&inner_text) {
            text.push_str(": ");
            text.push_str(&inner_text);
        }
        source = inner.source();
    }
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The message without queries of addresses, which may be signed, and without values of variables that look like keys.
pub fn without_secrets(message: &str, environment: &[(String, String)]) -> String {
    let mut out = String::with_capacity(message.len());
    for word in message.split_inclusive(' ') {
        match word.split_once('?') {
            Some((start, _)) if word.contains("://") => {
                out.push_str(start);
                out.push_str("?... ");
            }
            _ => out.push_str(word),
        }
    }
    for (name, value) in environment {
        let name = name.to_uppercase();
        let is_secret = ["KEY", "SECRET", "TOKEN", "PASSWORD", "SAS", "AUTHORIZATION", "SIGNATURE"]
            .iter()
            .any(|word| name.contains(word));
        // Shorter ones would take words of the message with them, and are no secrets.
        if is_secret && value.len() >= 6 {
            out = out.replace(value.as_str(), "...");
        }
    }
    out.trim_end().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_left_out() {
        let environment = [("AWS_SECRET_ACCESS_KEY", "abc123def"), ("HOME", "/home/me"), ("X_TOKEN", "on")]
            .map(|(name, value)| (name.to_string(), value.to_string()));
        let message = "GET https://h/x?sig=verysecret failed (key abc123def, on /home/me)";
        assert_eq!(without_secrets(message, &environment), "GET https://h/x?... failed (key ..., on /home/me)");
    }

    #[test]
    fn errors_say_what_they_mean() {
        let generic = |text: &str| Error::Generic { store: "S3", source: text.to_string().into() };
        for (error, trouble) in [
            (generic("<Code>NoSuchBucket</Code>"), Trouble::NoSuchPlace),
            (generic("error sending request: tcp connect error: Connection refused"), Trouble::Unreachable),
            (generic("operation timed out"), Trouble::Unreachable),
            (generic("<Code>InvalidAccessKeyId</Code>"), Trouble::Denied),
            (generic("unexpected end of XML"), Trouble::Broken),
        ] {
            let failure = Failure::of("reading ab/cd.png", &error);
            assert_eq!((failure.trouble, failure.exit_status), (trouble, 8), "{}", failure.message);
        }
    }
}
