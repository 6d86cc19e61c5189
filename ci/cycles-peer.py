#!/usr/bin/env python3
"""Our lobes and lights beside Cycles, one at a time: the mean radiance of a sphere.

    python3.11 -m venv VENV && VENV/bin/pip install bpy==4.5.4 numpy
    VENV/bin/python ci/cycles-peer.py PATH/TO/stillframe [NAME...]

Prints rows for docs/lighting.md. Both pictures are linear, 128x128 pixels, of pixels that are covered whole. No
bounces, a box as filter, no clamping. Cycles looks along its +Y; (x, y, z) there is (x, z, -y) here.
"""
import math
import os
import subprocess
import sys
import tempfile

import bpy
import mathutils
import numpy

SIDE_PX = 128
WHITE = (1.0, 1.0, 1.0, 1.0)


def diffuse(roughness):
    return lambda tree: node(tree, "ShaderNodeBsdfDiffuse", {"Color": WHITE, "Roughness": roughness})


def glossy(roughness, aspect=1.0):
    def make(tree):
        made = node(tree, "ShaderNodeBsdfAnisotropic", {"Color": WHITE, "Roughness": roughness})
        made.distribution = "GGX"
        made.inputs["Anisotropy"].default_value = (1.0 - aspect * aspect) / 0.9
        return made

    return make


def principled(**values):
    def make(tree):
        made = node(tree, "ShaderNodeBsdfPrincipled", {name.replace("_", " "): value for name, value in values.items()})
        made.distribution = "GGX"
        return made

    return make


def node(tree, kind, values):
    made = tree.nodes.new(kind)
    for name, value in values.items():
        made.inputs[name].default_value = value
    return made


def cases():
    out = {"lambert": (diffuse(0.0), 'model = "lambert"\nbase_color = [1, 1, 1]')}
    for roughness in (0.3, 0.5, 0.7, 1.0):
        ours = f"base_color = [1, 1, 1]\nmetallic = 1.0\nroughness = {roughness}"
        out[f"ggx {roughness}"] = (glossy(roughness), ours)
    for roughness in (0.3, 0.6):
        black, grey, gold = (0.0, 0.0, 0.0, 1.0), (0.5, 0.5, 0.5, 1.0), (0.9, 0.6, 0.3, 1.0)
        rough = f"roughness = {roughness}"
        out[f"metal {roughness}"] = (
            principled(Base_Color=gold, Metallic=1.0, Roughness=roughness),
            f"base_color = [0.9, 0.6, 0.3]\nmetallic = 1.0\n{rough}",
        )
        out[f"reflection {roughness}"] = (
            principled(Base_Color=black, IOR=1.5, Roughness=roughness),
            f"base_color = [0, 0, 0]\n{rough}",
        )
        out[f"plastic {roughness}"] = (
            principled(Base_Color=grey, IOR=1.5, Roughness=roughness),
            f"base_color = [0.5, 0.5, 0.5]\n{rough}",
        )
        out[f"clearcoat {roughness}"] = (
            principled(
                Base_Color=black, Specular_IOR_Level=0.0, Coat_Weight=1.0, Coat_Roughness=roughness, Coat_IOR=1.5
            ),
            f"base_color = [0, 0, 0]\nspecular = 0.0\nclearcoat = 1.0\nclearcoat_roughness = {roughness}",
        )
        for nanometres in (300.0, 500.0):
            out[f"film {nanometres:.0f} nm {roughness}"] = (
                principled(
                    Base_Color=black,
                    IOR=1.5,
                    Roughness=roughness,
                    Thin_Film_Thickness=nanometres,
                    Thin_Film_IOR=1.3,
                ),
                f"base_color = [0, 0, 0]\n{rough}\niridescence = 1.0\niridescence_ior = 1.3\n"
                f"iridescence_thickness_nm = {nanometres}",
            )
    return out


def sun(direction):
    def theirs(scene):
        light = bpy.data.lights.new("light", "SUN")
        light.energy, light.angle = math.pi, 0.0
        turned(place(scene, light), direction)

    x, y, z = direction
    ours = f'kind = "directional"\nilluminance_lux = {math.pi}\ndirection = [{-x}, {-z}, {y}]'
    return theirs, ours


def area(shape, sides, position):
    """One that faces the sphere's middle, of radiance 10."""

    def theirs(scene):
        light = bpy.data.lights.new("light", "AREA")
        light.shape = shape
        light.size, light.size_y = sides
        surface = sides[0] * sides[1] * (math.pi / 4 if shape == "ELLIPSE" else 1.0)
        # Radiance times area times pi is a flat light's power.
        light.energy = 10.0 * math.pi * surface
        made = place(scene, light)
        made.location = position
        turned(made, position)

    x, y, z = position
    at = f"position = [{x}, {z}, {-y}]\nlook_at = [0, 0, 0]\nluminance_nits = 10.0\nshadow = false\n"
    kind = f'kind = "rect"\nsize_m = [{sides[0]}, {sides[1]}]' if shape == "RECTANGLE" else f'kind = "disk"\nradius_m = {sides[0] / 2}'
    return theirs, at + kind


def glowing_ball(radius, position):
    def theirs(scene):
        light = bpy.data.lights.new("light", "POINT")
        light.shadow_soft_size = radius
        light.use_soft_falloff = False
        light.energy = 10.0 * math.pi * 4.0 * math.pi * radius * radius
        place(scene, light).location = position

    x, y, z = position
    ours = f'kind = "sphere"\nradius_m = {radius}\nluminance_nits = 10.0\nshadow = false\nposition = [{x}, {z}, {-y}]'
    return theirs, ours


