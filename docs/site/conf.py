"""Settings of Sphinx for the site, which docs/site/build assembles and builds."""

project = "jostle"
author = "The jostle developers"
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
html_theme = "furo"
html_title = "jostle"
html_static_path = ["_static"]
html_copy_source = False
templates_path = []
root_doc = "index"

# Headings have the anchors of the links in docs/.
myst_heading_anchors = 4
myst_enable_extensions = ["html_image"]
suppress_warnings = ["myst.header", "misc.highlighting_failure", "autodoc.mocked_object"]

# Signatures and texts come from the sources; the compiled module is not needed.
autodoc_mock_imports = ["jostle._core"]
# Attributes stand in the text of a class, and once.
napoleon_use_ivar = True
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_default_options = {"members": True, "show-inheritance": True}
