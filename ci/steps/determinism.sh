#!/usr/bin/env bash
# One hash of every scene, whatever the threads, the instruction set, the build profile and the run.
set -euo pipefail
cargo build --release --locked
program=target/release/stillframe
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$program" hash --no-cache scenes >"$work/first"
[ -s "$work/first" ] || { echo "no scene was hashed"; exit 1; }
count=0
same() { # same NAME COMMAND...: the command must print what the first run printed
  local name=$1
  shift
  "$@" >"$work/again" || { echo "$name: exit status $?"; exit 1; }
  if ! cmp -s "$work/first" "$work/again"; then
    echo "$name: pictures differ"
    diff "$work/first" "$work/again" | head -20
    exit 1
  fi
  count=$((count + 1))
  echo "same: $name"
}
same "a second run" "$program" hash --no-cache scenes
for threads in 1 2 8; do same "threads $threads" "$program" hash --no-cache scenes --threads "$threads"; done
for isa in $("$program" adapters --json | tr -d "\n" | sed -n 's/.*"isa_levels": *\[\([^]]*\)\].*/\1/p' | tr -d '",'); do
  same "isa $isa" env STILLFRAME_ISA="$isa" "$program" hash --no-cache scenes
done
export XDG_CACHE_HOME="$work/cache"
for time in first second; do same "with the cache, the $time time" "$program" hash scenes; done
[ "$count" -ge 8 ] || { echo "no instruction set was listed"; exit 1; }
[ -x target/debug/stillframe ] || cargo build --locked
same "development build" target/debug/stillframe hash --no-cache scenes
echo "$(wc -l <"$work/first") pictures equal in $count ways"
