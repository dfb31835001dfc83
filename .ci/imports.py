#!/usr/bin/env python3
"""Checks the import structure of src/: python3 .ci/imports.py [ROOT OF THE REPOSITORY]

1. README's map of src/ names every module and file directly in src/, and nothing else.
2. A module uses only modules further down in that map. lib.rs and main.rs may use every module.
3. No imports between files form a cycle, not even between two files of one module.

An import is a `use`, or a path in the code, that leads to an item of another file. The check follows a name through `use`
and `pub use` to the file that defines it. These are no imports: `mod x;`, a `pub use` of a name that its own file does not
use, and everything under #[cfg(test)]. The parser reads tokens, not types: it cannot see names that a macro makes.
`python3 .ci/imports_test.py` tests the check.
"""

import re
import sys
from collections import deque
from pathlib import Path

TOKEN = re.compile(
    r"""//[^\n]*|/\*.*?\*/                                              # comments
      |[bc]?r(?P<hashes>\#*)".*?"(?P=hashes)|[bc]?"(?:\\.|[^"\\])*"     # strings
      |b?'(?:\\[^']+|\\'|[^\\'])'|'\w+                                  # characters and lifetimes
      |(?P<token>\w+|::|\S)""",
    re.VERBOSE | re.DOTALL,
)
DEFINES = {"fn", "struct", "enum", "union", "trait", "type", "const", "static", "macro_rules"}
CLOSING = {"{": "}", "(": ")", "[": "]"}


class Module:
    """One module: a file, or an inline `mod x { … }` in a file."""

    def __init__(self, file, parent=None):
        self.file, self.parent = file, parent
        self.crate = parent.crate if parent else self
        self.children = {}  # name -> Module
        self.items = set()  # names of the items that this module defines
        self.uses = {}  # name -> path that a `use` binds to it
        self.globs = []  # paths of `use path::*`
        self.imports = []  # (line, path, re-exported name or None) of each `use` and each path in the code
        self.words = set()  # names that occur outside of `use`


def tokens_of(file):
    """Returns the tokens of a file with their lines, without comments, strings and lifetimes."""
    text = file.read_text(encoding="utf-8")
    tokens, line, at = [], 1, 0
    for match in TOKEN.finditer(text):
        line, at = line + text.count("\n", at, match.start()), match.start()
        if match["token"]:
            tokens.append((match["token"], line))
    return tokens


def after_bracket(tokens, i):
    """Returns the position after the bracket that closes the one at `i`."""
    opening, depth = tokens[i][0], 0
    while True:
        depth += (tokens[i][0] == opening) - (tokens[i][0] == CLOSING[opening])
        i += 1
        if depth == 0:
            return i


def after_item(tokens, i):
    """Returns the position after the item at `i`: after its `;` or its braces."""
    while tokens[i][0] not in (";", "{", "}"):
        i = after_bracket(tokens, i) if tokens[i][0] in CLOSING else i + 1
    return after_bracket(tokens, i) if tokens[i][0] == "{" else i + (tokens[i][0] == ";")


def use_tree(tokens, i, prefix):
    """Returns the (path, name) pairs of the `use` tree at `i`, and the position after it. The name of a glob is `*`."""
    path = list(prefix)
    while True:
        word, i = tokens[i][0], i + 1
        if word == "{":
            pairs = []
            while tokens[i][0] != "}":
                more, i = use_tree(tokens, i, path)
                pairs += more
                i += tokens[i][0] == ","
            return pairs, i + 1
        if word == "*":
            return [(path, "*")], i
        if word != "::" and not (word == "self" and path):
            path.append(word)
        if tokens[i][0] == "as":
            return [(path, tokens[i + 1][0])], i + 2
        if word != "::" and tokens[i][0] != "::":
            return [(path, path[-1])], i


