#!/usr/bin/env bash
# What `stillframe fuzz time` finds in the time controllers of others: for each and each ability, how many of 1,000
# scripts it plays otherwise than the exact model, and the first difference. table.txt holds the output.
#
#   ./table.sh STILLFRAME
set -euo pipefail
stillframe=$(realpath "$1")
cd "$(dirname "$0")"
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$(realpath ../../../target)}
cargo build --quiet --locked
player=$CARGO_TARGET_DIR/debug/time-peers
profile=$(mktemp) output=$(mktemp -d)
trap 'rm -rf "$profile" "$output"' EXIT

# NAME MODE OPERATIONS SPEEDS LONG_STEPS, for every controller. Bevy fires events on leaving, so also those at the start.
try() {
    local name=$1 mode=$2 operations=$3 speeds=$4 long_steps=$5 peer start events said
    for peer in bevy fyrox tween; do
        # Neither has a ping-pong.
        [ $mode = ping-pong ] && [ $peer != tween ] && continue
        start=silent events=true
        [ $peer = bevy ] && start=fires
        [ $peer = tween ] && events=false
        cat >"$profile" <<END
time = "seconds"
[draw]
modes = ["$mode"]
operations = [$operations]
repeat = false
reverse = false
at_end = ["stop"]
events = $events
spans = false
windows = false
outside = false
speeds = "$speeds"
long_steps = $long_steps
start = "$start"
length_s = [0.1, 8]
[compare]
reports = []
END
        said=$("$stillframe" fuzz time --player "$player $peer" --profile "$profile" --runs 1000 --json -o "$output" || [ $? = 1 ])
        jq -r --arg name "$name" --arg peer $peer \
            '[$name, $peer, (.findings | map(.count) | add // 0), .findings[].message] | join("  ")' <<<"$said"
    done
}

try "once" clamp '"step"' one true
try "loop, steps below its length" loop '"step"' one false
try "loop, any step" loop '"step"' one true
try "pause" loop '"step", "pause"' one false
try "speed" loop '"step", "speed"' forward false
try "backward" loop '"step", "speed"' any false
try "seek" loop '"step", "seek"' one false
try "ping-pong" ping-pong '"step"' one true
