"""Talk that states nothing: greetings, thanks, assent, apologies, refusals. Pure rules."""

import re
import unicodedata

from ..late import Late

LONGEST = 200
"""Characters of a line; a longer one says something."""

_PHRASES_ZH = (
    "就?这样吧?|好的?|好吧|好呀|好嘞|好哒|行吧?|可以的?|可以了|嗯+|恩+|哦+|噢+|啊+|哈+|嘿+|呵+|嘻+|对的?|对呀|对啊|是的|是啊|没错|没事儿?|没关系|没问题"
    "|当然(?:可以)?|收到|明白了?|了解了?|知道了?|懂了|已了解|已知晓|已阅|已收到|已记下|记下了|记住了|已记住|我知道了|我明白了"
    "|我会(?:记住|记得|注意|努力|继续)(?:的|了)?|谢谢[^，,。\\d]{0,4}(?=$|[，,。!！])|谢谢(?:你|您|大家)?|多谢|感谢(?:你|您)?(?:的(?:帮助|支持|理解|反馈))?|辛苦了|不客气|不用谢|不谢"
    "|你好|您好|大家好|嗨|哈喽|早上?好?|早安|午安|下午好|晚上好|晚安|再见|拜拜|回头见|下次见|明天见|请?稍等(?:一下)?|等一下|等等"
    "|加油|辛苦|太好了|太棒了|很好|真好|不错|棒|厉害|牛|赞|完美|完成了?|搞定了?|开始吧|继续吧?|请?继续|下一步|请问|有什么可以帮(?:你|您|到你|到您)的?吗?"
    "|还有(?:什么|其他)?(?:问题|需要)吗?|很高兴(?:认识|为)(?:你|您)(?:服务)?|祝(?:你|您)(?:好运|愉快|顺利)|随便|无所谓|算了|呃+|额+|唉+"
    "|哎呀?|咦"
)
_PHRASES_EN = (
    "ok(?:ay)?|o\\.k\\.|k+|no problem|no worries|good (?:morning|afternoon|evening|night|day"
    "|job)|hey there"
    "|yes|yep|yeah|yup|no|nope|nah|sure(?: thing)?|right|alright|all right|fine|good|great|nice"
    "|cool|perfect"
    "|awesome|wonderful|excellent|lovely|got it|i see|i understand|understood|noted|acknowledged"
    "|ack|roger|makes sense|of course"
    "|absolutely|certainly|definitely|exactly|agreed|done|will do|on it|never ?mind"
    "|thanks?(?: you)?"
    "(?: (?:so|very) much| a lot| again)?|thx|ty|many thanks|cheers|you['’]re welcome|welcome"
    "|my pleasure|hi|hello|hey"
    "|how are you|bye|goodbye"
    "|see you(?: later| soon| there| tomorrow| on [a-z]+day)?|take care"
    "|have a (?:nice|good|great) day"
    "|please|sorry|oops|wow|haha+|lol|hmm+|uh+|um+|well|so|let['’]?s (?:go|start|continue)|go on"
    "|continue|next|ready|wait|one moment"
    "|hold on|i (?:will|['’]ll) (?:remember|keep|note) (?:that|this|it)(?: in mind)?|(?:i am"
    "|i['’]m) (?:ready|here to help|happy to help|glad to help)"
    "|glad to (?:help|hear that)|happy to help|how can i help(?: you)?(?: today)?"
    "|let me know(?: if you need anything(?: else)?)?"
    "|is there anything else(?: i can help(?: you)? with)?|there|everyone|friend|again|then|now|too"
)
_PARTICLE = "[呀啊哦哈啦呢吧嘛哟吗么了~]"
_TALK = Late(rf"(?:{_PHRASES_ZH}){_PARTICLE}*|\b(?:{_PHRASES_EN})\b", re.IGNORECASE)
_HOW_ZH = "(?:真|好|太(?![原极太子阳])|超级?|多么|可真)(?![友人几多些像久])"
_MOMENT_ZH = (
    f"(?:今[天晚早]|天气|[这那][个里样]?|[它也都]|真是|简直|实在)*{_HOW_ZH}"
    f"[^\\W\\d_a-z]{{1,2}}{_PARTICLE}*"
    f"|[^\\W\\d_]{{1,2}}死[我人]了{_PARTICLE}*|(?:我?自己)?(?:已经)?(?:搞定|弄好|解决)了"
    "|(?:请?稍等|等我?一?下|等我)(?:一[下会]儿?)?[,，]?(?:我(?:先?去|看|想|找)[^，,。\\d]{1,6})?"
    "|在[吗么]|在不在"
)
_MOMENT_EN = (
    r"(?:(?:that|this|it|they)(?:['’](?:s|re)| is| was| are| were)? )?(?:sounds?|looks?)"
    r" (?:so |very |really |pretty )?[a-z]+"
    r"|(?:that|this|it|they)(?:['’](?:s|re)| is| was| are| were)"
    r" (?:so|very|really|too|pretty|super|such an?|quite) [a-z]+"
    r"|(?:what an?|how) [a-z]+(?: [a-z]+(?=!))?"
    r"|(?:just )?let me (?:think|see|check|look)|(?:just|exactly) what i (?:needed|wanted)"
)
_MOMENT = Late(
    rf"(?:^|(?<=[,，.。!！?？;；\n ]))(?:{_MOMENT_ZH}|{_MOMENT_EN})"
    r"(?=\s*(?:$|[,，.。!！?？;；\n]))",
    re.IGNORECASE,
)
"""What is so for a moment, of nothing that is named: 好无聊啊, what a day."""
_WHO = "(?:用户|对方|他|她|客户|助手|我|the user|user|the assistant|assistant|they|he|she|i)"
_REPORT = Late(
    rf"{_WHO}\s?(?:说了?|表示了?|向[^，,]{{0,6}}|对[^，,]{{0,6}}|只是|再次|已经?|just|simply|again|has"
    r"|have|also)*\s?"
    r"(?:打了?个?招呼|问(?:了?个?)好|问候|道谢|致谢|感谢|谢谢|告别|道别|道歉|客套|寒暄|表示感谢|表示理解"
    r"|表示同意|确认收到|闲聊|(?:表示|感到)(?:很|非常|十分)?(?:满意|高兴|开心|认可|赞同)|说了?(?:你好|谢谢|再见|好的)"
    r"|(?:said|says?) (?:hello|hi|thanks|thank you|goodbye|bye|ok(?:ay)?|yes|no)|greeted|thanked"
    r"|acknowledged|apologi[sz]ed|is (?:grateful|thankful)"
    r"|expressed (?:thanks|gratitude|appreciation)|small talk|chit-?chat)"
    r"(?: (?:me|you|the (?:user|assistant)|politely|briefly))*"
    r"(?: and asked how i am| for (?:the|their|its|my) [a-z]+)?",
    re.IGNORECASE,
)
_NOTHING = "(?:记录|信息|内容|结果|资料|事实|要点)"
_EVASION_ZH = (
    "(?:非常|很|十分|实在)?(?:抱歉|对不起|不好意思|遗憾)"
    "|(?:作为|身为)(?:一个|一名)?(?:ai|人工智能|语言模型|助手)"
    "|我(?:是一个|只是)?[^，。,]{0,12}(?:语言模型|人工智能|ai ?助手)"
    "|我?(?:无法|不能|没法|没有办法|无权)(?:提供|回答|帮助|帮你|帮您|完成|满足|协助|处理|执行|生成)"
    f"|(?:我|目前|暂时)?(?:没有|未能?|无法)?(?:找到|查到|检索到|搜到)?(?:相关|任何)的?{_NOTHING}"
    "|(?:以上|以下|上面|下面)(?:是|为)?[^，。,]{0,10}(?:摘要|总结|列表|要点|事实)"
    "|(?:读取|写入|打开|搜索|查找|执行|运行|操作|请求)失败"
    f"|我?不(?:知道|清楚)(?:$|[，。：:])|没有(?:找到|相关|任何|需要|可以?|值得)(?:总结|记录|记住|保留|压缩|提取)?的?{_NOTHING}?$|无$|暂无"
)
_EVASION_EN = (
    r"(?:i am|i['’]m|we are|we['’]re)? ?(?:so |very |really |deeply )?(?:sorry|afraid)\b"
    r"|(?:my )?apologies\b|i apologi[sz]e|unfortunately\b"
    r"|i (?:do not|don['’]t) know\b|as an? (?:ai|artificial|language|helpful|large)"
    r"|i ?(?:can['’]?t|cannot|can not|am unable|['’]m unable|am not able|won['’]t|will not|do not"
    r"|don['’]t|couldn['’]t|could not|didn['’]t|did not)\b.*\b(?:help|assist|provide|answer|comply"
    r"|access|do that|summari[sz]e|browse|information|fulfil|condense)"
    r"|(?:no|nothing|not any) (?:relevant |related |key |new |further |other |important )*"
    r"(?:found|information|records?|facts?|results?|to (?:report|summari[sz]e|add))\b"
    r"|(?:here (?:is|are)|the following is|below is) (?:the |a |your )?[^.:]{0,30}"
    r"(?:summary|list|facts|points)|none\.?$|n/?a\.?$"
)
_EVASION = Late(f"^(?:{_EVASION_ZH}|{_EVASION_EN})", re.IGNORECASE)
_LACK = Late(
    rf"(?:没有|未[能曾]?|无).*{_NOTHING}"
    r"|\b(?:no|nothing)\b.*\b(?:info|information|facts?|records?|results?|(?:remember|report|add|store"
    r"|save|note|extract))\b",
    re.IGNORECASE,
)
_HOLLOW_ZH = (
    "非常|十分|实在|抱歉|对不起|不好意思|遗憾|作为|身为|人工智能|语言模型|模型|任务|方面|个人|根据|听懂|看懂|问题|内存|助手|助理|无法|不能|没法|办法|无权|没能|未能|不会|不可以"
    "|提供|回答|帮助|帮忙|协助|完成|处理|执行|生成|满足|总结|概括|压缩|提取|记录|记住|保留|检索|查询|查看|找到|查到|搜到|访问|获取|识别|理解"
    "|相关|任何|有关|足够|有效|有用|具体|更多|新的|重要|关键|信息|内容|结果|资料|事实|要点|对话|消息|文本|摘要|列表|请求|要求|操作|服务|回复"
    "|实时|外部|联网|互联网|网页|网站|链接|不足|不够|太少|以上|以下|上面|下面|目前|暂时|现在|因此|所以|但是|不过|因为|由于|可以|需要|值得|知道|清楚"
    "|没有|暂无|用户|一个|一名|只是|这样|这个|那个|这些|那些|这段|什么|多说"
    "|[我您你它的了是为在来懂可个对于有无没未不很能会请把给让向和或被从中里帮但这那些段项条次吗呢吧啊]"
)
_HOLLOW_EN = (
    "i|me|my|we|us|our|you|your|it|its|this|that|these|those|there|here|is|are|am|be|was|were|been|will|would"
    "|can|could|may|might|do|does|did|don|didn|doesn|couldn|won|wouldn|isn|t|m|re|ve|not|cannot|unable|able|no"
    "|nothing|none|any|anything|enough|more|further|other|new|key|important|relevant|related|a|an|the|of|to|for"
    "|with|from|in|on|at|about|and|or|but|so|as|if|have|has|had|give|get|very|really|deeply|truly|sorry|afraid"
    "|apologies|apologi[sz]e|unfortunately|inconvenience|however|know|sure|help(?:ful)?|assist(?:ance|ant)?|provide"
    "|provided|answer|comply|access|summari[sz]e|summary|browse|information|info|fulfil+|condense|process"
    "|complete|perform|generate|share|find|found|see|report|add|remember|record(?:s|ed)?|facts?|results?|points?"
    "|lists?|content|context|data|text|messages?|following|below|above|conversations?|chats?|dialogue?|requests?|questions?"
    "|tasks?|ai|artificial|intelligence|large|language|models?|real|time|internet|web|external|websites?|links?"
    "|directly|currently|previous|earlier|turns?|specific|sufficient|users?|extract|store|save|note|else|such|given|far|something|understand|capable|contains?|what|n|s"
)
_HOLLOW = Late(
    rf"(?:{_HOLLOW_ZH})|(?<![^\W\u3400-\u9fff])(?:{_HOLLOW_EN})(?![^\W\u3400-\u9fff])",
    re.IGNORECASE,
)
"""What an answer that tells nothing is made of: its author, what was asked, the conversation."""


def idle(text: str) -> bool:
    """Tell whether a text is mere talk: it holds nothing that one could want to know later."""
    if len(text) > LONGEST:
        return False
    plain = unicodedata.normalize("NFKC", text)
    rest = _MOMENT.sub(" ", _TALK.sub(" ", _MOMENT.sub(" ", _REPORT.sub(" ", plain))))
    return not any(map(str.isalnum, rest))


def evades(text: str) -> bool:
    """Tell whether a line refuses, apologises, or has nothing to say, and names nothing else."""
    if len(text) > LONGEST:
        return False
    plain = unicodedata.normalize("NFKC", text)
    return (excuses(text) or _LACK.search(plain) is not None) and not any(
        map(str.isalnum, _HOLLOW.sub(" ", plain))
    )


def excuses(text: str) -> bool:
    """Tell whether a line begins as a refusal, an apology or a failure."""
    plain = unicodedata.normalize("NFKC", text[:LONGEST]).strip(" -*•“\"'")
    return _EVASION.match(plain) is not None
