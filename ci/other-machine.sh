#!/usr/bin/env bash
# Proves equal pixels on another machine: builds stillframe for aarch64, runs it under qemu's user emulation, and compares
# `stillframe hash --no-cache scenes --size 64x64` with this x86-64 machine's. Run it by hand, as root on a Debian-like system, before a
# release and whenever PIXEL_CONTRACT changes:
#
#   ci/other-machine.sh [FOLDER]     FOLDER keeps the toolchain (2.5 GB, made once); default: ~/.cache/stillframe/aarch64
#
# The toolchain is Debian's own (debootstrap of sid: rustc, cargo, the aarch64 linker and libraries); nothing else is fetched
# but the crates of Cargo.lock. Emulation is 40 to 100 times slower than the machine: hence the small pictures.
set -euo pipefail
cd "$(dirname "$0")/.."
root=${1:-$HOME/.cache/stillframe/aarch64}
target=aarch64-unknown-linux-gnu

if [ ! -x "$root/usr/bin/cargo" ]; then
  mkdir -p "$root"
  apt-get install -y -qq debootstrap qemu-user >/dev/null
  mirror=$(apt-get indextargets --format '$(REPO_URI) $(ORIGIN) $(LABEL)' | awk '$2 == "Debian" && $3 == "Debian" {print $1; exit}')
  debootstrap --variant=minbase --arch=amd64 sid "$root" "$mirror" >/dev/null
  cp /etc/resolv.conf "$root/etc/" 2>/dev/null || true
  cp /etc/apt/apt.conf.d/*proxy* "$root/etc/apt/apt.conf.d/" 2>/dev/null || true
  chroot "$root" dpkg --add-architecture arm64
  chroot "$root" apt-get update -qq
  chroot "$root" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends rustc cargo \
    libstd-rust-dev:arm64 gcc gcc-aarch64-linux-gnu libc6-dev libc6-dev:arm64 ca-certificates >/dev/null
fi

# The tree as git knows it, and the crates that cargo has fetched already.
rm -rf "$root/src" && mkdir -p "$root/src" "$root/cargo-home" "$root/target"
git ls-files -z | xargs -0 cp --parents -t "$root/src"
home=${CARGO_HOME:-$HOME/.cargo}
cp "$home/config.toml" "$root/cargo-home/" 2>/dev/null || true
[ ! -d "$home/registry" ] || { mkdir -p "$root/cargo-home/registry" && cp -a "$home/registry/." "$root/cargo-home/registry/"; }
chroot "$root" env HOME=/ CARGO_HOME=/cargo-home CARGO_TARGET_DIR=/target \
  CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc \
  sh -c "cd /src && exec cargo build --release --locked --target $target --bin stillframe"

cargo build --release --locked
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
target/release/stillframe hash --no-cache scenes --size 64x64 >"$work/here"
qemu-aarch64 -L "$root/usr/aarch64-linux-gnu" "$root/target/$target/release/stillframe" hash --no-cache scenes --size 64x64 >"$work/there"
[ -s "$work/here" ] || { echo "no scene was hashed"; exit 1; }
if ! diff "$work/here" "$work/there"; then
  echo "aarch64 and $(uname -m) differ"
  exit 1
fi
echo "$(wc -l <"$work/here") pictures equal on aarch64 and $(uname -m)"
