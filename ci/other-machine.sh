#!/usr/bin/env bash
# Proves equal results on another machine: builds for aarch64, runs under qemu's user emulation, and compares with this x86-64
# machine's the digests of everything that stillframe-anim computes (its example `digest`), of what is done to the clips of our models
# (`ci/clip-digests.sh`, here on every instruction set), and `stillframe hash --no-cache scenes --size 64x64`. Run it by hand, as root on a Debian-like system, before a
# release, whenever PIXEL_CONTRACT changes, and whenever crates/anim/tests/jobs/digest/table.txt does:
#
#   ci/other-machine.sh [anim] [FOLDER]     FOLDER keeps the toolchain (2.5 GB, made once); default: ~/.cache/stillframe/aarch64
#
# `anim` leaves the pictures out but for skinned ones: half an hour instead of hours.
#
# The toolchain is Debian's own (debootstrap of sid: rustc, cargo, the aarch64 linker and libraries); nothing else is fetched
# but the crates of Cargo.lock. Emulation is 40 to 100 times slower than the machine: hence the small pictures.
set -euo pipefail
cd "$(dirname "$0")/.."
pictures=yes
if [ "${1:-}" = anim ]; then pictures=; shift; fi
root=${1:-$HOME/.cache/stillframe/aarch64}
target=aarch64-unknown-linux-gnu

if [ ! -x "$root/usr/bin/cargo" ]; then
  mkdir -p "$root"
  apt-get install -y -qq debootstrap qemu-user >/dev/null
  mirror=$(apt-get indextargets --format '$(REPO_URI) $(ORIGIN) $(LABEL)' | awk '$2 == "Debian" && $3 == "Debian" {print $1; exit}')
  debootstrap --variant=minbase --arch=amd64 sid "$root" "$mirror" >/dev/null
  cp /etc/resolv.conf "$root/etc/" 2>/dev/null || true
  cp /etc/apt/apt.conf.d/*proxy* "$root/etc/apt/apt.conf.d/" 2>/dev/null || true
  # A mirror may be a copy of some day.
  echo 'Acquire::Check-Valid-Until "false";' >"$root/etc/apt/apt.conf.d/90copy"
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
build() {
  chroot "$root" env HOME=/ CARGO_HOME=/cargo-home CARGO_TARGET_DIR=/target \
    CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc \
    sh -c 'cd /src && exec cargo build --release --locked --target '"$target"' "$@"' sh "$@"
}
there() { qemu-aarch64 -L "$root/usr/aarch64-linux-gnu" "$root/target/$target/release/$1" "${@:2}"; }
here=$(realpath -m "${CARGO_TARGET_DIR:-target}")/release
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# same WHAT: the two lists are equal, and there is something in them.
same() {
  [ -s "$work/here" ] || { echo "no $1: nothing was compared"; exit 1; }
  diff "$work/here" "$work/there" || { echo "aarch64 and $(uname -m) differ"; exit 1; }
  echo "$(wc -l <"$work/here") $1 equal on aarch64 and $(uname -m)"
}

build -p stillframe-anim --example digest
cargo build --release --locked -p stillframe-anim --example digest
"$here/examples/digest" >"$work/here"
diff crates/anim/tests/jobs/digest/table.txt "$work/here" || { echo "this machine's digests are not those of the table"; exit 1; }
there examples/digest >"$work/there"
same "digests of stillframe-anim"

build --bin stillframe
cargo build --release --locked
ci/clip-digests.sh "$here/stillframe" >"$work/here"
STILLFRAME_ISA=sse2 ci/clip-digests.sh "$here/stillframe" >"$work/there"
same "digests of clips, by sse2 and by the widest,"
ci/clip-digests.sh qemu-aarch64 -L "$root/usr/aarch64-linux-gnu" "$root/target/$target/release/stillframe" >"$work/there"
same "digests of clips"
scenes=scenes size=64x64
[ -n "$pictures" ] || scenes=scenes/animation/skin size=32x32
"$here/stillframe" hash --no-cache $scenes --size $size >"$work/here"
there stillframe hash --no-cache $scenes --size $size >"$work/there"
same pictures
