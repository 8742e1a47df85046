#!/usr/bin/env python3
# SPDX-License-Identifier: Zlib
"""Rules about the sources themselves.

    tests/rules/rules.py includes|words|format|self_contained|self_test --root .
    tests/rules/rules.py circles --root . $(find build -name '*.o')

Prints each problem and fails if there is one. The rule `self_test` breaks every other rule in a copy of the sources and
expects that rule to name the broken file.
"""
import argparse
import collections
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile

SOURCE = r".*\.(c|h|cpp|hpp|cu|cuh)"
SCRIPT = r".*\.(txt|sh)|tests/.*\.cmake"
FOLDERS = ("bridge", "gpu", "plugin", "demos", "tests")
PRODUCT = FOLDERS[:4]


class Tree:
    """The files below a root folder. `only` limits the rules to a single file."""

    def __init__(self, root, options, only=None):
        self.root, self.options, self.only = root, options, only

    def files(self, folders, pattern=SOURCE):
        found = []
        for folder in folders:
            for path, _, names in os.walk(os.path.join(self.root, folder)):
                found += [os.path.relpath(os.path.join(path, name), self.root) for name in names]
        return sorted(file for file in found if re.fullmatch(pattern, file) and self.only in (None, file))

    def lines(self, file):
        with open(os.path.join(self.root, file), encoding="utf-8") as text:
            return text.read().split("\n")

    def exists(self, file):
        return os.path.isfile(os.path.join(self.root, file))


# ------------------------------------------------------------------------------------------------------------ includes

C_TYPES = r"<(stdbool|stddef|stdint)\.h>"
LIBC = r"<(stdbool|stddef|stdint|stdlib|string|math|float|limits|assert|errno|time|stdatomic)\.h>"
STEPS = r"<(float|math|std(int|bool|def)|string)\.h>"
THREADS = r"<(fcntl|pthread|sched|signal|unistd)\.h>"
TEXT = r"<stdio\.h>"  # for snprintf; the rule `words` checks that nothing prints
VECTORS = r"<(emmintrin|immintrin|arm_neon)\.h>"
ANY = r"<[a-z_]+(\.h)?>"
PORTABLE = r"<(?!sys/|(unistd|fcntl|malloc|io|windows)\.h).*>"  # no header of a certain system
BACKEND = r'"gpu/(arrays|backend|drawing|queries|rest/rest|platform/(memory|system|worker_pool))\.h"'
BULLET = r'[<"](bullet/)?(LinearMath|BulletCollision|BulletDynamics|BulletSoftBody)/.*|[<"]bt[A-Za-z]*\.h[>"]'
API = r'"(bridge/)?cullet(_arrays|_bits|_debug|_queries|_research)?\.h"'
MESH_API = API + r'|"(bridge/mesh/)?cullet_mesh\.h"'
BRIDGE = r'"bridge/[^/]*"'
MESHES = r'"gpu/mesh/meshes\.h"'

