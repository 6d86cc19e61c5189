#!/usr/bin/env bash
# Every command that writes survives a program that is ended, a full disk and a broken disk at every system call that touches
# the project: what stands afterwards is old or new, and the exit status says which. Needs strace. `power-cut` does the same for
# the store alone, more deeply. Takes about a quarter of an hour; `bash ci/steps/writers.sh accept gc` tries these commands only.
set -euo pipefail
command -v strace >/dev/null || { echo "writers: strace is not installed (apt-get install strace)"; exit 1; }
cargo build --locked --bin stillframe
program=${STILLFRAME:-${CARGO_TARGET_DIR:-$PWD/target}/debug/stillframe}
work=$(mktemp -d -p /dev/shm 2>/dev/null || mktemp -d)
trap 'rm -rf "$work"' EXIT
export XDG_CACHE_HOME=$work/cache
unset CI
calls=openat,read,pread64,write,rename,renameat,renameat2,fsync,fdatasync,unlink,unlinkat,mkdir,mkdirat,rmdir,flock,ftruncate,getdents64,statx,newfstatat
trace() { strace -f -qq "$@"; }
ball() {
  mkdir -p "$work/old/scenes/${1%/*}"
  cat >"$work/old/scenes/$1.toml" <<SCENE
title = "A ball"
[output]
size_px = [16, 16]
[camera.main]
position = [0.0, 0.0, 3.0]
look_at = [0.0, 0.0, 0.0]
[material.paint]
base_color = "$2"
unlit = true
[[node]]
name = "ball"
shape = "sphere"
material = "paint"
SCENE
}
# still FOLDER WORDS...: the program in a project
still() { (cd "$1" && shift && exec "$program" "$@"); }
fail() {
  echo "writers: $at: $*"
  cat "$work/out" "$work/err"
  exit 1
}
# files FOLDER: its files with their content; empty folders do no harm, and version control does not see them
files() { (cd "$1" && find . -name .store -prune -o -type f -print0 | sort -z | xargs -0 -r sha256sum); }
# same A B: the files of two folders are equal
same() { diff <(files "$1") <(files "$2") >"$work/differences" 2>&1; }

