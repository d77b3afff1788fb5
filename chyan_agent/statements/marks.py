"""By which words a clause decides, forbids, denies, wants, or leaves something to do. Pure rules.

Patterns start with a literal or a space and run over folded text with a space before it.
"""

import re

_START = r"(?:^ |[，,；;、：:。] ?)"
_WE = "(?:[我咱]们?)"
_ERRAND = (
    "(?:给|把|交|买|帮|带|寄|取|办|修|换|约|订|付|发|续|缴|递|送|接|充|存|转(?![起过弯])|写|改|签|联系|提醒|通知|回复|完成|提交|预约"
    "|报(?!道|应)|还(?![是有要在没能好不会])|打(?:电话|款)|去(?![吃睡喝洗倒上玩逛厕走休忙散看公]))"
)
_SMALL_TALK = (
    "know|sure|worry|mind|mean|understand|care|believe|remember|wait|matter|noticed?|reali[sz]ed?"
    r"|expect|bother|mention it|think so|see why|get it|feel like|be (?:shy|sorry)|tell me|help it"
    r"|lie|hurt|really"
)

_SURE = (
    (
        "decision",
        re.compile("决定|商定|敲定|拍板|采用|选定|选用|定为|改用|改成|改为|换成"),
        re.compile(r" (?:decided?|agreed|chose|settled on|go(?:ing)? with|switch(?:ed)? to)\b"),
    ),
    (
        "todo",
        re.compile("待办|别忘|务必|必须|下一步|截止|todo|fixme"),
        re.compile(
            r" (?:must(?! not)|deadline|due (?:on|by)|needs? to|remember to|next step"
            r"|(?:do not|don['’]?t) forget)\b"
        ),
    ),
    (
        "negation",
        re.compile(
            "不要|不能|不得|不可|不许|不准|不再|不喜欢|不吃|不建议|不推荐|不应|不宜|不必|禁止|无需|无须|过敏|[切请]勿|勿(?=[动碰扰删入用开关触按])"
            "|不用(?!谢|客气|担心|着?急|怕|管|麻烦|说|[多再]?想|了(?:$|[，。！!]))"
            "|(?<![特区级类性个分差识辨告离鉴派辈惜诀拜送永话])别(?![的人处名墅扭致样国家称针字具有院克是急闹逗怕慌谢]"
            "|担心|客气|着急|提了|说了|介意|见怪|生气|难过|紧张|想太多)"
        ),
        re.compile(
            r" (?:never(?! mind)|(?:do not|don['’]?t|can['’]?t|cannot)"
            rf"(?! (?:{_SMALL_TALK})\b)|must not|mustn['’]?t|should(?:n['’]?t| not)|not allowed"
            r"|no longer|avoid)\b"
        ),
    ),
    (
        "preference",
        re.compile("我们?[最很更]?(?:特别|比较|一直)?(?:喜欢|偏好|习惯|爱|讨厌)"),
        re.compile(r" (?:i|we) (?:really |always |usually )?(?:like|love|prefer|enjoy|hate)\b"),
    ),
)
"""Whoever says it, and whatever else the clause states."""

_TOLD = (
    (
        "decision",
        re.compile(
            f"(?:{_START}|{_WE}|那|还是|以后|统一)就(?:用|选|定|按|叫|买|走(?![吧了]))(?![吧好算是]|这样|这么)"
            f"|(?:{_START}|{_WE}|那|最终|最后|还是)选(?![修举手题项中购民美拔秀取好哪几什吧]|一[个种些]|择[题困])"
            f"|{_START}(?:那|{_WE})?还是(?![算不说这那])[^，。]{{1,20}}吧|{_START}(?:那|{_WE})?用(?!户)[^，。]{{1,20}}吧"
            "|说定|约好|说好|谈妥|达成一致"
        ),
        re.compile(
            r" let['’]?s (?:just )?(?:use|go with|choose|pick|settle on|stick (?:to|with)|adopt"
            r"|switch to|name|call (?:it|the))\b"
            r"| (?:i|we)(?:['’]ll| will) (?:just )?(?:use|pick|choose|stick (?:to|with)|opt for)\b"
            r"| (?:i|we)(?:['’]ve| have)? (?:just |finally )?(?:picked|chosen|opted for|settled)\b"
        ),
    ),
    (
        "todo",
        re.compile(
            f"(?:{_START}|[请要你也]|一定|千万)记得(?![吗你他她我那了的很清：:]|上[次回]|以前|小时|当时|之前|$)"
            f"|(?:{_START}|{_WE}|[天早午晚月号日内前后点]|[周期拜][一二三四五六末])(?:[还也都就]|可能|今天|明天|回头)?"
            f"(?:得|要|需要?|应?该|打算|准备|计划)(?:先|再)?{_ERRAND}|还没有?{_ERRAND}"
        ),
        re.compile(
            r" (?:i|we)(?:['’]ve|['’]ll| still| also| really| just| probably)?"
            r" (?:have to|got to|gotta|ought to|should|(?:am|are) supposed to|plan to)"
            r" (?!go\b|run\b|leave|say|admit|think|be\b|agree|confess|stop|ask|head|log|sleep|eat)"
            r"| (?:i|we) forgot to\b| (?:haven['’]?t|hasn['’]?t|have not|has not) [^.;]{1,60} yet\b"
        ),
    ),
    (
        "denial",
        re.compile(
            f"(?:{_WE}|[他她]们?|本人|家里)"
            "(?:家|现在|目前|从来?|一直|一向|也|都|真的|确实|暂时|以前|今年){0,2}"
            "(?:没有?(?!事|话|问题|关系|错|什么|意见|啥|办法|想|料|空|意思|听|看|注意|懂|明白|睡|吃|起|说|觉|感|胃|心|必要|转|翻|来得)"
            "|[不未](?!知|清楚|明白|懂|确定|记得|太|想|觉得|认为|介意|好|急|了解|理解|信|敢|然|过|如|错|行|舒服|够|一定|管|愿|着|同"
            "|是(?:说|这|那|很|故意|在|太|不|要)))"
            f"|{_START}(?:都|一直|从来|也)?没有?"
            "(?=[^，。]{0,2}[到过成好完上着]|[买拿收签付交领办订])(?!想|看|听|注意|感|料|吃|睡|说)"
        ),
        re.compile(
            r" (?:(?:wo|did|have|has|had|does)n['’]?t|(?:did|have|has|had|does|will) not"
            r"|(?<= i )(?:am|was) not|(?<= we )(?:are|were)(?: not|n['’]?t)|(?<= i )wasn['’]?t"
            rf"|i['’]m not|(?:i|we) (?:have|had) no)(?! (?:{_SMALL_TALK}|idea|problem)\b)\b"
        ),
    ),
)
"""What a user says of his own matters, where the clause states no value."""


def marked(clause: str, *, told: bool) -> str:
    """Return decision, todo, negation, preference, denial, or nothing.

    `told` is whether a user says it and states no value by it.
    """
    folded = " " + clause.casefold()
    for kind, mark, mark_en in (*_SURE, *_TOLD) if told else _SURE:
        if mark.search(folded) or mark_en.search(folded):
            return kind
    return ""
