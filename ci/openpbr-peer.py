"""OpenPBR lobe by lobe, as MaterialX's own GLSL computes it: openpbr.csv in the folder given.

pip install MaterialX==1.39.5 moderngl numpy; any OpenGL 4.5 that EGL offers, for example Mesa's llvmpipe.
One directional light of irradiance 1 and nothing around; z is the normal, x the tangent. tests/light/peer.rs reads it.
"""
import math
import sys
import moderngl
import numpy as np
import MaterialX as mx
import MaterialX.PyMaterialXGenGlsl as gen_glsl
import MaterialX.PyMaterialXGenShader as gen_shader

SURFACE = """<materialx version="1.39"><open_pbr_surface name="s" type="surfaceshader"/>
<surfacematerial name="m" type="material"><input name="surfaceshader" type="surfaceshader" nodename="s"/>
</surfacematerial></materialx>"""

# Numbers of each lobe; everything else as OpenPBR has it.
DIFFUSE = {'specular_weight': 0.0}
CASES = {
    'diffuse': DIFFUSE,
    'rough diffuse': {**DIFFUSE, 'base_diffuse_roughness': 0.8},
    'dielectric': {'specular_roughness': 0.4},
    'dense dielectric': {'specular_roughness': 0.4, 'specular_ior': 2.2},
    'rough dielectric': {'specular_roughness': 0.8},
    'metal': {'base_metalness': 1.0, 'base_color': (0.9, 0.6, 0.3), 'specular_roughness': 0.4},
    'rough metal': {'base_metalness': 1.0, 'base_color': (0.9, 0.6, 0.3), 'specular_roughness': 0.8},
    'metal with an edge': {'base_metalness': 1.0, 'base_color': (0.6, 0.4, 0.3), 'specular_color': (0.5, 0.7, 0.9), 'specular_roughness': 0.4},
    'brushed metal': {'base_metalness': 1.0, 'base_color': (0.9, 0.9, 0.9), 'specular_roughness': 0.5, 'specular_roughness_anisotropy': 0.8},
    'film': {'specular_roughness': 0.4, 'thin_film_weight': 1.0, 'thin_film_thickness': 0.42},
    'coat': {'base_color': (0.6, 0.3, 0.1), 'specular_roughness': 0.6, 'coat_weight': 1.0, 'coat_roughness': 0.3, 'coat_darkening': 0.0},
    'darkening coat': {'base_color': (0.6, 0.3, 0.1), 'specular_roughness': 0.6, 'coat_weight': 1.0, 'coat_roughness': 0.3},
    'coloured coat': {'specular_roughness': 0.6, 'coat_weight': 1.0, 'coat_roughness': 0.3, 'coat_color': (0.9, 0.5, 0.3), 'coat_darkening': 0.0},
    'fuzz': {**DIFFUSE, 'base_color': (0.1, 0.1, 0.1), 'fuzz_weight': 1.0, 'fuzz_color': (0.6, 0.8, 1.0), 'fuzz_roughness': 0.5},
    'subsurface': {**DIFFUSE, 'subsurface_weight': 1.0, 'subsurface_color': (0.8, 0.4, 0.3), 'subsurface_radius': 1e-4},
}


def directions():
    """Normals of a sphere that is seen along z, 48 by equal areas, lit from the side: light and eye as they see it."""
    light = np.array([0.48, 0.36, 0.8])
    for number in range(48):
        z = math.sqrt(1.0 - (number + 0.5) / 48.0)
        angle = 2.399963229728653 * number
        n = np.array([math.sqrt(1.0 - z * z) * math.cos(angle), math.sqrt(1.0 - z * z) * math.sin(angle), z])
        t = np.cross([0.0, 1.0, 0.0], n)
        t /= np.linalg.norm(t)
        frame = np.array([t, np.cross(n, t), n])
        l, v = frame @ light, frame @ np.array([0.0, 0.0, 1.0])
        if l[2] > 0.02:
            yield l, v


