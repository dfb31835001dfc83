#!/usr/bin/env python3
"""Checks that every relative link in the documentation names a file and, behind #, a heading of that file: python3 .ci/links.py"""

import re
import sys
from pathlib import Path
from urllib.parse import unquote

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md")]
PAGES += sorted((ROOT / "docs").rglob("*.md"))

# Pages that only the site has.
OF_THE_SITE = {ROOT / "docs/site/packer.html"}

# The target of a link or of an image, in Markdown and in HTML.
LINK = re.compile(r"\]\(([^()\s]+)\)|(?:src|href)=\"([^\"]+)\"")
HEADING = re.compile(r"#{1,6} (.*)")


def prose(page):
    """Returns the lines outside of blocks of code."""
    lines, is_code = [], False
    for line in page.read_text().splitlines():
        if line.startswith("```"):
            is_code = not is_code
        elif not is_code:
            lines.append(line)
    return lines


def anchors(page):
    """Returns the anchors that GitHub makes of the headings: lower case, without punctuation, hyphens for spaces, numbers for repetitions."""
    found, counts = set(), {}
    for line in prose(page):
        heading = HEADING.fullmatch(line)
        if not heading:
            continue
        text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading[1]).strip().lower()
        anchor = re.sub(r"[^\w\- ]", "", text).replace(" ", "-")
        count = counts[anchor] = counts.get(anchor, -1) + 1
        found.add(f"{anchor}-{count}" if count else anchor)
    return found


def fault(page, link):
    """Returns what is wrong with a link; None if it resolves, or leaves the repository."""
    if re.match(r"[a-z]+:", link):
        return None
    path, _, anchor = unquote(link).partition("#")
    target = (page.parent / path).resolve() if path else page
    if target in OF_THE_SITE:
        return None
    if not target.is_relative_to(ROOT) or not target.exists():
        return "there is no such file"
    if anchor and (target.suffix != ".md" or anchor not in anchors(target)):
        return f"{target.relative_to(ROOT)} has no such heading"
    return None


def main():
    faults, count = [], 0
    for page in PAGES:
        # A link is not in a piece of code.
        text = re.sub(r"`[^`\n]*`", "", "\n".join(prose(page)).replace("[`", "[").replace("`]", "]"))
        for found in LINK.finditer(text):
            link = found[1] or found[2]
            count += 1
            if reason := fault(page, link):
                faults.append(f"{page.relative_to(ROOT)}: {link}: {reason}")
    print("\n".join(faults + [f"{count} links in {len(PAGES)} pages"]), file=sys.stderr if faults else sys.stdout)
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
