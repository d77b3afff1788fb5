"""Which words only hold a sentence together, and which stand in any talk."""

from ..statements.stems import stem

_CHINESE = """
的 了 和 与 及 或 而 并 但 也 都 就 才 又 再 还 很 太 更 最 不 没 是 有 在 到 从 向 往 对 把 被
给 让 用 以 为 于 由 我 你 您 他 她 它 们 这 那 其 此 该 谁 几 何 个 些 一 着 过 地 得 之 所 等
会 能 可 要 想 说 请 问 来 去 上 下 里 中 时 哪 什 么 怎 吗 呢 吧 啊 呀 嘛 哦 嗯 啦
咱们 自己 怎样 如何 多少 是否 时候 因为 如果 虽然 但是 还是 就是 只是 或者 而且 以及 关于 现在 已经
曾经 记得 告诉 知道 一次 最近
"""
_ENGLISH = """
a an the and or but nor if then than so as of at by for with about against between into through
during before after above below to from up down in out on off over under again further once here
there when where why how what which who whom whose that this these those am is are was were be been
being have has had having do does did doing would could should can will shall may might must i me my
mine we us our ours you your yours he him his she her hers it its they them their theirs myself
yourself itself all any both each few more most other some such no nor not only own same too very
just also don t s ll ve re d m ever did didn doesn isn wasn please tell remember know now
"""
_ANYWHERE = """
one like time get new people good first see two make think back want because go well said way much
even need really right work year day going still take many never life world great last while best
love man home long look something use used every come part state three around always better find
help high little old since another things game give house place school next without end show big
feel sure team family keep put
"""
"""The words that English uses most, beside the function words."""
_WORDS = frozenset(_CHINESE.split()) | {stem(word) for word in _ENGLISH.split()}
_IN_ANY_TALK = frozenset(map(stem, _ANYWHERE.split()))
_CHARACTERS = frozenset(word for word in _CHINESE.split() if len(word) == 1)


def is_function_word(token: str) -> bool:
    """Tell whether a token is a function word, or a pair of them such as 是什."""
    return token in _WORDS or _CHARACTERS.issuperset(token)


def is_in_any_talk(token: str) -> bool:
    """Tell whether English says a word so often that a talk holds it whatever it is about."""
    return token in _IN_ANY_TALK