LIGHTS = {
    "front": sun((0.3, -1.0, 0.5)),
    "side": sun((1.0, -0.2, 0.3)),
    "rect": area("RECTANGLE", (1.6, 1.0), (0.9, -2.2, 1.3)),
    "disk": area("ELLIPSE", (1.4, 1.4), (0.9, -2.2, 1.3)),
    "sphere": glowing_ball(0.6, (0.9, -2.2, 1.3)),
}
# Lights with an area are compared on two surfaces that do not depend on layers.
ON_AREAS = ("lambert", "ggx 0.3", "ggx 0.5", "ggx 0.7")


def place(scene, light):
    made = bpy.data.objects.new("light", light)
    scene.collection.objects.link(made)
    return made


def turned(made, towards):
    made.rotation_euler = mathutils.Vector(towards).to_track_quat("Z", "Y").to_euler()


def stage():
    """A ball before a camera, in the dark."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    scene.render.engine = "CYCLES"
    scene.render.resolution_x = scene.render.resolution_y = SIDE_PX
    scene.render.resolution_percentage = 100
    scene.render.film_transparent = True
    scene.render.threads_mode, scene.render.threads = "FIXED", 1
    scene.cycles.device = "CPU"
    scene.cycles.use_denoising = scene.cycles.use_adaptive_sampling = False
    scene.cycles.max_bounces = 0
    scene.cycles.pixel_filter_type, scene.cycles.filter_width = "BOX", 1.0
    scene.cycles.sample_clamp_direct = scene.cycles.sample_clamp_indirect = 0.0
    settings = scene.render.image_settings
    settings.file_format, settings.color_depth, settings.color_mode = "OPEN_EXR", "32", "RGBA"
    scene.world = bpy.data.worlds.new("dark")
    scene.world.use_nodes = True
    scene.world.node_tree.nodes["Background"].inputs[1].default_value = 0.0
    camera = bpy.data.cameras.new("camera")
    camera.type, camera.ortho_scale = "ORTHO", 2.2
    made = bpy.data.objects.new("camera", camera)
    scene.collection.objects.link(made)
    made.location, made.rotation_euler = (0.0, -10.0, 0.0), (math.pi / 2, 0.0, 0.0)
    scene.camera = made
    bpy.ops.mesh.primitive_uv_sphere_add(segments=512, ring_count=256, radius=1.0)
    bpy.ops.object.shade_smooth()
    return scene, bpy.context.object


def theirs(scene, ball, surface, light, samples, folder):
    material = bpy.data.materials.new("surface")
    material.use_nodes = True
    tree = material.node_tree
    tree.nodes.clear()
    tree.links.new(surface(tree).outputs[0], tree.nodes.new("ShaderNodeOutputMaterial").inputs[0])
    ball.data.materials.clear()
    ball.data.materials.append(material)
    for earlier in [other for other in scene.objects if other.type == "LIGHT"]:
        bpy.data.objects.remove(earlier)
    light(scene)
    scene.cycles.samples = samples
    scene.render.filepath = os.path.join(folder, "theirs.exr")
    bpy.ops.render.render(write_still=True)
    image = bpy.data.images.load(scene.render.filepath)
    image.colorspace_settings.name = "Non-Color"
    pixels = numpy.array(image.pixels[:], dtype="f4").reshape(SIDE_PX, SIDE_PX, 4)[::-1]
    bpy.data.images.remove(image)
    return pixels


def ours(program, material, light, folder):
    text = f"""title = "A ball under one light"
[output]
size_px = [{SIDE_PX}, {SIDE_PX}]
samples = 16
background = "transparent"
tonemap = "none"
[camera.main]
position = [0, 0, 10]
look_at = [0, 0, 0]
height_m = 2.2
[[light]]
name = "light"
{light}
[material.surface]
{material}
[[node]]
name = "ball"
shape = "sphere"
radius_m = 1.0
segments = 256
rings = 128
material = "surface"
"""
    scene, picture = os.path.join(folder, "ours.toml"), os.path.join(folder, "ours.npy")
    with open(scene, "w") as file:
        file.write(text)
    subprocess.run([program, "render", scene, "-o", picture, "-q"], check=True)
    return numpy.load(picture)


def main(program, wanted):
    print("| lobe | light | mean here | mean in Cycles | ratio |")
    print("| --- | --- | --- | --- | --- |")
    worst = 0.0
    scene, ball = stage()
    with tempfile.TemporaryDirectory() as folder:
        for name, (surface, material) in cases().items():
            for light, (light_theirs, light_ours) in LIGHTS.items():
                is_area = light not in ("front", "side")
                if (wanted and name not in wanted) or (is_area and name not in ON_AREAS):
                    continue
                there = theirs(scene, ball, surface, light_theirs, 256 if is_area else 64, folder)
                here = ours(program, material, light_ours, folder)
                whole = (here[..., 3] > 0.999) & (there[..., 3] > 0.999)
                here, there = (picture[whole][:, :3].mean(axis=0).astype("f8") for picture in (here, there))
                luminance = numpy.array([0.2126, 0.7152, 0.0722])
                a, b = float(here @ luminance), float(there @ luminance)
                worst = max(worst, abs(a / b - 1.0))
                print(f"| {name} | {light} | {a:.5f} | {b:.5f} | {a / b:.4f} |", flush=True)
    print(f"worst {worst:.4f}", file=sys.stderr)


main(sys.argv[1], sys.argv[2:])
