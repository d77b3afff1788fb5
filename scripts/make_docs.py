"""Write the generated blocks of the READMEs anew: the table of settings."""

import argparse
from pathlib import Path

from chyan_agent.config import config_table
from chyan_agent.prompts import Language

ROOT = Path(__file__).resolve().parent.parent
READMES: dict[str, Language] = {"README.md": "en", "README.zh-CN.md": "zh"}
BEGIN, END = "<!-- config:begin -->", "<!-- config:end -->"


def generated(text: str, language: Language) -> str:
    """Return a README with its generated block as it should be."""
    head, _, rest = text.partition(BEGIN)
    _, _, tail = rest.partition(END)
    return f"{head}{BEGIN}\n{config_table(language).strip()}\n{END}{tail}"


def main() -> int:
    """Write the blocks, or with --check say which file is out of date."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="change nothing; exit 1 if stale")
    check = parser.parse_args().check
    stale = 0
    for name, language in READMES.items():
        path = ROOT / name
        text = path.read_text(encoding="utf-8")
        wanted = generated(text, language)
        if wanted != text:
            stale = 1
            print(f"{name} is out of date" if check else f"{name} written")
            if not check:
                path.write_text(wanted, encoding="utf-8")
    return stale if check else 0


if __name__ == "__main__":
    raise SystemExit(main())
