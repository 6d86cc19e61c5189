#!/usr/bin/env bash
# Our comparison of two PNG files, with a picture of the difference, beside odiff's (npm's odiff-bin): whole processes, in turn, by the clock and in
# processor time.
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
import resource, subprocess, sys, time

work, odiff, ours = sys.argv[1:]

def processor_s():
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    return spent.ru_utime + spent.ru_stime

def run(command):
    start, spent = time.perf_counter(), processor_s()
    status = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode
    return ((time.perf_counter() - start) * 1e3, (processor_s() - spent) * 1e3), status

print(f"{'':<12} {'clock, ms':^28} {'processor, ms':^28}")
print(f"{'pair':<12}" + f" {'ours':>9} {'odiff':>9} {'ratio':>8}" * 2)
for side in (1024, 4096):
    for name in ("same", "edge", "gain"):
        old, new, diff = (f"{work}/{side}.{part}.png" for part in ("old", name, "diff"))
        times = [[], []]
        for _ in range(7):
            for row, command in enumerate(([ours, old, new, diff], [odiff, "--antialiasing", old, new, diff])):
                taken, status = run(command)
                assert status in ((0, 1) if row == 0 else (0, 22)), (command, status)
                times[row].append(taken)
        line = f"{name} {side:<7}"
        for clock in (0, 1):
            mine, theirs = (min(taken[clock] for taken in row) for row in times)
            line += f" {mine:>9.1f} {theirs:>9.1f} {mine / theirs:>8.3f}"
        print(line)
PY
