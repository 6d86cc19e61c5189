"""One picture of a model by EEVEE: python eevee_picture.py MODEL.glb OUT.png (pip install bpy==5.0.1)."""
import math
import sys

import bpy

bpy.ops.wm.read_factory_settings(use_empty=True)
bpy.ops.import_scene.gltf(filepath=sys.argv[1])
scene = bpy.context.scene
scene.render.engine = "BLENDER_EEVEE"
scene.render.resolution_x = scene.render.resolution_y = 512
scene.eevee.taa_render_samples = 4
scene.world = bpy.data.worlds.new("world")
sun = bpy.data.objects.new("sun", bpy.data.lights.new("sun", "SUN"))
sun.data.energy = 3.0
sun.rotation_euler = (math.radians(40), 0, math.radians(25))
camera = bpy.data.objects.new("camera", bpy.data.cameras.new("camera"))
camera.data.angle = math.radians(30)
camera.location = (0, -8, 0)
camera.rotation_euler = (math.radians(90), 0, 0)
for made in (sun, camera):
    scene.collection.objects.link(made)
scene.camera = camera
scene.render.filepath = sys.argv[2]
bpy.ops.render.render(write_still=True)
