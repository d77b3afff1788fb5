"""Whom a text tells of: what my mother no longer does says nothing of me. Pure rules."""

from ..late import Late
from .stems import stem

_PERSON = Late(
    "外公|外婆|姥姥|姥爷|岳父|岳母|婆婆|公公|[表堂][哥姐弟妹]|老婆|老公|妻子|丈夫|太太|媳妇|儿子|女儿|孩子|孙子|孙女|侄子|外甥"
    "|同事|邻居|室友|同学|[男女]朋?友|[爸妈哥姐弟妹爷奶叔舅姑姨嫂]"
    r"|\b(?:dad|father|mom|mum|mother|brother|sister|son|daughter|wife|husband|uncle|aunt|cousin"
    r"|grand(?:ma|pa|mother|father|son|daughter)|niece|nephew|kid|child|children|colleague|roommate"
    r"|flatmate|neighbou?r|girlfriend|boyfriend|partner|fianc[eé]e?)(?:s|['’]s)?\b"
)
_ONE_NAME = {"father": "dad", "mother": "mum", "mom": "mum", "child": "kid"}


def persons(text: str) -> frozenset[str]:
    """Return the relatives and the like that a folded text names."""
    found = (word.removesuffix("'s").removesuffix("’s") for word in _PERSON.findall(text))
    named = (word if not word.isascii() else stem(word) for word in found)
    return frozenset(_ONE_NAME.get(word, word) for word in named)
