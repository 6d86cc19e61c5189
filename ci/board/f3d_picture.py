"""One picture of a model by F3D: python f3d_picture.py MODEL.glb OUT.png (pip install f3d==4.0.0)."""
import sys

import f3d

f3d.Engine.autoload_plugins()
engine = f3d.Engine.create_egl()
engine.window.size = 512, 512
engine.options.update({"model.matcap.texture": "", "ui.axis": False, "render.background.color": [0.15, 0.15, 0.17]})
engine.scene.add(sys.argv[1])
camera = engine.window.camera
camera.position, camera.focal_point, camera.view_up, camera.view_angle = (0, 0, 8), (0, 0, 0), (0, 1, 0), 30
engine.window.render_to_image().save(sys.argv[2])
