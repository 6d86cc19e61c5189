#!/usr/bin/env bash
# Installs what the steps need beyond a Rust toolchain: Mesa's software Vulkan for the agreement step, on Debian-like CI machines.
set -euo pipefail
if [ "$(uname -s)" = Linux ] && [ "${CI:-}" = true ] && ! ls /usr/share/vulkan/icd.d/lvp_icd*.json >/dev/null 2>&1; then
  sudo=""
  [ "$(id -u)" = 0 ] || sudo=sudo
  $sudo apt-get update -qq
  $sudo apt-get install -y -qq --no-install-recommends mesa-vulkan-drivers >/dev/null
fi
cargo --version
rustc --version