# An expression for files, and expressions for what their #include lines may name. The first entry that matches a file
# decides; a file that no entry matches may include anything.
MAY_INCLUDE = [
    (r"bridge/cullet\.h", C_TYPES),
    (r"bridge/cullet_bits\.h", C_TYPES, r"<intrin\.h>"),
    (r"bridge/(cullet_(arrays|debug|queries|research)|mesh/cullet_mesh)\.h", API),
    (r"bridge/mesh/mesh_search\.c", API, r'"bridge/mesh/.*"', MESHES, BACKEND, LIBC, TEXT),
    (r"bridge/mesh/.*", API, r'"bridge/mesh/.*"', MESHES, BACKEND, LIBC),
    (r"bridge/(arrays|box_compare|debug_draw|proxies|publish|query)\.[ch]", BRIDGE, BACKEND, r'"gpu/core/.*"', LIBC),
    (r"bridge/backend_switch\.c", BRIDGE, BACKEND, LIBC, TEXT),  # snprintf for the log
    (r"bridge/python/.*", MESH_API, LIBC),
    (r"bridge/.*", BRIDGE, BACKEND, LIBC),
    (r"gpu/core/aabb\.h", r'"gpu/core/.*"', r'"bridge/cullet\.h"', VECTORS),  # vectors for the most frequent test
    (r"gpu/core/.*", r'"gpu/core/.*"', r'"bridge/cullet(_queries|_research)?\.h"', STEPS, VECTORS),
    (r"gpu/host/.*", API, BACKEND, r'"gpu/(core|host)/.*"', LIBC, TEXT, VECTORS),
    (r"gpu/cuda/.*", API, BACKEND, r'"gpu/(core|cuda)/.*"', LIBC, TEXT, r"<(cub/.*|cuda.*|nvtx3/.*|new|utility)>"),
    (r"gpu/platform/windows\.c", API, r'"gpu/platform/[^/]*"', LIBC, r"<(malloc|process|windows)\.h>"),
    (r"gpu/platform/(posix|quota|web_threads)\.c", API, r'"gpu/platform/[^/]*"', LIBC, THREADS, r"<sys/mman\.h>"),
    (r"gpu/rest/.*", API, r'"gpu/(core/.*|rest/[^/]*|platform/(memory|worker_pool)\.h)"', LIBC, VECTORS),
    (r"gpu/platform/.*", API, r'"gpu/platform/[^/]*"', LIBC, VECTORS),
    (r"gpu/select\.c", r'"gpu/(backend|platform/system)\.h"', TEXT),  # snprintf for the name of the CPU
    (r"gpu/mesh/core/.*", MESH_API, r'"gpu/(mesh/)?core/.*"', STEPS, VECTORS),
    (r"gpu/mesh/(host|cuda)/.*\.[ch]", MESH_API, BACKEND, r'"gpu/(core|host|mesh/core|mesh/host)/.*"', MESHES, LIBC),
    (r"gpu/mesh/cuda/.*", MESH_API, BACKEND, r'"gpu/(core|cuda|mesh/core|mesh/cuda)/.*"', MESHES, LIBC, "<new>"),
    (r"gpu/mesh/.*", MESH_API, BACKEND, r'"gpu/(mesh/)?core/.*"', LIBC),
    (r"gpu/[^/]*", r'"bridge/cullet(_debug|_queries|_research)?\.h"', r'"gpu/([^/]*|(core|platform)/[^/]*)"', LIBC),
    (r"plugin/preload/.*\.c", r'"Cullet[^/]*"', r"<sys/(mman|sendfile|stat)\.h>", ANY),
    (r"plugin/preload/CulletReport\.h", r"<sys/mman\.h>", ANY),
    (r"plugin/pair_cache/.*", r'"(Cullet[^/]*|cullet_bits\.h)"', BULLET, ANY),  # knows no broadphase
    (r"plugin/.*", API, r'"(plugin/)?([a-z_]+/)?Cullet[^/]*"', BULLET, ANY),
    (r"demos/(run|system)/.*", r'"[^/]*"', r'"(demos|plugin/preload)/.*"', "<.*>"),
    (r"demos/scenes/.*", API, r'"(demos/scenes/)?[^/]*"', PORTABLE),
    (r"demos/papers/.*", MESH_API, r'"[^/]*"', r'"demos/.*"', r'"gpu/(mesh/)?core/.*"', PORTABLE),  # for baselines
    (r"demos/.*", MESH_API, r'"(plugin/)?([a-z_]+/)?Cullet[^/]*"', BULLET, r'"[^/]*"', r'"demos/.*"', PORTABLE),
]


def included_name(line):
    match = re.match(r'[ \t]*#[ \t]*include[ \t]+([<"][^>"]*[>"])', line)
    return match and match[1]


def includes(tree):
    for file in tree.files(PRODUCT):
        allowed = next((row[1:] for row in MAY_INCLUDE if re.fullmatch(row[0], file)), [".*"])
        for name in filter(None, map(included_name, tree.lines(file))):
            if not re.fullmatch("|".join(allowed), name):
                yield f"{file} may not include {name}"


# --------------------------------------------------------------------------------------------------------------- words

LIBRARY = ("bridge", "gpu", "plugin")
RETIRED = r"stray|aside([^C]|$)|survey|skis|owed|takeover|successor"