def scan(module, tokens):
    """Enters the children, items and imports of `tokens` into `module`."""
    tokens, i, depth = tokens + [("", 0)] * 3, 0, 0
    while tokens[i][0]:
        (word, line), before, following = tokens[i], tokens[i - 1][0], tokens[i + 1][0]
        if word == "#" and following in ("[", "!"):
            start = i + 1 + (following == "!")
            i = after_bracket(tokens, start)
            attribute = [token for token, _ in tokens[start:i]]
            if attribute[1] == "cfg" and "test" in attribute and "not" not in attribute:
                i = after_item(tokens, i)
        elif word == "choice" and following == "!":
            # The body is an enumeration.
            end = after_bracket(tokens, i + 2)
            scan(module, tokens[i + 3 : end - 1])
            i = end
        elif word == "mod" and depth == 0:
            end = after_item(tokens, i)
            scan_child(module, following, tokens[i + 3 : end - 1])
            i = end
        elif word == "use" and following != "<":
            pairs, i = use_tree(tokens, i + 1, [])
            for path, name in pairs:
                module.imports.append((line, path, name if before in ("pub", ")") else None))
                if name == "*":
                    module.globs.append(path)
                else:
                    module.uses.setdefault(name, path)
        else:
            depth += (word == "{") - (word == "}")
            if depth == 0 and word in DEFINES:
                module.items.add(tokens[i + 2][0] if following in ("!", "mut") else following)
            i += 1
            if word.isidentifier() and before not in (".", "::"):
                path = [word]
                while tokens[i][0] == "::" and tokens[i + 1][0].isidentifier():
                    path.append(tokens[i + 1][0])
                    i += 2
                if before not in DEFINES:
                    module.words.add(word)
                if len(path) > 1:
                    module.imports.append((line, path, None))


def scan_child(module, name, body):
    """Reads the child module `name`: from its `body` if it is inline, else from its file."""
    folder, is_root = module.file.parent, module.file.name in ("lib.rs", "main.rs", "mod.rs")
    folder = folder if is_root else folder / module.file.stem
    files = [module.file] if body else [folder / f"{name}.rs", folder / name / "mod.rs"]
    for file in filter(Path.exists, files):
        child = module.children[name] = Module(file, module)
        scan(child, body or tokens_of(file))


def resolve(library, module, path, visited=frozenset()):
    """Returns the Module or the file that `path` names in `module`; None for a name from outside of the crate."""
    # The command line belongs to the library and uses it by its name.
    starts = {"crate": module.crate, "self": module, "super": module.parent, "jostle": library}
    is_ours = path[0] in starts
    here, path = (starts[path[0]], path[1:]) if is_ours else (module, path)
    while path and here:
        name, path = path[0], path[1:]
        if name == "super":
            here = here.parent
        elif name in here.children and (path or name not in here.items | here.uses.keys()):
            here = here.children[name]
        elif name in here.items:
            return here.file
        else:
            targets = [here.uses[name]] if name in here.uses else [glob + [name] for glob in here.globs]
            if (here, name) in visited:
                return None
            nested = (resolve(library, here, target, visited | {(here, name)}) for target in targets)
            found = next(filter(None, nested), None)
            if not isinstance(found, Module):
                return found or (here.file if is_ours and name not in here.uses else None)
            here = found
        is_ours = True
    return here


def imports_of(library, module):
    """Yields (line, path, file) for every import of `module` and of the inline modules in it."""
    for line, path, exported in module.imports:
        target = resolve(library, module, path)
        # The paths through a module are the imports, but a glob hides them.
        names = []
        if isinstance(target, Module) and path in module.globs:
            names = sorted(module.words & (target.items | target.uses.keys()) - module.items)
        targets = [resolve(library, target, ["self", name]) for name in names] or [target]
        for file in targets:
            is_used = exported is None or exported in module.words
            if isinstance(file, Path) and file != module.file and is_used:
                yield line, "::".join(path + ["*"] * bool(names)), file
    for child in module.children.values():
        if child.file == module.file:
            yield from imports_of(library, child)


