"""English words that decide, forbid, deny, wish, or leave something to do.

Patterns start with the space before a word, and run over folded text that starts with one.
"""

from ..late import Late

_SMALL_TALK = (
    "(?:know|say$|sure|worry|mind|mean|understand|care|believe|remember|wait|matter|noticed?|reali[sz]ed?"
    "|expect(?:ing)?|bother|mention it|think so|see(?:n it| why)|feel(?:ing)?|tell me|help|lie|hurt"
    "|get (?:it|me wrong)|agree|give up|imagine|really|complain|sleep|forget"
    "|be (?:shy|sorry|silly|serious|mad|sad|afraid|rude)"
    "|idea|problem|kidding|joking|need|rush|hurry|doubt|point|way|interest(?:ed|ing)|take long"
    r"|hungry|tired|ready|happy|bad|good|well|angry|alone|surprised)\b"
)
"""What is denied without telling anything: I don't mind, no idea, I'm not sure."""
_AT_ONCE = (
    r"(?:you\b|get some|go\b|run\b|leave|say|admit|think|be\b|agree|confess|stop|ask|head|log"
    "|sleep|eat)"
)
_REST = r"\b(?! (?:nap|laugh|hug|break|rest|drink))"
_MUST = (
    r"must(?!['’]ve| (?:not|have|feel|seem|look|sound|mean)\b)(?:(?! be\b)|(?<! it must)"
    "(?<! you must)(?<! that must)(?<! this must)(?<! they must)(?<! he must)(?<! she must))"
)
"""It must be hard only supposes."""
_WELL = "(?:enjoy|relax|rest|smile|have fun|get enough|take (?:time|care|a break))"
_NOT_LEFT = (
    "problem|worries|idea|thanks?|way|one|need|doubt|rush|hurry|wonder|matter|big deal|kidding|luck"
    "|offen[cs]e|longer|bad|lot|bit"
)

MARKS = {
    "decision": Late(
        r" (?:decided?|agreed(?= (?:to|on|that|upon)\b)|(?:we|they) agreed|settled on"
        r"|go(?:ing)? with(?! it\b)|chose(?! (?:poorly|wisely|well|badly))|switch(?:ed)? to)\b"
    ),
    "todo": Late(
        rf"todo|fixme| (?:{_MUST}|deadline|due (?:on|by)|needs? to|remember to(?! {_WELL})"
        rf"|next step|(?:do not|don['’]?t) forget(?! to {_WELL}))\b"
    ),
    "negation": Late(
        r" (?:never(?! (?:mind|heard|thought|knew|said|really|saw|give up|forget)\b|-)"
        rf"|must not|mustn['’]?t|(?:do not|don['’]?t|can['’]?t|cannot)(?! {_SMALL_TALK})"
        r"|should(?:n['’]?t| not)|(?:nobody|no one) (?:may|can(?! (?:know|tell|believe))|should)"
        r"|not allowed|no longer|avoid|allergic)\b"
    ),
    "preference": Late(
        r" (?:i|we) (?:really |always |usually )?(?:like|love|prefer|enjoy|hate)\b"
        r"(?! (?:it|that|your?|how|mondays)\b)"
    ),
    "choice": Late(
        r" let['’]?s (?:just )?(?:use|go with|choose|pick|settle on|stick (?:to|with)|adopt"
        r"|do(?! (?:it|this|that)\b)|switch to|name|call (?:it|the)(?! a day))\b"
        r"| (?:i|we)(?:['’]ll| will) (?:just )?(?:use|pick(?! up)|choose|stick (?:to|with)|opt for"
        r"|take(?! (?:an? |it|that|care|over)))\b| voted (?:for|against)\b"
        r"| (?:i|we)(?:['’]ve| have)? (?:just |finally )?(?:picked|chosen|opted for|settled)\b"
    ),
    "task": Late(
        r"(?: (?:i|we)(?:['’](?:ve|m|re)| still| also| really| just| probably)?|^)"
        r" (?:have to|got to|gotta|ought to|should(?! definitely| totally)|(?:am |are )?supposed to"
        rf"|plan to|have yet to|owe|forgot to) (?!{_AT_ONCE})| remind me to\b"
        rf"| (?:someone|somebody) (?:should|has to|needs to|must) (?!{_AT_ONCE})"
        r"| (?:haven['’]?t|hasn['’]?t|have not|has not) (?!eaten|seen|slept|heard|decided|thought)"
        r"[^.;]{1,60} yet\b"
    ),
    "wish": Late(
        r" (?:i|we)(?:['’]d| would) (?:rather(?! not)|prefer)\b"
        rf"| (?:i|we)(?:['’]d like| would like| want) (?:an?|the|my|our|no|only){_REST}"
    ),
    "placed": Late(
        r" (?:i|we)(?:['’]ve| have)? (?:left|put|gave|lent|hid|stored|handed|dropped|returned)"
        r" (?!it\b|up\b|in\b|off\b)[^.;?]{3,40} (?:with|in|under|to|at|on|behind|inside|beside) "
        r"| (?:cancell?ed|postponed|called off|quit|failed(?! to)|passed|signed|booked|reserved"
        r"|borrowed|refunded|lent(?: [a-z]{2,12})?|promised(?: (?:me|us|him|her|them))?)"
        r" (?:the|an?|my|our|his|her|its|their|to|two|three)\b"
        r"| (?:was|were|is|are|been|got|has) (?:cancell?ed|postponed|called off|refunded|leaking"
        r"|resigned|booked|reserved)\b| leaks (?:when|at|from|in|again)\b"
        r"| (?:he|she|they) prefers?\b"
        r"| (?:we|they|i)(?:['’]ll| will) meet (?:at|by|in|near|outside)\b"
        r"| (?:was|am|been) diagnosed with\b| (?:tests?|results?|scans?|x-?rays?)(?: results?)?"
        r" (?:shows?|showed|came back)\b"
    ),
    "refusal": Late(rf"^ (?:no|not an?(?: single)?)(?! (?:{_NOT_LEFT})\b)(?= [a-z])"),
    "denial": Late(
        r" (?:turn(?:ed)? down|declined|rejected|refused)\b"
        r"| (?:run|ran|running) (?:out of|low on)(?! (?:ideas|steam|patience|luck))\b"
        r"| (?:(?:wo|did|have|has|had|does)n['’]?t|(?:did|have|has|had|does|will) not|have never"
        r"|(?<= i )(?:am|was) not|(?<= we )(?:are|were)(?: not|n['’]?t)|(?<= i )wasn['’]?t"
        r"|i['’]m not|(?:i|we) (?:have|had) no|there (?:is|are|was|were) no"
        r"|(?:is|are|was|were)(?: not|n['’]?t)"
        r"(?= [a-z]{2,12}(?:ed|en|ing)\b| (?:in|on|at|for) ))"
        rf"(?! {_SMALL_TALK})"
    ),
}
