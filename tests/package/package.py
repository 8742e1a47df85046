#!/usr/bin/env python3
# SPDX-License-Identifier: Zlib
"""Cullet as a user sees it: installed, as a subproject of the user's project, as Debian packages, and as a ZIP for
Windows.

package.py installed|subproject|deb|zip --root ROOT --build BUILD --work FOLDER [options]
"""
import argparse
import glob
import os
import platform
import re
import shlex
import shutil
import subprocess
import sys

HELLO = "0 meets 1\n1 meets 2\n"
DROP_IN = "".join(f"box {k + 1} rests at height {k}.50\n" for k in range(3))
HEAD = "cmake_minimum_required(VERSION 3.22)\nproject(user LANGUAGES C CXX)\n"


def run(*command):
    """Returns the output, and ends the test if the command fails."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        sys.exit(f"{shlex.join(command)} failed:\n{done.stdout}")
    return done.stdout


def run_in_vain(*command):
    """Returns the output, and ends the test if the command succeeds."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode == 0:
        sys.exit(f"{shlex.join(command)} should have failed")
    return done.stdout


def expect(what, text, pattern):
    if not re.fullmatch(pattern, text):
        sys.exit(f"{what} should be\n{pattern}\nbut is\n{text}")


def write(file, text):
    os.makedirs(os.path.dirname(file), exist_ok=True)
    with open(file, "w", encoding="utf-8") as output:
        output.write(text)
    return file


def build(source, *settings, target="all"):
    run("cmake", "-S", source, "-B", f"{options.work}/build", "-G", options.generator,
        f"-DCMAKE_C_COMPILER={options.c}", f"-DCMAKE_CXX_COMPILER={options.cxx}", "-DCMAKE_UNITY_BUILD=ON",
        "-DCMAKE_UNITY_BUILD_BATCH_SIZE=0", f"-DCMAKE_PREFIX_PATH={options.work}/prefix", *settings)
    run("cmake", "--build", f"{options.work}/build", "--config", options.config, "--target", target)


def flags(prefix, *packages):
    """The flags that pkg-config prints for packages that are installed below the prefix or in the system."""
    [file] = glob.glob(f"{prefix}/**/cullet.pc", recursive=True)
    os.environ["PKG_CONFIG_PATH"] = os.path.dirname(file)
    return shlex.split(run("pkg-config", "--cflags", "--libs", *packages))


def snippets(readme, language):
    """The snippets of README.md in a language. Each becomes a function that follows its #include lines."""
    text = ""
    for number, code in enumerate(re.findall(rf"\n```{language}\n(.*?)```", readme, re.DOTALL)):
        lines = code.splitlines(keepends=True)
        text += "".join(line for line in lines if line.startswith("#include"))
        text += f"void snippet{number}(void)\n{{\n"
        text += "".join(line for line in lines if not line.startswith("#include")) + "}\n"
    return text


def installed():
    """The snippets of README.md compile in the programs that linked.cmake links, of which the manual shows the parts, and
    the programs run. So they do if they are compiled by hand, with pkg-config."""
    project, prefix, root = f"{options.work}/project", f"{options.work}/prefix", options.root
    for component in ("library", "development"):
        run("cmake", "--install", options.build, "--prefix", prefix, "--config", options.config, "--component", component)
    with open(f"{root}/README.md", encoding="utf-8") as file:
        readme = file.read()
    write(f"{project}/snippets.c", "#include <cullet.h>\nextern const cltAabb boxes[4];\n" + snippets(readme, "c") +
          "const cltAabb boxes[4];\n")
    cmake = HEAD + f"add_executable(app {root}/demos/hello.c snippets.c)\n"
    if options.plugin:
        write(f"{project}/snippets.cpp", """#include <btBulletDynamicsCommon.h>
btDefaultCollisionConfiguration configuration;
btCollisionDispatcher dispatcher( &configuration );
btSequentialImpulseConstraintSolver solver;
""" + snippets(readme, "cpp"))
        cmake += f"add_executable(game {root}/demos/drop_in.cpp snippets.cpp)\n"
    with open(f"{root}/tests/package/linked.cmake", encoding="utf-8") as file:
        parts = file.read().split("\n\n")
    cmake += "\n".join(parts if options.plugin else parts[:1])
    write(f"{project}/CMakeLists.txt", cmake)
    build(project)
    expect("app", run(f"{options.work}/build/app"), HELLO)
    by_hand = f"{options.work}/by_hand"
    run(options.c, f"{root}/demos/hello.c", "-o", by_hand, *flags(prefix, "cullet"))
    expect("hello.c by hand", run(by_hand), HELLO)
    if options.plugin:
        expect("game", run(f"{options.work}/build/game"), DROP_IN)
        source = run("pkg-config", "--variable=source", "cullet-plugin").strip()
        run(options.cxx, f"{root}/demos/drop_in.cpp", source, "-o", by_hand, *flags(prefix, "cullet-plugin", "bullet"))
        expect("drop_in.cpp by hand", run(by_hand), DROP_IN)
        expect_no_mixing(source, flags(prefix, "cullet-plugin", "bullet"))


