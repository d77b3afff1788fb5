"""Make the small font of the rig's plot out of a large one under the SIL Open Font License.

    python scripts/make_font.py /usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc

It keeps ASCII, some punctuation and the characters of the plot's texts, and gives the result a
name of its own, as the licence asks of modified versions.
"""

import argparse
from pathlib import Path

from fontTools import subset  # type: ignore[import-untyped]
from fontTools.ttLib import TTCollection, TTFont  # type: ignore[import-untyped]

from chyan_agent.rig.plot import FAMILY, FONT, characters

SOURCE = "Noto Sans CJK SC"
KEPT_NAMES = {0, 7, 11, 13, 14}
"""Copyright, trademark, vendor and licence stay; what names the font is replaced."""


def main() -> None:
    """Read the collection that is named on the command line, and write the subset."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("collection", type=Path)
    parser.add_argument("--face", default=SOURCE, help="full name of the face in the collection")
    arguments = parser.parse_args()
    font = face(arguments.collection, arguments.face)
    cut(font, characters())
    rename(font, FAMILY)
    font.save(FONT)
    print(f"{FONT}: {FONT.stat().st_size:,} bytes, {len(font.getGlyphOrder())} glyphs")


def face(path: Path, name: str) -> TTFont:
    """Return the face of a collection with this full name."""
    for font in TTCollection(path, lazy=True):
        if font["name"].getDebugName(4) == name:
            return font
    raise SystemExit(f"no face {name!r} in {path}")


def cut(font: TTFont, text: str) -> None:
    """Keep only what `text` needs."""
    options = subset.Options(
        layout_features=["kern"], hinting=False, desubroutinize=True, name_IDs=["*"]
    )
    subsetter = subset.Subsetter(options)
    subsetter.populate(text=text)
    subsetter.subset(font)


def rename(font: TTFont, family: str) -> None:
    """Give the font its own name everywhere."""
    postscript = family.replace(" ", "") + "-Regular"
    table = font["name"]
    table.names = [n for n in table.names if n.nameID in KEPT_NAMES and n.langID == 0x409]
    names = {1: family, 2: "Regular", 3: postscript, 4: family, 6: postscript}
    for number, text in names.items():
        table.setName(text, number, 3, 1, 0x409)
    cff = font["CFF "].cff
    cff.fontNames = [postscript]
    cff[0].FullName = cff[0].FamilyName = family


if __name__ == "__main__":
    main()