mkdir -p "$work/old"
echo '[test]' >"$work/old/stillframe.toml"
ball a/one '#ff0000'; ball b/kept '#0000ff'; ball d/gone '#00ff00'
still "$work/old" test >/dev/null 2>&1 || true
still "$work/old" accept --all >/dev/null
ball a/one '#ee0000'; ball c/new '#00ffff'
rm "$work/old/scenes/d/gone.toml"
# What a run and its acceptance make of it.
cp -r "$work/old" "$work/new"
still "$work/new" test >/dev/null 2>&1 || true
still "$work/new" report show >/dev/null
page=$(cd "$work/new" && ls -d target/stillframe/runs/*/report.html | tail -1)
still "$work/new" render scenes/a/one.toml -o picture.png >/dev/null 2>&1
cp -r "$work/new" "$work/ran"
still "$work/new" accept --all >/dev/null
# What stands before each command.
start_test=$work/old
start_render=$work/rendered; cp -r "$work/old" "$start_render"; echo old >"$start_render/picture.png"
start_report=$work/reported; cp -r "$work/ran" "$start_report"; echo old >"$start_report/$page"
start_copy=$work/copied; cp -r "$work/new" "$start_copy"; echo 'store = "dir:shots"' >>"$start_copy/stillframe.toml"
start_gc=$work/swept; cp -r "$start_copy" "$start_gc"; still "$start_gc" store copy --from git >/dev/null
start_accept=$work/ran
declare -A words=([test]="test --no-cache" [render]="render scenes/a/one.toml -o picture.png" [report]="report show"
  [copy]="store copy --from git" [gc]="store gc" [accept]="accept --all")

# old_or_new STATUS FILE: it is the old one or the new one, and status 0 means the new one
old_or_new() {
  if cmp -s "$work/y/$2" "$work/ran/$2"; then return; fi
  [ "$(cat "$work/y/$2")" = old ] || fail "$2 is neither the old file nor the new one"
  [ "$1" != 0 ] || fail "$2 is the old file, and the exit status is 0"
}
# accepted: what the run says can be accepted, and is all that it was
accepted() {
  still "$work/y" accept --all >"$work/out" 2>"$work/err" || fail "the run cannot be accepted"
  same "$work/y/references" "$work/new/references" || fail "other references: $(cat "$work/differences")"
}
# state COMMAND STATUS: what must hold afterwards
state() {
  case $1 in
    test)
      same "$work/y/references" "$work/old/references" || fail "the references changed: $(cat "$work/differences")"
      # The run says that it is whole, or a new one is.
      if [ "$2" != 1 ]; then still "$work/y" test >"$work/out" 2>"$work/err" && fail "nothing differs" || [ $? = 1 ] || fail "no new run"; fi
      accepted ;;
    accept)
      if [ "$2" = 0 ]; then
        same "$work/y/references" "$work/new/references" || fail "status 0, other references: $(cat "$work/differences")"
      fi
      still "$work/y" store verify >"$work/out" 2>&1 || fail "the store is not whole"
      same "$work/y/references" "$work/old/references" || same "$work/y/references" "$work/new/references" ||
        fail "neither the old references nor the new ones: $(cat "$work/differences")"
      accepted ;;
    render) old_or_new "$2" picture.png ;;
    report) old_or_new "$2" "$page" ;;
    copy)
      [ "$2" != 0 ] || still "$work/y" store verify >"$work/out" 2>&1 || fail "status 0, and the copy is not whole"
      still "$work/y" store copy --from git >"$work/out" 2>"$work/err" || fail "it cannot be copied again"
      still "$work/y" store verify >"$work/out" 2>&1 || fail "the copy is not whole" ;;
    gc) still "$work/y" store verify >"$work/out" 2>&1 || fail "the store is not whole" ;;
  esac
}

for command in ${*:-render report copy gc accept test}; do
  start=start_$command
  rm -rf "$work/y"
  cp -r "${!start}" "$work/y"
  # shellcheck disable=SC2086
  (cd "$work/y" && trace -y -o "$work/log" -e trace=$calls "$program" ${words[$command]}) >/dev/null 2>&1 || true
  # The calls that touch the project, as strace counts them: by process.
  awk -v work="$work/y" '
    match($2, /^[a-z0-9_]+\(/) { call = substr($2, 1, RLENGTH - 1); n = ++seen[$1, call]; if (index($0, work) || $0 ~ /\(AT_FDCWD[^,]*, "[^\/]/) print call, n }
  ' "$work/log" | sort -u >"$work/counts"
  for injection in signal=KILL error=ENOSPC error=EIO; do
    declare -A ended=()
    runs=0
    while read -r call n; do
      # A full disk stops who writes.
      if [ "$injection" = error=ENOSPC ] && [[ "$call" =~ ^(read|pread64|getdents64|statx|newfstatat|flock|unlink|unlinkat|rmdir)$ ]]; then continue; fi
      rm -rf "$work/y"
      cp -r "${!start}" "$work/y"
      at="${words[$command]}, $injection at $call number $n"
      # shellcheck disable=SC2086
      (cd "$work/y" && trace -o /dev/null -e trace="$call" -e inject="$call:$injection:when=$n" "$program" ${words[$command]}) \
        >"$work/out" 2>"$work/err" && status=0 || status=$?
      at+=" (exit status $status)"
      case $command:$status in
        *:137) [ "$injection" = signal=KILL ] || fail "it was ended" ;;
        test:[1238] | accept:[0258] | *:[0258]) ;;
        *) fail "no status of a failure that is told" ;;
      esac
      if [[ ! "$status" =~ ^(0|1|137)$ ]] && [ ! -s "$work/err" ] && [ ! -s "$work/out" ]; then fail "it says nothing"; fi
      [ "$injection" = signal=KILL ] || ! find "$work/y" -name '*.tmp' | grep -q . || fail "it leaves $(find "$work/y" -name '*.tmp')"
      state "$command" "$status"
      ended[$status]=$((${ended[$status]:-0} + 1))
      runs=$((runs + 1))
    done <"$work/counts"
    [ "$runs" -ge 5 ] || { echo "writers: $command, $injection: only $runs calls were seen"; exit 1; }
    printf 'writers: stillframe %s, %s: %d runs' "${words[$command]}" "$injection" "$runs"
    for status in "${!ended[@]}"; do printf ', %d with status %s' "${ended[$status]}" "$status"; done
    echo
    unset ended
  done
done
