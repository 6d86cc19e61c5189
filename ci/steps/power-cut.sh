#!/usr/bin/env bash
# The store of references survives a program that is ended, a disk that is full and a folder that cannot be written, at every single
# system call: afterwards it is whole, and either all old or all new. Needs strace. There is no hook for this in the program.
# `writers` does the same for the commands of the program.
set -euo pipefail
command -v strace >/dev/null || { echo "power-cut: strace is not installed (apt-get install strace)"; exit 1; }
cargo build --locked -p stillframe-frames --example accept
program=${CARGO_TARGET_DIR:-$PWD/target}/debug/examples/accept
# In memory where there is such a folder: waiting for a disk a thousand times proves nothing more.
work=$(mktemp -d -p /dev/shm 2>/dev/null || mktemp -d)
trap 'rm -rf "$work"' EXIT
calls=openat,write,rename,renameat,renameat2,fsync,fdatasync,unlink,unlinkat,mkdir,mkdirat,rmdir,flock,ftruncate,chmod,fchmod,link,linkat,symlink
renaming=rename,renameat,renameat2
# Without --seccomp-bpf: strace 6.1 sends no signal then.
trace() { strace -f -qq "$@"; }

# counts FOLDER COMMAND...: lines `CALL COUNT` of what the command does
counts() {
  local folder=$1
  shift
  trace -o "$work/log" -e trace=$calls "$program" "$@" >/dev/null
  sed -E 's/^[0-9]+ +//' "$work/log" | sed -nE 's/^([a-z0-9]+)\(.*/\1/p' | sort | uniq -c | awk '{ print $2, $1 }'
}

