#!/usr/bin/env bash
# Our comparison of two PNG files, with a picture of the difference, beside odiff's (npm's odiff-bin): whole processes, in turn.
#
#   npm install --prefix FOLDER odiff-bin && ci/odiff-peer.sh FOLDER/node_modules/@odiff/linux-x64/odiff   # without node in between
set -euo pipefail
cd "$(dirname "$0")/.."
odiff=$(realpath "$1")
target=${CARGO_TARGET_DIR:-$PWD/target}
cargo build --release -p stillframe-frames --examples
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$target/release/examples/made_pairs" "$work"
python3 - "$work" "$odiff" "$target/release/examples/compare_files" <<'PY'
import subprocess, sys, time

work, odiff, ours = sys.argv[1:]

def run(command):
    start = time.perf_counter()
    status = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode
    return (time.perf_counter() - start) * 1e3, status

print(f"{'pair':<12} {'ours, ms':>10} {'odiff, ms':>10} {'ratio':>7}")
for side in (1024, 4096):
    for name in ("same", "edge", "gain"):
        old, new, diff = (f"{work}/{side}.{part}.png" for part in ("old", name, "diff"))
        times = [[], []]
        for _ in range(7):
            for row, command in enumerate(([ours, old, new, diff], [odiff, "--antialiasing", old, new, diff])):
                taken, status = run(command)
                assert status in ((0, 1) if row == 0 else (0, 22)), (command, status)
                times[row].append(taken)
        mine, theirs = min(times[0]), min(times[1])
        print(f"{name} {side:<7} {mine:>10.1f} {theirs:>10.1f} {mine / theirs:>7.3f}")
PY
