#!/usr/bin/env python3
"""Tests .ci/imports.py on small trees: python3 .ci/imports_test.py"""

import tempfile
import unittest
from pathlib import Path

import imports

SOUND = {
    "lib.rs": "extern crate self as jostle;\npub mod cli;\nmod high;\nmod low;\npub use high::Pack;\n",
    "main.rs": "fn main() { jostle::cli::run(); jostle::pack(); }\n",
    "cli.rs": "use jostle::Pack;\npub fn run() {}\n",
    "high/mod.rs": "mod first;\nmod second;\npub use second::Pack;\n",
    "high/first.rs": "use crate::low::Low as L;\npub struct First;\n",
    "high/second.rs": "use super::first::{self, First};\npub struct Pack(First);\nimpl Pack { fn pack() { first::run() } }\n",
    "low.rs": "pub struct Low;\n",
}
MAP = """# A crate

```text
src/
  lib.rs, main.rs    the crate
  cli.rs      commands
  high/       may use low,
              as this line says
    second.rs   a sub-line
  low.rs
```
"""


class Imports(unittest.TestCase):
    def errors(self, changes=None, readme=MAP):
        """Returns the errors of the sound tree with other contents for some files; None removes a file."""
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            (root / "README.md").write_text(readme, encoding="utf-8")
            for name, text in {**SOUND, **(changes or {})}.items():
                file = root / "src" / name
                file.parent.mkdir(parents=True, exist_ok=True)
                if text is not None:
                    file.write_text(text, encoding="utf-8")
            return imports.check(root)[0]

    def assert_one(self, errors, *parts):
        self.assertEqual(len(errors), 1, errors)
        for part in parts:
            self.assertIn(part, errors[0])

    def test_sound_tree_passes(self):
        self.assertEqual(self.errors(), [])

    def test_import_against_the_order_fails(self):
        for code in (
            "// a comment\nuse crate::high::{self as h, Pack};\n",
            "\nfn f() -> crate::high::Pack { todo!() }\n",
            "\nuse super::Pack;\n",
            "\nuse crate::high;\nfn f(_: high::Pack) {}\n",
            "\nuse crate::high::*;\n",
        ):
            errors = self.errors({"low.rs": f"{code}pub struct Low(Pack);\n", "high/first.rs": "pub struct First;\n"})
            self.assertRegex(errors[0], r"src/low.rs:[23]: low.rs must not import .*: high/ stands above low.rs")

    def test_use_of_the_crate_root_fails(self):
        errors = self.errors({"lib.rs": SOUND["lib.rs"] + "pub const N: u32 = 1;\n", "low.rs": "use crate::N;\npub struct Low;\n"})
        self.assert_one(errors, "src/low.rs:1: low.rs must not import crate::N: lib.rs stands above low.rs")

    def test_cycle_in_one_module_fails(self):
        for code in ("use super::second::Pack;\n", "use super::Pack;\n", "type P = crate::Pack;\n", "use super::*;\ntype P = Pack;\n"):
            errors = self.errors({"high/first.rs": f"{code}pub struct First;\n"})
            self.assertTrue(any(error.startswith("import cycle:\n") for error in errors), f"{code}: {errors}")
        errors = self.errors({"high/first.rs": "use super::second::Pack;\npub struct First;\n"})
        self.assert_one(
            errors,
            "src/high/first.rs:1: imports super::second::Pack from src/high/second.rs",
            "src/high/second.rs:1: imports super::first::First from src/high/first.rs",
        )

    def test_cycle_through_mod_rs_fails(self):
        child = {"high/first.rs": "use super::Limit;\npub struct First;\n"}
        pure = "mod first;\nmod second;\npub use second::Pack;\npub use first::First;\npub struct Limit;\n"
        self.assertEqual(self.errors({**child, "high/mod.rs": pure}), [])
        errors = self.errors({**child, "high/mod.rs": pure + "fn f(_: First) {}\n"})
        self.assert_one(errors, "import cycle:", "src/high/mod.rs:4: imports first::First from src/high/first.rs")

    def test_cycle_of_three_files_is_reported_once(self):
        errors = self.errors(
            {
                "high/mod.rs": "mod first;\nmod second;\nmod third;\npub use second::Pack;\n",
                "high/first.rs": "use super::third::Third;\npub struct First;\n",
                "high/third.rs": "use super::second::Pack;\npub struct Third;\n",
            }
        )
        self.assert_one(errors, "import cycle:")
        self.assertEqual(errors[0].count("\n"), 3, errors)

    def test_tests_comments_and_strings_are_no_imports(self):
        unused = """
            // use crate::high::Pack;
            /* crate::high::Pack */
            /// [`crate::high::Pack`]
            pub struct Low;
            const TEXT: &str = "crate::high::Pack \\" crate::high::Pack";
            const RAW: &str = r#"crate::high::Pack " crate::high::Pack"#;
            const QUOTE: [char; 2] = ['"', '\\''];
            fn f<'a>(x: &'a str) -> &'a str { x }
            #[cfg(test)]
            use crate::high::Pack;
            #[cfg(test)]
            mod tests { use crate::high::Pack; fn f() { crate::high::Pack; } }
        """
        self.assertEqual(self.errors({"low.rs": unused}), [])
        used = unused.replace("#[cfg(test)]", "#[cfg(not(test))]")
        self.assertIn("src/low.rs:11: low.rs must not import crate::high::Pack", self.errors({"low.rs": used})[0])

    def test_incomplete_map_fails(self):
        self.assert_one(self.errors(readme=MAP.replace("  low.rs\n", "")), "README.md: the map of src/ lacks low.rs")
        self.assert_one(
            self.errors(readme=MAP.replace("  low.rs\n", "  low.rs\n  lower/   nothing\n")),
            "README.md:11: the map names src/lower/, which does not exist",
        )
        self.assertEqual(len(self.errors(readme="# no map\n")), 5)


if __name__ == "__main__":
    unittest.main()
