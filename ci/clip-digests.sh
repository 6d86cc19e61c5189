#!/usr/bin/env bash
# Tells digests of what a stillframe does to the clips of our models: points, normals, joints and morph weights of their surfaces, poses and
# matrices from frames, textures for crowds, clips compressed. One line each; equal on every machine and for every instruction set.
#
#   ci/clip-digests.sh COMMAND...     COMMAND is stillframe, with whatever runs it before
set -euo pipefail
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
digest() { printf '%s  %s\n' "$(sha256sum <"$work/$1" | cut -c 1-32)" "$2"; }
clips() {
  local model=$1 clip
  shift
  for clip in 0 1 2 3 4 5; do
    "$@" anim dump "$model" --clip "#$clip" --frames 0,1,7,16,29 --what joints -o "$work/joints.npy" -q >/dev/null 2>&1 || break
    digest joints.npy "$model #$clip joints"
    for what in positions normals morphs; do
      # Some have no surface, some no morphs.
      "$@" anim dump "$model" --clip "#$clip" --frames 0,1,7,16,29 --what $what -o "$work/$what.npy" -q >/dev/null 2>&1 || continue
      digest $what.npy "$model #$clip $what"
    done
    for what in trs matrices; do
      "$@" anim bake "$model" --clip "#$clip" --what $what -o "$work/$what.npy" -q >/dev/null
      digest $what.npy "$model #$clip baked $what"
    done
    "$@" anim compress "$model" --clip "#$clip" -o "$work/small.clip" -q >/dev/null
    digest small.clip "$model #$clip compressed"
  done
  for what in bones vertices; do
    "$@" anim bake "$model" --what $what --clip '#0' --error-mm 5 -o "$work/$what.npy" -q >/dev/null 2>&1 || continue
    digest $what.npy "$model #0 texture of $what"
  done
}
for model in mannequin.glb mannequin_walk.fbx mannequin_wave.fbx arm.gltf doll.gltf modes.gltf limb_blend.fbx pivots.fbx; do
  clips "scenes/assets/$model" "$@"
done
