"""Writes the pages of the site that are made by programs: the gallery, the commands and the Python reference.

Usage: pages.py DIRECTORY JOSTLE
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
# A link of a page in a folder of docs/ to a file outside of docs/.
OUTWARD = re.compile(r"\[([^\]]*)\]\(\.\./\.\./([^)#]*)(#[^)]*)?\)")
# Subcommands with help of their own, in the order of the page.
COMMANDS = [
    "pack", "pour", "resume", "sizes", "blend", "check", "analyze", "convert", "report", "plot", "render", "tune", "completions", "man",
]  # fmt: skip


def gallery(jostle, images):
    """Makes the pictures. Returns the page."""
    page = ["# Gallery", "", "Each picture is made by the commands below it.", ""]
    with tempfile.TemporaryDirectory() as folder:
        for picture in tomllib.loads((HERE / "gallery.toml").read_text())["picture"]:
            for command in picture["commands"]:
                arguments = [str(jostle), *command.split()[1:]]
                subprocess.run(arguments, cwd=folder, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            name = picture["commands"][-1].split()[-1]
            shutil.copy(Path(folder) / name, images / f"gallery-{name}")
            page += [f"## {picture['title']}", "", picture["text"], "", f"![{picture['title']}](images/gallery-{name})", ""]
            page += ["```sh", *picture["commands"], "```", ""]
    return "\n".join(page)


def commands(jostle):
    """Returns the page with the long help of each command."""
    page = ["# Commands", "", "The long help of each subcommand, as `jostle help SUBCOMMAND` prints it.", ""]
    for command in COMMANDS:
        result = subprocess.run([jostle, "help", command], capture_output=True, text=True, check=True, env={**os.environ, "COLUMNS": "100"})
        page += [f"## jostle {command}", "", "```text", result.stdout.rstrip(), "```", ""]
    return "\n".join(page)


def python():
    """Returns the page with the public classes and functions of the Python package."""
    sys.path.insert(0, str(ROOT / "python"))
    names = public_names(ROOT / "python" / "jostle" / "__init__.py")
    page = ["# Python reference", "", "[The guide](guide/python.md) has examples.", ""]
    for name in names:
        page += [f"```{{eval-rst}}\n.. autodata:: jostle.{name}\n   :no-value:\n```" if name.isupper() else object_block(name), ""]
    return "\n".join(page)


def public_names(module):
    """Returns the names in `__all__` of a module, without importing it."""
    import ast

    for node in ast.parse(module.read_text()).body:
        targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
        if any(isinstance(target, ast.Name) and target.id == "__all__" for target in targets):
            return [name for name in ast.literal_eval(node.value) if not name.startswith("_")]
    raise SystemExit(f"{module} has no __all__")


def object_block(name):
    kind = "class" if name[0].isupper() else "function"
    return f"```{{eval-rst}}\n.. auto{kind}:: jostle.{name}\n```"


def sources():
    """Returns the page with the papers that README.md lists."""
    _, section = (ROOT / "README.md").read_text().split("## Sources\n", 1)
    return f"# Sources\n\n{section.split('To cite', 1)[0].strip()}\n"


def lead_inward(page, source):
    """Lets the links of a page stay in the site: files outside of docs/ become downloads, and folders become text."""

    def link(match):
        text, path, anchor = match.groups()
        if (path, anchor) == ("README.md", "#sources"):
            return f"[{text}](../sources.md)"
        if not (ROOT / path).is_file():
            return text
        copy = source / "files" / path
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / path, copy)
        return f"[{text}](../files/{path})"

    page.write_text(OUTWARD.sub(link, page.read_text()))


def main():
    source, jostle = Path(sys.argv[1]), Path(sys.argv[2])
    for page in source.glob("*/*.md"):
        lead_inward(page, source)
    (source / "sources.md").write_text(sources())
    (source / "gallery.md").write_text(gallery(jostle, source / "images"))
    (source / "commands.md").write_text(commands(jostle))
    (source / "python.md").write_text(python())


if __name__ == "__main__":
    main()