def expect_no_mixing(source, words):
    """Files of a program do not link with a plugin that was compiled for another precision or version."""
    root, plugin, other = options.root, f"{options.work}/plugin.o", f"{options.work}/other"
    run(options.cxx, "-c", source, "-o", plugin, *words)
    with open(f"{root}/bridge/cullet.h", encoding="utf-8") as file:
        write(f"{other}/cullet.h", re.sub(r"(VERSION_PATCH) \d+", r"\1 99", file.read()))
    for flag, guard in (("-DBT_USE_DOUBLE_PRECISION", r"_\d+_in_double"), (f"-I{other}", r"_99_in_single")):
        output = run_in_vain(options.cxx, flag, f"{root}/demos/drop_in.cpp", plugin, "-o", f"{options.work}/mixed", *words)
        expect(f"the linker's message with {flag}", output, rf"(?s).*cullet_plugin_\d+_\d+{guard}_precision.*")


def exports(library):
    """The functions of cullet that a shared library exports, without their versions."""
    version = r"(?:@@CULLET(?:_MESH)?_\d[\d.]*)?"
    return sorted(re.findall(rf"\b(clt\w+?){version}$", run("nm", "--dynamic", "--defined-only", library), re.MULTILINE))


def subproject():
    """As a subproject, cullet sets no variable of the project. A shared library that links it exports none of its
    functions."""
    project = f"{options.work}/project"
    write(f"{project}/CMakeLists.txt", HEAD + f"""add_subdirectory({options.root} cullet)
foreach(variable CMAKE_BUILD_TYPE CMAKE_CUDA_COMPILER CMAKE_CUDA_ARCHITECTURES BUILD_TESTING)
  if(${{variable}})
    message(FATAL_ERROR "cullet has set ${{variable}} to ${{${{variable}}}}")
  endif()
endforeach()
add_executable(app {options.root}/demos/hello.c)
target_link_libraries(app PRIVATE cullet::cullet)
add_library(plugin SHARED {options.root}/demos/hello.c)
target_link_libraries(plugin PRIVATE cullet::cullet)
""")
    build(project)
    expect("app", run(f"{options.work}/build/app"), HELLO)
    expect("exports", str(exports(f"{options.work}/build/libplugin.so")), r"\[\]")


LIBRARIES = {"libcullet": ("cullet.h", "cullet_arrays.h", "cullet_debug.h", "cullet_queries.h", "cullet_research.h"),
             "libcullet_mesh": ("mesh/cullet_mesh.h",)}


def compare_abi(abi):
    """The shared libraries, built with debugging information, still have all functions and structs of their version:
    nothing is gone, and no struct has changed. bridge/promises.md says when a description is written again."""
    folder = f"{options.root}/tests/package/abi"
    for name in LIBRARIES:
        current, released = f"{options.work}/{name}.abi", f"{folder}/{name}-{abi}.abi"
        run("abidw", "--drop-private-types", "--suppressions", f"{folder}/private.suppr", "--no-show-locs",
            "--no-comp-dir-path", "--no-corpus-path", "--no-elf-needed", "--no-parameter-names",
            "--exported-interfaces-only", "--out-file", current, f"{options.work}/build/{name}.so")
        if options.write:
            shutil.copy(current, released)
        elif not os.path.exists(released):
            sys.exit(f"no ABI description of this version: {released}")
        else:
            run("abidiff", "--no-added-syms", released, current)


