"""English words to their stems, by a few rules: enough for runs, running and run to meet."""

import re

from ..late import Late

_IRREGULAR_FORMS = """
ate:eat awoke:awake became:become began:begin begun:begin bent:bend bit:bite bitten:bite blew:blow
blown:blow bought:buy broke:break broken:break brought:bring built:build came:come caught:catch
children:child chose:choose chosen:choose clung:cling crept:creep dealt:deal did:do died:die
done:do drank:drink drawn:draw dreamt:dream drew:draw driven:drive drove:drive drunk:drink dug:dig
dying:die eaten:eat fallen:fall fed:feed feet:foot fell:fall felt:feel fled:flee flew:fly flown:fly
forgave:forgive forgot:forget forgotten:forget fought:fight found:find froze:freeze frozen:freeze
gave:give geese:goose given:give going:go gone:go got:get gotten:get grew:grow grey:gray grown:grow
halves:half heard:hear held:hold hid:hide hidden:hide hung:hang kept:keep knelt:kneel knew:know
knives:knife known:know laid:lay leapt:leap learnt:learn led:lead left:leave lent:lend lied:lie
loaves:loaf lost:lose lying:lie made:make meant:mean men:man met:meet mice:mouse paid:pay
people:person ran:run rang:ring ridden:ride rode:ride rung:ring said:say sang:sing sank:sink sat:sit
saw:see seen:see sent:send shaken:shake shelves:shelf shook:shake shot:shoot shown:show slept:sleep
slid:slide sold:sell spent:spend spilt:spill spoilt:spoil spoke:speak spoken:speak stole:steal
stolen:steal stood:stand stuck:stick struck:strike sung:sing sunk:sink swam:swim swept:sweep
swore:swear sworn:swear swum:swim swung:swing taken:take taught:teach teeth:tooth thieves:thief
thought:think threw:throw thrown:throw tied:tie told:tell took:take tore:tear torn:tear tying:tie
understood:understand used:use using:use went:go wept:weep withdrawn:withdraw withdrew:withdraw
wives:wife woke:wake wolves:wolf women:woman won:win wore:wear worn:wear written:write wrote:write
"""
_IRREGULAR = dict(pair.split(":") for pair in _IRREGULAR_FORMS.split())
_VOWEL = Late("[aeiouy]")
_BRITISH = Late(
    "(?P<or>(?<=[a-z][bdgilmnptv])our)|(?P<iz>is(?=e?$|ation))|(?P<yz>ys(?=e?$))|(?P<er>(?<=[bt])re$)"
)
"""What is spelt otherwise in America: colour, organise, analyse, centre."""
_LONG_AND_DOUBLE = Late("[a-z]*[aeiouy][a-z]*[^aeiouy][aeiouy](?:ll|mm)")
"""A word of more than a syllable: travelled and traveled, controlled and control, programme."""


def stem(word: str) -> str:
    """Return the stem of a lower-case English word; any other word unchanged."""
    word = _IRREGULAR.get(word, word)
    if len(word) < 4 or not word.isascii() or not word.isalpha():
        return word
    word = _without_ending(_singular(word))
    if len(word) > 4:
        word = _BRITISH.sub(_american, word)
    if word.endswith("e") and len(word) > 3:
        word = word[:-1]
    if _LONG_AND_DOUBLE.fullmatch(word):
        word = word[:-1]
    return word[:-1] + "i" if word.endswith("y") and len(word) > 3 else word


def _american(match: "re.Match[str]") -> str:
    """Return the name of the group that was found: it is how America spells it."""
    return match.lastgroup or match[0]


def _singular(word: str) -> str:
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "xes", "zes", "oes", "ches", "shes")):
        return word[:-2]
    if word.endswith("sis"):
        return word[:-2] + "e"  # analyses is the plural of analysis, and of analyse
    if word.endswith(("ss", "us")) or (word.endswith("is") and len(word) == 4):
        return word
    return word.removesuffix("s")


def _without_ending(word: str) -> str:
    if word.endswith("ied") and len(word) > 4:
        return word[:-3] + "y"
    for ending in ("ing", "ed", "ly"):
        rest = word.removesuffix(ending)
        if rest == word or len(rest) < 3 or not _VOWEL.search(rest):
            continue
        double = rest[-1] == rest[-2] and len(rest) > 3 and rest[-1] not in "lsz"
        return rest[:-1] if double else rest
    return word
