"""English words to their stems, by a few rules: enough for runs, running and run to meet."""

from ..late import Late

_IRREGULAR_FORMS = """
became:become began:begin bought:buy broke:break broken:break brought:bring built:build came:come
caught:catch children:child chose:choose chosen:choose did:do done:do drank:drink drove:drive
driven:drive ate:eat eaten:eat fell:fall feet:foot felt:feel flew:fly forgot:forget forgotten:forget
found:find gave:give given:give gone:go got:get grew:grow grown:grow heard:hear held:hold kept:keep
knew:know known:know led:lead left:leave lent:lend lost:lose made:make men:man met:meet
mice:mouse paid:pay people:person ran:run sang:sing sat:sit said:say saw:see seen:see sent:send
slept:sleep sold:sell spent:spend spoke:speak spoken:speak stood:stand swam:swim taken:take
taught:teach teeth:tooth thought:think threw:throw told:tell took:take understood:understand
went:go woke:wake women:woman won:win wore:wear worn:wear written:write wrote:write
"""
_IRREGULAR = dict(pair.split(":") for pair in _IRREGULAR_FORMS.split())
_VOWEL = Late("[aeiouy]")


def stem(word: str) -> str:
    """Return the stem of a lower-case English word; any other word unchanged."""
    word = _IRREGULAR.get(word, word)
    if len(word) < 4 or not word.isascii() or not word.isalpha():
        return word
    word = _without_ending(_singular(word))
    if word.endswith("e") and len(word) > 3:
        word = word[:-1]
    return word[:-1] + "i" if word.endswith("y") and len(word) > 3 else word


def _singular(word: str) -> str:
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "xes", "zes", "oes", "ches", "shes")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith(("ss", "us", "is")) else word


def _without_ending(word: str) -> str:
    for ending in ("ing", "ed", "ly"):
        rest = word.removesuffix(ending)
        if rest == word or len(rest) < 3 or not _VOWEL.search(rest):
            continue
        return rest[:-1] if rest[-1] == rest[-2] and rest[-1] not in "lsz" else rest
    return word
