#!/usr/bin/env python3
"""Our FLIP beside NVIDIA's flip-evaluator, on pairs that we make.

    cargo run -p stillframe-frames --release --example flip_pairs -- FOLDER
    python3 -m venv VENV && VENV/bin/pip install flip-evaluator==1.7 numpy
    VENV/bin/python ci/flip-peer.py FOLDER

Prints the means as rows for crates/frames/tests/pictures/compare/flip_peer.rs. Exit status 1 if a mean differs by more than 1e-4 or a
pixel by more than 1e-3.
"""
import glob
import os
import sys

import flip_evaluator
import numpy


def main(folder):
    worst_mean = worst_pixel = 0.0
    for path in sorted(glob.glob(os.path.join(folder, "*.ours.npy"))):
        name = os.path.basename(path)[: -len(".ours.npy")]
        ours = numpy.load(path)
        kind = "HDR" if name.startswith("hdr") else "LDR"
        ending = "exr" if kind == "HDR" else "png"
        sides = [os.path.join(folder, f"{name}.{side}.{ending}") for side in ("reference", "test")]
        theirs, mean, parameters = flip_evaluator.evaluate(*sides, kind, applyMagma=False)
        theirs = numpy.asarray(theirs)
        theirs = theirs[..., 0] if theirs.ndim == 3 else theirs
        pixel = float(numpy.abs(theirs - ours).max())
        mean_apart = abs(float(ours.mean(dtype=numpy.float64)) - mean)
        worst_mean, worst_pixel = max(worst_mean, mean_apart), max(worst_pixel, pixel)
        exposures = [parameters[key] for key in ("startExposure", "stopExposure", "numExposures") if key in parameters]
        print(f'    ("{name}", {mean:.6f}), // mean {mean_apart:.1e} apart, pixels {pixel:.1e} {exposures if kind == "HDR" else ""}')
    print(f"largest: mean {worst_mean:.1e}, pixel {worst_pixel:.1e}")
    return 0 if worst_mean <= 1e-4 and worst_pixel <= 1e-3 else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
