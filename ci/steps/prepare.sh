#!/usr/bin/env bash
# Installs what the steps need beyond a Rust toolchain, on Debian-like CI machines: Mesa's software Vulkan for the agreement step; Chromium,
# node and npm for the report step.
set -euo pipefail
missing=()
ls /usr/share/vulkan/icd.d/lvp_icd*.json >/dev/null 2>&1 || missing+=(mesa-vulkan-drivers)
command -v node >/dev/null || missing+=(nodejs)
command -v npm >/dev/null || missing+=(npm)
[ -n "${CHROMIUM:-}" ] || command -v chromium chromium-browser google-chrome >/dev/null || missing+=(chromium)
if [ "$(uname -s)" = Linux ] && [ "${CI:-}" = true ] && [ ${#missing[@]} -gt 0 ]; then
  sudo=""
  [ "$(id -u)" = 0 ] || sudo=sudo
  $sudo apt-get update -qq
  $sudo apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
fi
cargo --version
rustc --version