def program():
    library = mx.createDocument()
    mx.loadLibraries(mx.getDefaultDataLibraryFolders(), mx.getDefaultDataSearchPath(), library)
    document = mx.createDocument()
    mx.readFromXmlString(document, SURFACE)
    document.setDataLibrary(library)
    generator = gen_glsl.GlslShaderGenerator.create()
    context = gen_shader.GenContext(generator)
    context.registerSourceCodeSearchPath(mx.getDefaultDataSearchPath())
    colors = gen_shader.DefaultColorManagementSystem.create(generator.getTarget())
    colors.loadLibrary(library)
    generator.setColorManagementSystem(colors)
    options = context.getOptions()
    options.targetColorSpaceOverride = 'lin_rec709'
    options.hwSpecularEnvironmentMethod = gen_shader.HwSpecularEnvironmentMethod.SPECULAR_ENVIRONMENT_NONE
    options.hwMaxActiveLightSources = 1
    gen_shader.HwShaderGenerator.bindLightShader(library.getNodeDef('ND_directional_light'), 1, context)
    shader = generator.generate('s', document.getMaterialNodes()[0], context)
    vertex, pixel = (shader.getSourceCode(stage) for stage in ('vertex', 'pixel'))
    drop = ('uniform surfaceshader', 'uniform displacementshader')
    pixel = '\n'.join(line for line in pixel.split('\n') if not line.startswith(drop))
    # A uniform that is declared with environments alone.
    pixel = pixel.replace('u_refractionTwoSided', 'false')
    return moderngl.create_standalone_context(backend='egl', require=450), vertex, pixel


def main(folder):
    gl, vertex, pixel = program()
    made = gl.program(vertex_shader=vertex, fragment_shader=pixel)
    same = np.identity(4, dtype='f4')
    flat = np.zeros((4, 4), dtype='f4')
    flat[3, 3] = 1.0
    for name, matrix in (('u_worldMatrix', same), ('u_worldInverseTransposeMatrix', same), ('u_viewProjectionMatrix', flat)):
        if name in made:
            made[name].write(matrix.tobytes())
    plain = {name[2:]: made[name].value for name in made if name.startswith('s_')}
    known = {'i_position': [0, 0, 0], 'i_normal': [0, 0, 1], 'i_tangent': [1, 0, 0]}
    names = [name for name in known if name in made]
    data = np.array(sum((known[name] for name in names), []), dtype='f4')
    array = gl.vertex_array(made, [(gl.buffer(data.tobytes()), ' '.join('3f' for _ in names), *names)])
    out = gl.texture((1, 1), 4, dtype='f4')
    gl.framebuffer([out]).use()
    gl.viewport = (0, 0, 1, 1)
    made['u_numActiveLightSources'].value = 1
    for name, value in (('type', 1), ('color', (1.0, 1.0, 1.0)), ('intensity', 1.0)):
        if f'u_lightData[0].{name}' in made:
            made[f'u_lightData[0].{name}'].value = value
    lines = ['# inputs of a lobe; then light, eye, what leaves; made by ci/openpbr-peer.py with MaterialX ' + mx.getVersionString()]
    for lobe, values in CASES.items():
        lines.append('lobe,' + lobe)
        for name, value in {'base_color': (0.8, 0.8, 0.8), 'specular_roughness': 0.3, **values}.items():
            numbers = value if isinstance(value, tuple) else (value,)
            lines.append('set,' + name + ',' + ','.join(str(x) for x in numbers))
        for name, value in {**plain, **values}.items():
            made['s_' + name].value = value
        for l, v in directions():
            made['u_lightData[0].direction'].value = tuple(-l)
            made['u_viewPosition'].value = tuple(1000.0 * v)
            array.render(moderngl.POINTS, vertices=1)
            color = np.frombuffer(out.read(), dtype='f4')[:3]
            numbers = ','.join(f'{x:.6g}' for x in [*l, *v, *color])
            lines.append('point,' + numbers)
    open(folder + '/openpbr.csv', 'w').write('\n'.join(lines) + '\n')
    print(gl.info['GL_RENDERER'], len(CASES), 'lobes')


main(sys.argv[1])
