//! Checks of WGSL texts that need no device.

/// Parses and validates a text as the device will. Errors: naga's words, with the line.
pub fn check(text: &str) -> Result<naga::Module, String> {
    let module = naga::front::wgsl::parse_str(text).map_err(|error| error.emit_to_string(text))?;
    let mut validator = naga::valid::Validator::new(
        naga::valid::ValidationFlags::all(),
        naga::valid::Capabilities::CUBE_ARRAY_TEXTURES | naga::valid::Capabilities::PRIMITIVE_INDEX,
    );
    validator.validate(&module).map_err(|error| error.emit_to_string(text))?;
    Ok(module)
}

/// Functions whose value naga would take from the host's maths library if their arguments were constant.
const TRANSCENDENTAL: [&str; 22] = [
    "sin",
    "cos",
    "tan",
    "asin",
    "acos",
    "atan",
    "atan2",
    "sinh",
    "cosh",
    "tanh",
    "asinh",
    "acosh",
    "atanh",
    "exp",
    "exp2",
    "log",
    "log2",
    "pow",
    "inverseSqrt",
    "radians",
    "degrees",
    "length",
];

/// Calls of transcendental functions in `text` whose arguments name nothing but numbers and types.
pub fn folded_constants(text: &str) -> Vec<String> {
    let code: String = text.lines().map(|line| line.split("//").next().unwrap_or("")).collect::<Vec<_>>().join("\n");
    let mut out = Vec::new();
    for name in TRANSCENDENTAL {
        for (at, _) in code.match_indices(&format!("{name}(")) {
            let inside_a_word =
                code[..at].chars().next_back().is_some_and(|c| c.is_alphanumeric() || c == '_' || c == '.');
            let declared = code[..at].trim_end().ends_with("fn");
            if inside_a_word || declared {
                continue;
            }
            let arguments = arguments(&code[at + name.len() + 1..]);
            if !names_a_value(arguments) {
                out.push(format!("{name}({arguments})"));
            }
        }
    }
    out
}

/// The text up to the bracket that closes a call.
fn arguments(after: &str) -> &str {
    let mut depth = 1;
    for (at, c) in after.char_indices() {
        depth += match c {
            '(' => 1,
            ')' => -1,
            _ => 0,
        };
        if depth == 0 {
            return &after[..at];
        }
    }
    after
}

/// Whether any word is the name of something that can vary: lower case and neither a number, a type nor a call.
fn names_a_value(arguments: &str) -> bool {
    let bytes = arguments.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        if bytes[at].is_ascii_alphabetic() || bytes[at] == b'_' {
            let end = (at..bytes.len()).find(|&i| !(bytes[i].is_ascii_alphanumeric() || bytes[i] == b'_'));
            let end = end.unwrap_or(bytes.len());
            let word = &arguments[at..end];
            let call = bytes.get(end) == Some(&b'(') || bytes.get(end) == Some(&b'<');
            let constant = word.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_');
            if !call && !constant {
                return true;
            }
            at = end;
        } else if bytes[at].is_ascii_digit() {
            // A number, with its exponent and suffix.
            while at < bytes.len() && (bytes[at].is_ascii_alphanumeric() || bytes[at] == b'.') {
                at += 1;
            }
        } else {
            at += 1;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_are_found() {
        for (text, want) in [
            ("let x = sin(0.5);", 1),
            ("let x = pow(2.0, 0.5f);", 1),
            ("let x = pow(vec3f(2.0), vec3f(1.0 / 2.4));", 1),
            ("let x = exp(PI);", 1),
            ("let x = exp2(-12.0e-1) + sin(x);", 1),
            ("let x = pow(max(c, 0.0), 0.4);", 0),
            ("let x = asin(y); // sin(0.5)", 0),
            ("fn exp(x: f32) -> f32 { return x; }", 0),
            ("let v = my_sin(0.5);", 0),
        ] {
            assert_eq!(folded_constants(text).len(), want, "{text}");
        }
    }

    #[test]
    fn mistakes_are_told() {
        assert!(check("fn f() -> f32 { return 1u; }").is_err());
        assert!(check("fn f() -> f32 { return 1.0; }").is_ok());
    }
}
