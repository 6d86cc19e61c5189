#!/usr/bin/env bash
# The crates that are of use alone can be packed for crates.io. `STILLFRAME_VERIFY=1` builds each from its package too, with everything it
# depends on, which takes minutes.
set -euo pipefail
crates=(stillframe-base stillframe-anim stillframe-frames stillframe-oracle stillframe-soft)
verify=--no-verify
[ -z "${STILLFRAME_VERIFY:-}" ] || verify=
# --allow-dirty: what is packed is asked here, not whether it is committed.
cargo package --quiet --locked --allow-dirty $verify "${crates[@]/#/--package=}"
target=${CARGO_TARGET_DIR:-$PWD/target}
for crate in "${crates[@]}"; do
  files=$(tar -tzf "$target/package/$crate-"*.crate | sed 's#^[^/]*/##')
  for wanted in README.md LICENSE-MIT LICENSE-APACHE src/lib.rs; do
    grep -qx "$wanted" <<<"$files" || { echo "package: $crate holds no $wanted"; exit 1; }
  done
  extra=$(grep -Ev '^(src/.*|README.md|LICENSE-(MIT|APACHE)|Cargo\.(toml|toml\.orig|lock)|\.cargo_vcs_info\.json)$' <<<"$files" || true)
  [ -z "$extra" ] || { echo "package: $crate holds what nobody needs: $extra"; exit 1; }
  echo "package: $crate, $(wc -l <<<"$files") files"
done