# Files with words of gcc and clang: those with another branch for other compilers, and those for Linux alone.
GNU_ONLY = r"bridge/cullet(_bits)?\.h|gpu/host/wide/kernels\.c|gpu/platform/(posix|thread_pool)\.c|plugin/preload/.*"

# Rows of: an expression, why it is forbidden, the files that may use it, and the folders that are searched. A library
# leaves output, exit and signals to the program. Each concept has one term: unsorted, outlier, scene statistics,
# pending, failover, promotion and reported pairs have replaced the retired words.
FORBIDDEN = [
    (r"__CUDACC__", "only callable.h tells compilers apart", r"gpu/core/callable\.h", PRODUCT),
    (r"__CUDA_ARCH__", "only atomic.h and bits.h tell device from host", r"gpu/core/(atomic|bits)\.h", PRODUCT),
    (r"(^|[^A-Za-z0-9_.>:])(v?f?printf|puts|fputs|putchar|perror) *\(|std::c(out|err|log)",
     "the library does not print", "none", LIBRARY),
    (r"(^|[^A-Za-z0-9_.>:])(exit|_Exit|_exit|abort|quick_exit|raise|signal|sigaction) *\(",
     "the library neither ends its host nor takes its signals, unless the user asks the verifier for an exit code",
     r"plugin/preload/CulletInterpose\.c", LIBRARY),
    (r"__builtin_|__attribute__|__asm__|vector_size|_Pragma", "MSVC does not know it; cullet_bits.h has the usual ones",
     GNU_ONLY, LIBRARY),
    (rf"(^|[^A-Za-z])({RETIRED})|Stray|Aside|Survey|Owed|Takeover|Successor|ToldPairs|nobodyRefuses", "a retired word",
     "none", FOLDERS),
]
PEOPLE = "who whom whose whoever nobody somebody anybody everybody".split()
LOWER, TITLE = "|".join(PEOPLE), "|".join(map(str.capitalize, PEOPLE))
PRONOUN = re.compile(rf"(?<![a-z])({LOWER}|whomever|someone|anyone|everyone|no one)(?![a-z])", re.IGNORECASE)
NAME = re.compile(rf"[a-z_(, ]({TITLE})(?=[A-Z])|[a-z_]({TITLE})(?![a-z])|(?<![A-Za-z])({LOWER})(?=[A-Z])")


def comments(file, lines):
    """Yields line number, code and comment (None if there is none). In Markdown every line is a comment."""
    in_block = False
    for number, line in enumerate(lines, 1):
        if file.endswith(".md") or in_block:
            code, comment = "", line
        elif re.fullmatch(SOURCE, file):
            code, mark, rest = re.match(r"(.*?)(//|/\*|$)(.*)", line).groups()
            comment = mark + rest if mark else None
            in_block = mark == "/*"
        else:
            match = re.search(r"(^|[ \t])#([^!]|$).*", line)
            code, comment = "", match and match[0]
        in_block = in_block and "*/" not in line
        yield number, code, comment


def find_pronouns(tree, files, limit):
    """Of 1,000 comment lines of the files at most `limit` have a pronoun of people, and no identifier has one."""
    count, bad, names = 0, [], []
    for file in files:
        is_source = re.fullmatch(SOURCE, file)
        for number, code, comment in comments(file, tree.lines(file)):
            if comment is not None:
                count += 1
                bad += [f"{file}:{number}: {comment}"] if PRONOUN.search(comment) else []
            names += [f"{file}:{number}: a name: {code}"] if is_source and NAME.search(code) else []
    if names or 1000 * len(bad) > limit * count:
        yield f"more than {limit} of 1,000 comment lines have a pronoun of people, or a name:"
        yield from names + bad


def words(tree):
    for pattern, why, allowed, folders in FORBIDDEN:
        for file in tree.files(folders):
            if not re.fullmatch(allowed, file):
                yield from (f"{why}: {file}: {line}" for line in tree.lines(file) if re.search(pattern, line))
    for folder in FOLDERS:
        yield from find_pronouns(tree, tree.files([folder], f"{SOURCE}|{SCRIPT}|.*\\.(cmake|py)"), 3)
    for page in tree.files(FOLDERS, r".*\.md|plugin/Cullet[^/]*\.h|bridge/(mesh/)?cullet[^/]*\.h"):
        yield from find_pronouns(tree, [page], 0)
    if tree.only is None:
        yield from find_pronouns(tree, ["README.md"], 0)
    for file in tree.files(FOLDERS):
        if "SPDX-License-Identifier: Zlib" not in tree.lines(file)[0]:
            yield f"{file}: the first line must name the licence"