def files_below(module):
    """Yields `module` and every module of another file below it."""
    yield module
    for child in module.children.values():
        yield from (below for below in files_below(child) if below.file != module.file)


def read_map(readme):
    """Returns the entries of README's map of src/ in order, with their lines: {"index/": 12, …}."""
    entries, is_inside = {}, False
    for number, line in enumerate(readme.read_text(encoding="utf-8").splitlines(), 1):
        names = re.match(r"  (\w+(?:/|\.rs)(?:, \w+(?:/|\.rs))*)(?=\s|$)", line)
        if is_inside and names:
            entries.update((name, number) for name in names[1].split(", "))
        is_inside = (is_inside or line == "src/") and not line.startswith("```")
    return entries


def check_map(entries, src):
    """Yields an error for every difference between README's map and the folder src/."""
    present = {path.name + "/" * path.is_dir() for path in src.iterdir()}
    for name in sorted(present - entries.keys()):
        yield f"README.md: the map of src/ lacks {name}"
    for name in [name for name in entries if name not in present]:
        yield f"README.md:{entries[name]}: the map names src/{name}, which does not exist"


def check_order(edges, entries, src):
    """Yields an error for every import of a module that stands higher in the map."""
    rank = {name: position for position, name in enumerate(entries)}
    for (file, target), (line, path) in edges.items():
        parts = [module.relative_to(src).parts for module in (file, target)]
        user, used = (part[0] + "/" * (len(part) > 1) for part in parts)
        if user not in ("lib.rs", "main.rs") and rank.get(used, len(rank)) < rank.get(user, -1):
            yield f"{file}:{line}: {user} must not import {path}: {used} stands above {user} in README's map"


def check_cycles(edges):
    """Yields an error for every import cycle that shares no import with a shorter one."""
    targets, reported = {}, set()
    for file, target in edges:
        targets.setdefault(file, []).append(target)
    for cycle in sorted(filter(None, (shortest_cycle(targets, *edge) for edge in edges)), key=len):
        steps = list(zip(cycle, cycle[1:] + cycle[:1]))
        if reported.isdisjoint(steps):
            reported.update(steps)
            lines = [(file, *edges[file, target], target) for file, target in steps]
            yield "import cycle:" + "".join("\n  {}:{}: imports {} from {}".format(*line) for line in lines)


def shortest_cycle(targets, start, first):
    """Returns the files of the shortest cycle that begins with the import of `first` by `start`; None if there is none."""
    came_from, queue = {first: start}, deque([first])
    while queue and start not in came_from:
        file = queue.popleft()
        for target in targets.get(file, []):
            if target not in came_from:
                came_from[target] = file
                queue.append(target)
    if start not in came_from:
        return None
    cycle = [came_from[start]]
    while cycle[-1] != start:
        cycle.append(came_from[cycle[-1]])
    return cycle[::-1]


def check(root):
    """Returns all errors, and the number of files and of imports between them."""
    src, edges, files = root / "src", {}, 0
    crates = {name: Module(src / name) for name in ("lib.rs", "main.rs") if (src / name).exists()}
    for crate in crates.values():
        scan(crate, tokens_of(crate.file))
    for crate in crates.values():
        for module in files_below(crate):
            files += 1
            for line, path, target in sorted(imports_of(crates.get("lib.rs"), module)):
                edges.setdefault((module.file, target), (line, path))
    entries = read_map(root / "README.md")
    errors = [*check_map(entries, src), *check_order(edges, entries, src), *check_cycles(edges)]
    return [error.replace(f"{root}/", "") for error in errors], files, len(edges)


def main():
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent
    errors, files, imports = check(root)
    print(*errors, f"{files} files in src/, {imports} imports between them, {len(errors)} errors", sep="\n")
    return bool(errors)


if __name__ == "__main__":
    sys.exit(main())
