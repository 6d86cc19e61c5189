#!/usr/bin/env bash
# Documentation builds without a warning; module pages may link to what is private, for maintainers.
set -euo pipefail
RUSTDOCFLAGS="-D warnings -A rustdoc::private_intra_doc_links" cargo doc --workspace --no-deps --locked