# -------------------------------------------------------------------------------------------------- format and headers

def layout(tree):
    """Every source is as clang-format 14 leaves it (other versions differ). No line is longer than 120 columns, also in
    comments, strings and scripts."""
    for file in tree.files(FOLDERS, f"{SOURCE}|{SCRIPT}"):
        yield from (f"{file}: longer than 120 columns: {line}" for line in tree.lines(file) if len(line) > 120)
    if tree.options.has_formatter:
        run = subprocess.run([tree.options.clang_format, "--dry-run", "-Werror", "--style=file", *tree.files(FOLDERS)],
                             cwd=tree.root, stderr=subprocess.PIPE, text=True)
        yield from re.findall(r".*: error: .*", run.stderr)


# Headers that need flags, and headers of other processors.
FLAGS = {
    "gpu/host/wide/simd_avx2.h": ["-mavx2"],
    "gpu/host/wide/simd_avx512.h": ["-mavx512f", "-mavx512bw", "-mavx512dq", "-mavx512vl"],
    "gpu/host/wide/kernels_body.h": ["-DCLT_KERNELS=kernels", "-DCLT_KERNELS_SIMD=clt_simdAuto"],
}
FOREIGN = "x86|sse2|avx2|avx512" if platform.machine() in ("aarch64", "arm64") else "neon|x86"


def self_contained(tree):
    """Each header compiles alone and when it is included twice, in every language that reads it."""
    tries = []
    for file in tree.files(("bridge", "gpu"), r".*\.h"):
        if not re.fullmatch(rf"gpu/cuda/.*|gpu/host/wide/simd_({FOREIGN})\.h", file):
            tries.append((file, [tree.options.c, "-x", "c", "-std=c11", "-Wconversion", "-Wmissing-prototypes",
                                 "-Wstrict-prototypes", *FLAGS.get(file, [])]))
        if re.fullmatch(r"(bridge/(mesh/)?cullet(_bits|_mesh)?|gpu/(mesh/)?core/.*)\.h", file):
            tries.append((file, [tree.options.cxx, "-x", "c++", "-std=c++17"]))
    for file, compiler in tries:
        command = compiler + "-fsyntax-only -Wall -Wextra -pedantic -Werror -I. -Ibridge -Ibridge/mesh -".split()
        run = subprocess.run(command, cwd=tree.root, input=f'#include "{file}"\n' * 2, text=True,
                             stderr=subprocess.PIPE)
        if run.returncode != 0:
            yield f"{file} does not compile alone with {compiler[0]}:\n{run.stderr}"


# ------------------------------------------------------------------------------------------------------------- circles

def find_circles(kind, edges):
    """Yields the edges (from, to, what) that are part of a circle."""
    what = collections.defaultdict(list)
    following = collections.defaultdict(list)
    for start, end, why in edges:
        what[start, end].append(why)
        following[start].append(end)

    def reached(start):
        seen, open_nodes = set(), [start]
        while open_nodes:
            fresh = set(following.get(open_nodes.pop(), [])) - seen
            seen |= fresh
            open_nodes += fresh
        return seen

    reach = {node: reached(node) for node in list(following)}
    for (start, end), why in what.items():
        if start in reach.get(end, []):
            yield f"circle of {kind}: {start} -> {end} ({','.join(why[:3])})"


def list_includes(tree, pattern):
    for file in tree.files(LIBRARY, pattern):
        for name in filter(None, map(included_name, tree.lines(file))):
            places = (os.path.dirname(file) + "/", "", "bridge/", "bridge/mesh/", "plugin/")
            found = [os.path.normpath(place + name[1:-1]) for place in places if name[0] == '"']
            yield from [(file, path) for path in found if tree.exists(path)][:1]


