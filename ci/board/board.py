#!/usr/bin/env python3
"""A board of eight balls and cards with the layers of KHR_materials, 512x512, from the start of a process to a PNG file.

    python3.11 -m venv VENV && VENV/bin/pip install f3d==4.0.0 bpy==5.0.1
    npm install --prefix MODULES playwright-core@1.65.1 three@0.187.0 filament@1.53.4
    CHROMIUM=$(command -v chromium) BOARD_MODULES=MODULES VENV/bin/python ci/board/board.py PATH/TO/stillframe FOLDER

Prints the rows of docs/performance.md and leaves the pictures in FOLDER. Each round runs every program once, in turn; the medians of five
rounds count, after one that does not. three.js and Filament draw in Chromium on SwiftShader, F3D and EEVEE on llvmpipe through EGL.
"""
import os
import re
import statistics
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
MODEL = os.path.join(HERE, "../../scenes/assets/layers.glb")
ROUNDS = 5


def programs(stillframe, out):
    ours = [stillframe, "render", os.path.join(HERE, "board.toml"), "--quiet"]
    page = ["node", os.path.join(HERE, "page.mjs")]
    return {
        "Stillframe": [*ours, "-o", f"{out}/stillframe.png"],
        "Stillframe, one sample, no shadows": [*ours, "--samples", "1", "--shadows", "off", "-o", f"{out}/plain.png"],
        "three.js": [*page, "three", MODEL, f"{out}/three.png"],
        "Filament": [*page, "filament", MODEL, f"{out}/filament.png"],
        "F3D": [sys.executable, os.path.join(HERE, "f3d_picture.py"), MODEL, f"{out}/f3d.png"],
        "EEVEE": [sys.executable, os.path.join(HERE, "eevee_picture.py"), MODEL, f"{out}/eevee.png"],
    }


def main():
    stillframe, out = sys.argv[1:]
    os.makedirs(out, exist_ok=True)
    whole, inside = {}, {}
    for number in range(ROUNDS + 1):
        for name, command in programs(stillframe, out).items():
            start = time.monotonic()
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            took_s = time.monotonic() - start
            if done.returncode != 0:
                sys.exit(f"{name}: {done.stderr}")
            if number == 0:
                continue
            whole.setdefault(name, []).append(took_s)
            if re.fullmatch(r"\d+\n", done.stdout):
                inside.setdefault(name, []).append(int(done.stdout) / 1000)
    first = statistics.median(whole["Stillframe"])
    print("| program | seconds | without the browser's start | ours / theirs |\n| --- | --- | --- | --- |")
    for name, times in whole.items():
        page = f"{statistics.median(inside[name]):.2f}" if name in inside else ""
        print(f"| {name} | {statistics.median(times):.3f} | {page} | {first / statistics.median(times):.3f} |")


main()
