"""A documentation site with the theme Material for MkDocs: `mkdocs_site.py PORT DOCS`."""

import os
import shutil
import sys
from pathlib import Path

from mkdocs.commands.build import build  # type: ignore[import-not-found]
from mkdocs.config import load_config  # type: ignore[import-not-found]

SETTINGS = """
site_name: Documentation
theme:
  name: material
  font: false
  features: [navigation.tabs, navigation.sections, navigation.instant, navigation.top, search.suggest, search.highlight,
    content.code.copy, content.tabs.link, toc.follow]
  palette:
    - {scheme: default, toggle: {icon: material/brightness-7, name: Dark}}
    - {scheme: slate, toggle: {icon: material/brightness-4, name: Light}}
markdown_extensions: [admonition, pymdownx.details, pymdownx.superfences, {pymdownx.tabbed: {alternate_style: true}},
  toc, tables]
"""
INDEX = """# Welcome

=== "First"
    The first tab.

=== "Second"
    The second tab, with a [link](getting-started.md).

??? note "More"
    This was hidden.
"""


def main(port: str, docs: str) -> None:
    Path("mkdocs.yml").write_text(SETTINGS)
    shutil.copytree(docs, "docs")
    Path("docs/index.md").write_text(INDEX)
    build(load_config("mkdocs.yml"))
    server = [sys.executable, "-m", "http.server", "--bind", "127.0.0.1", "--directory", "site", port]
    os.execv(sys.executable, server)  # noqa: S606


if __name__ == "__main__":
    main(*sys.argv[1:])