def folder_of(file):
    """The folder of a file, or the file itself for public headers, which folders below include too, and host_backend.c,
    which puts the parts of its folder together. For a public header of the plugin, the folder that implements it."""
    own = {"CulletBroadphase": "broadphase", "CulletGImpactAlgorithm": "gimpact"}
    if re.fullmatch(r"bridge/(mesh/)?cullet[a-z_]*\.h|gpu/host/host_backend\.c", file):
        return file
    match = re.fullmatch(r"plugin/(\w+)\.h", file)
    return "plugin/" + own[match[1]] if match and match[1] in own else os.path.dirname(file)


def list_calls(tree, objects):
    """Calls between sources, from the symbols of their objects. Objects of other or deleted sources are skipped, and
    those of unity builds show no calls. Calls through pointers do not count."""
    defined, used = {}, []
    for path in objects:
        source = re.sub(r"\.o$", "", re.sub(r".*\.dir/", "", path).replace("__/", ""))
        if source.startswith(tuple(folder + "/" for folder in LIBRARY)) and tree.exists(source):
            file = os.path.splitext(source)[0]
            for line in subprocess.check_output(["nm", "-P", path], text=True).splitlines():
                name, kind = line.split()[:2]
                if kind in "TDBRGS":
                    defined[name] = file
                elif kind == "U":
                    used.append((file, name))
    names = [(file, defined[name], name) for file, name in used if defined.get(name, file) != file]
    plain = subprocess.check_output(["c++filt", "-p"], input="\n".join(edge[2] for edge in names), text=True)
    return [(start, end, name) for (start, end, _), name in zip(names, plain.splitlines())]


def circles(tree):
    """The library has no circles of #include between headers or between folders, and no circles of calls between
    sources."""
    yield from find_circles("#include", [(*edge, "#include") for edge in list_includes(tree, r".*\.(h|cuh)")])
    every = [(folder_of(file), folder_of(path), file) for file, path in list_includes(tree, SOURCE)]
    yield from find_circles("folders", [edge for edge in every if edge[0] != edge[1]])
    yield from find_circles("calls", list_calls(tree, tree.options.objects))


# ----------------------------------------------------------------------------------------------------------- self_test

SPDX = "// SPDX-License-Identifier: Zlib\n"
BREAKS = [
    (includes, "bridge/cullet.h", "#include <string.h>"),
    (includes, "bridge/gather.c", '#include "gpu/core/aabb.h"'),
    (includes, "bridge/query.c", '#include "gpu/host/host_algorithm.h"'),
    (includes, "bridge/query.c", '#include "bridge/mesh/cullet_mesh.h"'),
    (includes, "bridge/python/queries.c", '#include "bridge/broadphase.h"'),
    (includes, "gpu/core/aabb.h", '  #  include "gpu/backend.h"'),
    (includes, "gpu/core/aabb.h", '#include "gpu/mesh/core/mesh.h"'),
    (includes, "gpu/host/extra.c", '#include "gpu/cuda/extra.h"'),
    (includes, "gpu/cuda/extra.cu", '#include "gpu/host/host_algorithm.h"'),
    (includes, "gpu/platform/memory.c", '#include "bridge/broadphase.h"'),
    (includes, "plugin/Extra.cpp", '#include "gpu/backend.h"'),
    (includes, "demos/extra.c", '#include "gpu/core/aabb.h"'),
    (includes, "demos/command/extra.cpp", "#include <unistd.h>"),
    (words, "gpu/core/curve.h", "#if defined( __CUDACC__ )\n#endif"),
    (words, "gpu/core/curve.h", "#if defined( __CUDA_ARCH__ )\n#endif"),
    (words, "gpu/platform/memory.c", 'static void say( void ) { printf( "hello" ); }'),
    (words, "bridge/gather.c", "static void quit( void ) { abort() }"),
    (words, "plugin/Extra.cpp", SPDX + "void say() { std::cout << 1 }"),
    (words, "plugin/Extra.h", SPDX + "typedef float Four __attribute__( ( vector_size( 16 ) ) );"),
    (words, "bridge/gather.c", "static int lowest( unsigned bits ) { return __builtin_ctz( bits ); }"),
    (words, "gpu/core/aabb.h", '__asm__( "" );'),
    (words, "gpu/extra.c", "int extra"),
    (words, "gpu/extra.c", SPDX + "// what is set aside"),
    (words, "demos/stress/extra.h", SPDX + "/* the box of\n   the body whose box moved */"),
    (words, "bridge/cullet.h", "// a body whose box moved"),
    (words, "demos/stress/extra.h", SPDX + "int askWhoMoved;"),
    (self_contained, "gpu/core/extra.h", SPDX + "static inline uint32_t cltExtra( void )\n{\n    return 1u;\n}"),
    (self_contained, "gpu/core/extra.h", "struct cltExtra\n{\n    int a;\n};"),
    (self_contained, "gpu/core/aabb.h", "CLT_HD int* cltExtra( void* p )\n{\n    return p;\n}"),
    (layout, "gpu/core/extra.h", "// " + "far " * 30),
    (layout, "gpu/core/extra.h", "int  extra;"),
    (circles, "bridge/extra_b.h", '  # include "extra_a.h"'),
    (circles, "gpu/core/extra.h", '#include "bridge/extra_a.h"'),
    (circles, "bridge/extra_b.c", "void cltA( void );\nvoid cltC( void )\n{\n    cltA();\n}"),
]


