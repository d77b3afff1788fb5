"""File names as they are shown: a name may hold anything but a slash and NUL."""

import unicodedata


def printable(name: str) -> str:
    r"""Return a name with undecodable bytes, control and invisible characters escaped, `\x1b`."""
    if name.isascii() and name.isprintable():
        return name
    return "".join(map(_shown, name))


def _shown(char: str) -> str:
    code = ord(char)
    if 0xDC80 <= code <= 0xDCFF:
        # How Python carries a byte of a file name that is not UTF-8.
        return f"\\x{code - 0xDC00:02x}"
    if unicodedata.category(char) in {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}:
        return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"
    return char
