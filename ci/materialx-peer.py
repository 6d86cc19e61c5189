"""Values of MaterialX graphs, as MaterialX's own GLSL computes them: nodes.csv for nodes.mtlx.

pip install MaterialX==1.39.5 moderngl numpy; any OpenGL 4.5 that EGL offers, for example Mesa's llvmpipe.
"""
import sys, re
import numpy as np, moderngl, MaterialX as mx
import MaterialX.PyMaterialXGenShader as gen_shader, MaterialX.PyMaterialXGenGlsl as gen_glsl

folder = sys.argv[1]
doc = mx.createDocument(); mx.readFromXmlFile(doc, folder + '/nodes.mtlx')
lib = mx.createDocument(); mx.loadLibraries(mx.getDefaultDataLibraryFolders(), mx.getDefaultDataSearchPath(), lib)
doc.setDataLibrary(lib)
valid, message = doc.validate()
assert valid, message

generator = gen_glsl.GlslShaderGenerator.create()
context = gen_shader.GenContext(generator)
context.registerSourceCodeSearchPath(mx.getDefaultDataSearchPath())
colors = gen_shader.DefaultColorManagementSystem.create(generator.getTarget()); colors.loadLibrary(lib)
generator.setColorManagementSystem(colors)
context.getOptions().targetColorSpaceOverride = 'lin_rec709'
context.getOptions().fileTextureVerticalFlip = False

# position, uv (v upwards), normal, colour of a vertex
POINTS = [
    ([0.5, 0.25, -1.5], [0.3, 0.8], [0.0, 0.0, 1.0], [0.2, 0.4, 0.6, 1.0]),
    ([-1.25, 2.0, 0.75], [0.85, 0.15], [0.6, 0.0, 0.8], [1.0, 0.5, 0.25, 1.0]),
    ([1.75, 0.125, 0.1], [0.05, 0.55], [0.0, 0.8, 0.6], [0.0, 0.75, 0.1, 1.0]),
    ([2.5, 1.5, -0.4], [0.6, 0.4], [0.36, 0.48, 0.8], [0.9, 0.3, 0.7, 1.0]),
]
EYE = [0.5, 1.0, 6.0]
gl = moderngl.create_standalone_context(backend='egl', require=450)

def value(graph, point):
    shader = generator.generate('s', graph.getOutputs()[0], context)
    vertex, pixel = (shader.getSourceCode(stage) for stage in ('vertex', 'pixel'))
    program = gl.program(vertex_shader=vertex, fragment_shader=pixel)
    eye = np.identity(4, dtype='f4')
    for name in ('u_worldMatrix', 'u_worldInverseTransposeMatrix', 'u_viewProjectionMatrix'):
        if name in program:
            # The place on the screen does not matter: all corners are one point, which a point primitive draws.
            m = eye.copy()
            if name == 'u_viewProjectionMatrix':
                m = np.zeros((4, 4), dtype='f4'); m[3, 3] = 1.0
            program[name].write(m.tobytes())
    if 'u_viewPosition' in program:
        program['u_viewPosition'].value = tuple(EYE)
    place, uv, normal, color = point
    known = {'i_position': place, 'i_texcoord_0': uv, 'i_normal': normal, 'i_color_0': color}
    names = [name for name in known if name in program]
    data = np.array(sum((known[name] for name in names), []), dtype='f4')
    form = ' '.join(f'{len(known[name])}f' for name in names)
    out = gl.texture((1, 1), 4, dtype='f4'); frame = gl.framebuffer([out]); frame.use()
    gl.viewport = (0, 0, 1, 1)
    gl.vertex_array(program, [(gl.buffer(data.tobytes()), form, *names)] if names else []).render(moderngl.POINTS, vertices=1)
    return np.frombuffer(out.read(), dtype='f4')[:3]

lines = ['# material, point, red, green, blue; made by ci/materialx-peer.py with MaterialX ' + mx.getVersionString()]
for material in doc.getMaterialNodes():
    graph = doc.getNodeGraph('G_' + material.getName())
    for number, point in enumerate(POINTS):
        r, g, b = value(graph, point)
        lines.append(f'{material.getName()},{number},{r:.9g},{g:.9g},{b:.9g}')
open(folder + '/nodes.csv', 'w').write('\n'.join(lines) + '\n')
print(gl.info['GL_RENDERER'], len(lines) - 1, 'values')