# everywhere NAME START WORD ADDRESS INJECTION WANTED: a copy of the folder START, `accept WORD` with the fault at every call, then
# `accept check`, whose answer must be one of WANTED.
everywhere() {
  local name=$1 start=$2 word=$3 address=$4 injection=$5 wanted=$6 runs=0 call count n said
  declare -A seen=()
  rm -rf "$work/x"
  cp -r "$start" "$work/x"
  counts "$work/x" "$word" "$work/x" "$address" >"$work/counts"
  while read -r call count; do
    for ((n = 1; n <= count; n++)); do
      rm -rf "$work/x"
      cp -r "$start" "$work/x"
      trace -o /dev/null -e trace="$call" -e inject="$call:$injection:when=$n" "$program" "$word" "$work/x" "$address" \
        >"$work/out" 2>"$work/err" && status=0 || status=$?
      if [ "$injection" = signal=KILL ] && [ "$status" != 137 ]; then
        echo "power-cut: $name: at $call number $n the program was not ended (exit status $status)"
        exit 1
      fi
      # One who could not go on takes what was staged away at once, if nothing was recorded.
      if [ "$status" = 8 ] && [ -e "$work/x/references/.store/staged" ] && [ ! -e "$work/x/references/.store/journal" ]; then
        echo "power-cut: $name: $injection at $call number $n leaves staged files: $(cat "$work/err")"
        exit 1
      fi
      said=$("$program" check "$work/x" "$address" 2>&1) || true
      if [[ "|$wanted|" != *"|$said|"* ]]; then
        echo "power-cut: $name: $injection at $call number $n: $said"
        exit 1
      fi
      # An error that is told names a file or says why; a panic is no way to tell one.
      if [ "$status" = 101 ] || { [ "$status" = 8 ] && ! grep -q "cannot be" "$work/err"; }; then
        echo "power-cut: $name: $injection at $call number $n: exit status $status: $(cat "$work/err")"
        exit 1
      fi
      # Nothing half-written is left for git to see.
      if find "$work/x/references" -name '*.tmp' -o -name 'staged' -o -name 'journal*' | grep -q .; then
        echo "power-cut: $name: $injection at $call number $n leaves $(find "$work/x/references" -name 'staged' -o -name 'journal*')"
        exit 1
      fi
      seen[$said]=$((${seen[$said]:-0} + 1))
      runs=$((runs + 1))
    done
  done <"$work/counts"
  [ "$runs" -ge 10 ] || { echo "power-cut: $name: only $runs calls were seen"; exit 1; }
  if [ "$injection" = signal=KILL ] && [[ "$wanted" = *"|"* ]] && [ ${#seen[@]} -lt 2 ]; then
    echo "power-cut: $name: ended everywhere, and yet always ${!seen[*]}"
    exit 1
  fi
  printf 'power-cut: %s, %s: %d runs' "$name" "$injection" "$runs"
  for said in "${!seen[@]}"; do printf ', %d %s' "${seen[$said]}" "$said"; done
  echo
}

for address in git dir:blobs; do
  mkdir -p "$work/empty_$address/references"
  cp -r "$work/empty_$address" "$work/before_$address"
  "$program" before "$work/before_$address" "$address" >/dev/null
  [ "$("$program" check "$work/before_$address" "$address")" = "whole: before" ]
  for injection in signal=KILL error=ENOSPC error=EROFS error=EIO; do
    everywhere "accept, $address" "$work/before_$address" after "$address" "$injection" "whole: before|whole: after"
  done
  everywhere "the first accept, $address" "$work/empty_$address" before "$address" signal=KILL "whole: empty|whole: before"

  # Ended right after the change was recorded; then what finishes it is ended too.
  cp -r "$work/before_$address" "$work/recorded_$address"
  renames=1
  [ "$address" = git ] || renames=4
  trace -o /dev/null -e trace=$renaming -e inject=$renaming:signal=KILL:when=$((renames + 1)) \
    "$program" after "$work/recorded_$address" "$address" >/dev/null 2>&1 || true
  [ -f "$work/recorded_$address/references/.store/journal" ] || { echo "power-cut: nothing was recorded"; exit 1; }
  for injection in signal=KILL error=ENOSPC; do
    everywhere "finishing, $address" "$work/recorded_$address" check "$address" "$injection" "whole: after"
  done

  if [ "$address" = dir:blobs ]; then
    cp -r "$work/before_$address" "$work/dead_$address"
    "$program" after "$work/dead_$address" "$address" >/dev/null
    everywhere "sweep, $address" "$work/dead_$address" sweep "$address" signal=KILL "whole: after"
  fi

  # A file must be on the disk before its name is: every file that is renamed was waited for after its last write.
  rm -rf "$work/x"
  cp -r "$work/before_$address" "$work/x"
  trace -y -o "$work/log" -e trace=$calls "$program" after "$work/x" "$address" >/dev/null
  awk -F '[<>]' '
    / write\(/ { dirty[$2] = 1 }
    / (fsync|fdatasync)\(/ { delete dirty[$2]; synced++ }
    / rename/ { split($0, q, "\""); renamed++; if (q[2] in dirty) { print "power-cut: renamed before it was on the disk: " q[2]; bad = 1 } }
    END { if (renamed < 5 || synced < renamed) { print "power-cut: too few calls were understood: " renamed " renames, " synced + 0 " waits"; bad = 1 } exit bad }
  ' "$work/log"
  echo "power-cut: $address: every file is on the disk before its name is"

  # Ended in the midst of a write, at every size up to that of the largest file.
  for size in 1 16 64 100 150 200 300; do
    rm -rf "$work/x"
    cp -r "$work/before_$address" "$work/x"
    { (ulimit -c 0; prlimit --fsize="$size" "$program" after "$work/x" "$address"; true) || true; } >/dev/null 2>&1
    said=$("$program" check "$work/x" "$address")
    [[ "$said" = "whole: before" || "$said" = "whole: after" ]] || { echo "power-cut: files of $size bytes at most: $said"; exit 1; }
  done
  echo "power-cut: $address: ended in the midst of writes"
done
