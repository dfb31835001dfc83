"""The recipes of docs/guide/formats.md run as they are written, with fewer spheres."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
from common import JOSTLE, WORK, check, finish

SPHERES = 2000
RECIPES = (Path(__file__).parents[2] / "docs/guide/formats.md").read_text().split("## Recipes")[1].split("\n## ")[0]


def environment():
    """The programs of this Python and jostle under their names."""
    programs = WORK / "bin"
    programs.mkdir()
    (programs / "jostle").symlink_to(JOSTLE)
    path = os.pathsep.join([str(programs), str(Path(sys.executable).parent), os.environ["PATH"]])
    return os.environ | {"PATH": path}


def fewer(match):
    return f"-n {min(SPHERES, int(match[1]))}"


def run(command, folder, environment):
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=600, stdin=subprocess.DEVNULL)
    return done.returncode, done.stdout + done.stderr


def run_recipe(recipe, folder, environment):
    """Runs the commands of a recipe, then its Python. Returns everything that they print."""
    name = folder.name
    folder.mkdir()
    printed = ""
    for language, text in re.findall(r"```(\w+)\n(.*?)```", recipe, re.S):
        commands = [[sys.executable, "-c", text]] if language == "python" else [["bash", "-c", line] for line in text.splitlines()]
        for command in commands:
            command[-1] = re.sub(r"-n (\d+)", fewer, command[-1])
            code, output = run(command, folder, environment)
            check(f"{name}: '{command[-1].splitlines()[0]}' succeeds", code == 0 and "Traceback" not in output, output[-800:])
            printed += output
    return printed


def settled(printed):
    """LAMMPS and LIGGGHTS ran 1000 steps with every sphere."""
    return f"for 1000 steps with {SPHERES} atoms" in printed


def has_volumes(folder):
    mesh = (folder / "rve.msh").read_text()
    return all(f'"{name}"' in mesh for name in ["spheres", "matrix", "x_low", "z_high"]) and "$Elements" in mesh


def has_porosity(printed, folder):
    packing = json.loads((folder / "pores.json").read_text())
    spheres = np.array(packing["spheres"])
    exact = 1 - 4 / 3 * np.pi * (spheres[:, 3] ** 3).sum() / packing["container"]["volume"]
    return abs(float(re.search(r"porosity (\S+)", printed)[1]) - exact) < 0.005


environment = environment()
parts = re.split(r"\n### (\w+).*\n", RECIPES)
recipes = dict(zip(parts[1::2], parts[2::2]))
check("recipes: all of them are found", list(recipes) == ["YADE", "LAMMPS", "LIGGGHTS", "OpenMC", "Gmsh", "PoreSpy"], list(recipes))
printed = {name: run_recipe(recipe, WORK / name, environment) for name, recipe in recipes.items()}
for name in ["LAMMPS", "LIGGGHTS"]:
    check(f"{name}: the script runs 1000 steps with all spheres", settled(printed[name]), printed[name][-600:])
check("Gmsh: the mesh has its volumes and faces", has_volumes(WORK / "Gmsh"))
check("PoreSpy: the porosity is that of the packing", has_porosity(printed["PoreSpy"], WORK / "PoreSpy"), printed["PoreSpy"][-200:])
finish()
