#!/usr/bin/env bash
# One hash of every scene, whatever the threads, the instruction set, the build profile and the run. Every way hashes
# one scene in four, each way others; the nightly run all of them.
set -euo pipefail
cargo build --release --locked
program=target/release/stillframe
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$program" hash --no-cache scenes >"$work/first"
[ -s "$work/first" ] || { echo "no scene was hashed"; exit 1; }
parts=4
[ "${STILLFRAME_DEPTH:-}" != nightly ] || parts=1
count=0
same() { # same PART NAME COMMAND...: the command, given a part's scenes, must print what the first run printed of them
  local part=$1 name=$2 start=$SECONDS
  shift 2
  awk -v parts=$parts -v part=$((part % parts)) 'NR % parts == part' "$work/first" >"$work/wanted"
  awk '{ print $4 }' "$work/wanted" | xargs "$@" >"$work/again" || { echo "$name: exit status $?"; exit 1; }
  if ! cmp -s "$work/wanted" "$work/again"; then
    echo "$name: pictures differ"
    diff "$work/wanted" "$work/again" | head -20
    exit 1
  fi
  count=$((count + 1))
  echo "same: $name, $(wc -l <"$work/wanted") scenes, $((SECONDS - start)) s"
}
# The number of threads varies with the instruction set: every value of both has a run, in fewer runs than one each.
same 0 "a second run, 1 thread" "$program" hash --no-cache --threads 1
threads=2
for isa in $("$program" adapters --json | tr -d "\n" | sed -n 's/.*"isa_levels": *\[\([^]]*\)\].*/\1/p' | tr -d '",'); do
  same $count "isa $isa, $threads threads" env STILLFRAME_ISA="$isa" "$program" hash --no-cache --threads "$threads"
  threads=$((threads == 2 ? 8 : 2))
done
[ "$count" -ge 3 ] || { echo "no instruction set was listed"; exit 1; }
export XDG_CACHE_HOME="$work/cache"
for time in first second; do same 0 "with the cache, the $time time" "$program" hash; done
[ -x target/debug/stillframe ] || cargo build --locked
same 1 "development build" target/debug/stillframe hash --no-cache
echo "pictures of $(wc -l <"$work/first") scenes equal in $count ways"
