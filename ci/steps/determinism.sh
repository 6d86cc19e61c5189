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
  local name=$1 start=$SECONDS
  shift
  "$@" >"$work/again" || { echo "$name: exit status $?"; exit 1; }
  if ! cmp -s "$work/first" "$work/again"; then
    echo "$name: pictures differ"
    diff "$work/first" "$work/again" | head -20
    exit 1
  fi
  count=$((count + 1))
  echo "same: $name, $((SECONDS - start)) s"
}
# The number of threads varies with the instruction set: every value of both has a run, in fewer runs than one each.
same "a second run, 1 thread" "$program" hash --no-cache scenes --threads 1
threads=2
for isa in $("$program" adapters --json | tr -d "\n" | sed -n 's/.*"isa_levels": *\[\([^]]*\)\].*/\1/p' | tr -d '",'); do
  same "isa $isa, $threads threads" env STILLFRAME_ISA="$isa" "$program" hash --no-cache scenes --threads "$threads"
  threads=$((threads == 2 ? 8 : 2))
done
[ "$count" -ge 3 ] || { echo "no instruction set was listed"; exit 1; }
export XDG_CACHE_HOME="$work/cache"
for time in first second; do same "with the cache, the $time time" "$program" hash scenes; done
[ -x target/debug/stillframe ] || cargo build --locked
same "development build" target/debug/stillframe hash --no-cache scenes
echo "$(wc -l <"$work/first") pictures equal in $count ways"