def self_test(tree):
    with tempfile.TemporaryDirectory() as copy:
        for file in [".clang-format", *tree.files(PRODUCT)]:
            os.makedirs(os.path.dirname(os.path.join(copy, file)), exist_ok=True)
            shutil.copy(os.path.join(tree.root, file), os.path.join(copy, file))

        def write(file, text, mode="w"):
            with open(os.path.join(copy, file), mode, encoding="utf-8") as output:
                output.write(text)

        write("bridge/extra_a.h", '#include "bridge/extra_b.h"\n')
        write("bridge/extra_a.c", "void cltB( void );\nvoid cltA( void )\n{\n    cltB();\n}\n")
        write("bridge/extra_b.c", "void cltB( void )\n{\n}\n")
        write("bridge/extra_b.h", "\n")
        tree.options.objects = [os.path.join(copy, f"x.dir/bridge/extra_{name}.c.o") for name in "ab"]
        os.makedirs(os.path.dirname(tree.options.objects[0]))

        def find(rule, file):
            if rule is not circles:
                return "\n".join(rule(Tree(copy, tree.options, file)))
            for path in tree.options.objects:
                source = path.replace("x.dir/", "").removesuffix(".o")
                subprocess.check_call([tree.options.c, "-c", source, "-o", path])
            return "\n".join(circles(Tree(copy, tree.options)))

        if find(circles, ""):
            yield "there is a circle before one was made"
        for rule, file, line in BREAKS:
            if "int  extra" in line and not tree.options.has_formatter:
                continue
            path = os.path.join(copy, file)
            before = "\n".join(Tree(copy, tree.options).lines(file)) if os.path.exists(path) else None
            write(file, line + "\n", "a")
            found = find(rule, file)
            if os.path.splitext(file)[0] not in found:
                yield f"{rule.__name__} does not name {file} with: {line}\nIt says: {found}"
            if before is None:
                os.remove(path)
            else:
                write(file, before)


def main():
    parser = argparse.ArgumentParser()
    rules = {"includes": includes, "words": words, "format": layout, "self_contained": self_contained,
             "circles": circles, "self_test": self_test}
    parser.add_argument("rule", choices=rules)
    parser.add_argument("--root", default=".")
    parser.add_argument("--c", default="cc")
    parser.add_argument("--cxx", default="c++")
    parser.add_argument("--clang-format", default="clang-format")
    parser.add_argument("objects", nargs="*")
    options = parser.parse_intermixed_args()
    formatter = shutil.which(options.clang_format)
    version = subprocess.check_output([formatter, "--version"], text=True) if formatter else ""
    options.has_formatter = "version 14." in version
    problems = list(rules[options.rule](Tree(options.root, options)))
    print("\n".join(problems))
    if problems:
        sys.exit(f"{len(problems)} problems")
    if options.rule == "format" and not options.has_formatter:
        print("clang-format 14 was not found: formatting was not checked")
        sys.exit(77)


main()