def deb():
    """Packages made by CPack are taken apart (debian.sh installs them, as root). Their shared libraries export what
    their headers declare, and nothing else."""
    build(options.root, "-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_INSTALL_PREFIX=/usr", "-DBUILD_SHARED_LIBS=ON",
          "-DCULLET_CUDA=OFF", "-DCULLET_TESTS=OFF", "-DCULLET_DEMOS=OFF", "-DCMAKE_C_FLAGS=-g", target="package")
    root = f"{options.work}/root"
    packages = sorted(glob.glob(f"{options.work}/build/*.deb"))
    for package in packages:
        run("dpkg-deb", "--extract", package, root)
    with open(f"{options.root}/CMakeLists.txt", encoding="utf-8") as file:
        abi = re.search(r"project\(cullet VERSION\s+(\d+\.\d+)", file.read())[1]
    if shutil.which("abidiff") and platform.machine() == "x86_64":
        compare_abi(abi)
    development, library = packages
    expect("Depends of the library", run("dpkg-deb", "--field", library, "Depends"), r"libc6 \([^,]*\)\n")
    expect("shlibs", run("dpkg-deb", "--info", library, "shlibs"),
           rf"libcullet {abi} libcullet{abi} \(>= {abi}\.\d+\)\nlibcullet_mesh {abi} libcullet{abi} [^\n]*\n")
    expect("Depends of the headers", run("dpkg-deb", "--field", development, "Depends"),
           rf"libcullet{abi} \(= {abi}\.\d+\), libc6-dev\n")
    if shutil.which("lintian"):
        run("lintian", "--fail-on", "error,warning", *packages)

    for name, headers in LIBRARIES.items():
        [file] = glob.glob(f"{root}/**/{name}.so.{abi}", recursive=True)
        declared = []
        for header in headers:
            with open(f"{options.root}/bridge/{header}", encoding="utf-8") as text:
                declared += re.findall(r"^CLT_API [^(]*?(clt\w+)\(", text.read(), re.MULTILINE)
        expect(f"exports of {name}", str(exports(file)), re.escape(str(sorted(declared))))
    os.environ["LD_LIBRARY_PATH"] = os.path.dirname(file)
    run(options.c, f"{options.root}/demos/hello.c", "-o", f"{options.work}/hello", *flags(root, "cullet"))
    expect("hello", run(f"{options.work}/hello"), HELLO)


def imports(dll):
    return set(re.findall(r"DLL Name: (\S+)", run("x86_64-w64-mingw32-objdump", "--private-headers", dll)))


def zip_archive():
    """The DLLs in the ZIP need nothing but Windows. Programs are compiled with nothing but what lies in it, and Bullet:
    with the DLL and with the static library, by hand and by CMake."""
    toolchain = f"-DCMAKE_TOOLCHAIN_FILE={options.root}/gpu/platform/windows.cmake"
    build(options.root, toolchain, "-DCMAKE_BUILD_TYPE=Release", "-DBUILD_SHARED_LIBS=ON", "-DCULLET_CUDA=OFF",
          "-DCULLET_TESTS=OFF", "-DCULLET_DEMOS=OFF", target="package")
    [archive] = glob.glob(f"{options.work}/build/*.zip")
    shutil.unpack_archive(archive, f"{options.work}/unpacked")
    [root] = glob.glob(f"{options.work}/unpacked/*")
    for name in ("cullet", "cullet_mesh"):
        found = imports(f"{root}/bin/{name}.dll") - {"KERNEL32.dll", "msvcrt.dll", "cullet.dll"}
        expect(f"what {name}.dll needs", str(sorted(found)), r"\[\]")
    os.environ.update(WINEPATH=f"{root}/bin", WINEDEBUG="-all")
    plugin = f"{root}/share/cullet/plugin"
    for library in (f"{root}/lib/libcullet.dll.a", f"{root}/lib/libcullet.a"):
        program = f"{options.work}/by_hand.exe"
        run(options.c, f"{options.root}/demos/hello.c", f"-I{root}/include", library, "-o", program)
        expect(f"hello.c with {library}", run(options.emulator, program), HELLO)
        exported = re.findall(r"\] (clt\w+)", run("x86_64-w64-mingw32-objdump", "--private-headers", program))
        expect(f"what a program with {library} exports", str(exported), r"\[\]")
        if options.plugin:
            run(options.cxx, f"{options.root}/demos/drop_in.cpp", f"{plugin}/cullet_plugin.cpp", f"-I{root}/include",
                f"-I{plugin}", f"-I{plugin}/recorder", library, "-static", "-o", program, *shlex.split(options.bullet))
            expect(f"drop_in.cpp with {library}", run(options.emulator, program), DROP_IN)
    project = f"{options.work}/project"
    write(f"{project}/CMakeLists.txt", HEAD + "find_package(cullet REQUIRED)\n" + "".join(f"""
add_executable({name} {options.root}/demos/hello.c)
target_link_libraries({name} PRIVATE cullet::{name})""" for name in ("cullet", "cullet_static")))
    shutil.rmtree(f"{options.work}/build")
    build(project, toolchain, f"-DCMAKE_FIND_ROOT_PATH={root}")
    for name in ("cullet", "cullet_static"):
        expect(name, run(options.emulator, f"{options.work}/build/{name}.exe"), HELLO)


TESTS = {"installed": installed, "subproject": subproject, "deb": deb, "zip": zip_archive}
parser = argparse.ArgumentParser()
parser.add_argument("test", choices=TESTS)
for option in ("root", "build", "config", "work", "generator", "c", "cxx", "bullet", "emulator"):
    parser.add_argument("--" + option)
parser.add_argument("--plugin", action="store_true", help="test also the plugin; needs Bullet")
parser.add_argument("--write", action="store_true", help="deb: write the ABI descriptions instead of comparing them")
options = parser.parse_args()
shutil.rmtree(options.work, ignore_errors=True)
TESTS[options.test]()
