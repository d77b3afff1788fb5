"""Which subjects hold one value at a time, and which values are of one kind. Pure rules."""

import re
from collections.abc import Iterator
from functools import lru_cache

from ..late import Late
from .spelt import MONTH, WEEKDAY

_SLOT_ZH = (
    "负责人|联系人|对接人|审批人|接口人|经办人|维护人|发言人|主持人|主管|经理|老板|组长|队长|班长|校长|院长|主任|总监|店长"
    "|班主任|导师|医生|代号|代码|名称|名字|姓名|昵称|全名|外号|网名|用户名|标题|主题|口号|地址|住址|电话|手机号?"
    "|号码|分机号?|邮箱|邮编|微信号?|域名|网址|链接|入口|端口号?|版本号?|型号|编号|单号|订单号|工号|学号|车牌号?|房号|房间号?"
    "|取件码|提货码|验证码|邀请码|兑换码|门禁码|座位号?|工位|航班号?|车次|日期|时间|截止日期?|期限|生日|工期|进度|阶段|状态|预算|价格|单价|总价|报价|成本|费用|金额|总额"
    "|工资|薪水|月薪|年薪|房租|租金|押金|余额|利率|汇率|税率|折扣|数量|人数|总数|库存|产量|销量|年龄|身高|体重|尺寸|大小|长度"
    "|宽度|高度|面积|重量|温度|湿度|速度|频率|周期|间隔|上限|下限|阈值|配额|容量|超时|超时时间|重试次数|并发数|地点|位置"
    "|会议室|教室|办公室|城市|目录|路径|文件名|分支|主分支|环境|区域|机房|主机|主机名|服务器地址|数据库|主库|缓存|消息队列"
    "|编辑器|浏览器|操作系统|系统|框架|字体|颜色|配色|主题色|格式|编码|时区|单位|货币|级别|优先级|等级"
    "|血型|星座|职位|职业|岗位|专业|部门|学校|公司|雇主|队名|项目名|产品名|品牌|甲方|乙方"
)
_SLOT_EN = (
    "owner|lead|leader|manager|boss|maintainer|contact|chair|supervisor|head|captain|doctor|tutor"
    "|name|codename|nickname|username|title|topic|slogan|address|phone|telephone|number"
    "|extension|mail|email|e-mail|postcode|zip|domain|url|link|endpoint|port|version|release|model"
    "|id|identifier|code|desk|seat|room|flight|plate|date|day|time|deadline|birthday|anniversary"
    "|milestone|status|state|stage|phase|budget|price|cost|fee|rate|amount|total|salary|rent"
    "|deposit|balance|discount|quantity|count|age|height|weight|size|length|width|area|temperature"
    "|speed|frequency|interval|period|limit|threshold|quota|capacity|timeout|retries|place|location"
    "|venue|office|city|directory|folder|path|filename|branch|environment|region|zone|host|hostname"
    "|server|database|cache|queue|editor|browser|os|framework|font|colour|color|format"
    "|encoding|timezone|unit|currency|level|priority|job|position|role|employer"
    "|company|school|department|team"
)
_SLOT = Late(rf"(?:{_SLOT_ZH})$|(?:^|[ _-])(?:{_SLOT_EN})$")
_SLOTS = Late(rf"(?:{_SLOT_ZH})+")

_SUPERLATIVE = Late(
    r"最喜欢|最爱|首选|默认|当前|\b(?:favou?rite|default|preferred|primary|current)\b"
)
"""My favourite tea is one tea."""
_ATTRIBUTE = Late(
    "[号码名率量数度限期址价费额型证色值龄籍乡]$|(?:town|place|name|date|size|licen[cs]e)$"
)
"""How the names of things end that hold one value, though perhaps another one later."""

_HAN_NUMBER = "[零一二三四五六七八九十百千万亿两半]{1,8}"
_TIMES = (
    Late(
        r"(?:这|本|下|上|每)*(?:个)?(?:周|星期|礼拜)[一二三四五六日天末]"
        rf"|(?:next |this |last |every )?{WEEKDAY}s?\b"
    ),
    Late(
        r"(?:\d{2,4}\s?[年/.-]\s?)?(?:\d{1,2}\s?[月/-]|[一二三四五六七八九十]{1,3}月)\s?"
        r"(?:\d{1,2}|[一二三四五六七八九十]{1,3})(?!\d)|\d{4}[-/.]\d{1,2}[-/.]\d{1,2}"
        rf"|{MONTH}\.? \d{{1,2}}|\d{{1,2}}(?:st|nd|rd|th)? (?:of )?{MONTH}"
    ),
    Late(
        r"(?:早上|上午|中午|下午|晚上|凌晨)?(?:\d{1,2}\s?|[一二三四五六七八九十两]{1,3})[点:：时](?!\d{3})"
        r"|noon|midnight|\d{1,2}(?::\d\d)? ?[ap]\.?m\b"
    ),
)
_FORMS = (
    Late(r"\d{1,3}(?:\.\d{1,3}){3}(?![\d.])"),
    Late(r"[a-z][a-z0-9+.-]{1,15}://"),
    Late(r"[^\s@]{1,60}@[^\s@]{1,60}\.[a-z]"),
    Late(r"(?:~|\.{1,2})?/[\w.]|[a-z]:\\"),
    Late(r"(?:red|green|blue|black|white|yellow|orange|purple|pink|grey|gray|brown)\b"),
    Late(r"[红橙黄绿青蓝紫黑白灰粉棕金银]色"),
)
_NUMBER = Late(
    rf"(?P<sign>[$¥€£])?\s?(?P<amount>[-+]?(?:\d[\d.,]*|{_HAN_NUMBER})\s?[十百千万亿]?)"
    r"(?P<unit>个?[\u3400-\u9fff]{1,2}|[a-z°%]+)?"
)
_MEASURES = {
    "time": Late(
        "毫?秒|分钟|小时|天|个?月|年|周|(?:ms|s|h)$|secs?|seconds?|mins?$|minutes?|hours?|days?$"
        "|weeks?|months?"
    ),
    "money": Late("元|块|美|欧|刀|(?:usd|eur|rmb|cny|gbp)$|euros?|dollars?|pounds?|cents?|yuan"),
    "size": Late("[kmgt]i?b$|bytes?"),
    "weight": Late("公?斤|千?克|吨|k?g$|lbs?$|grams?"),
    "length": Late("米|厘米|公里|[ckm]?m$|met(?:er|re)s?|miles?"),
    "count": Late("(?:people|persons|guests|students|seats|units|boxes|pieces|pages|rooms|beds)$"),
}
_COUNTED = Late(r"%|°|[^a-z号章页节期届版排座栋层楼]")
_ON = Late(
    "^(?:(?:scheduled|planned|set|due|booked|fixed|arranged) )?"
    "(?:(?:on|in|at|to|by|for|the|from) |[从在到] ?)?"
)
_TAGGED = Late(r"([a-z]{2,20}) (?:[#a-z]?-?\d[\w.-]*|[a-z])$")


def single(subject: str) -> bool:
    """Tell whether a subject names something with one value at a time: a port, an owner."""
    return _SLOT.search(subject) is not None or _SUPERLATIVE.search(subject) is not None


def attribute(subject: str) -> bool:
    """Tell whether a subject ends as the name of something that hardly has two values at once."""
    return single(subject) or _ATTRIBUTE.search(subject) is not None


def slot(subject: str) -> bool:
    """Tell whether a subject is nothing but the name of such a thing."""
    named = subject.isascii() and _SLOT.search(subject) is not None
    return _SLOTS.fullmatch(subject) is not None or named


def alike(value: str, other: str) -> bool:
    """Tell whether two values are of one kind: two weekdays, two dates, two ports, two weights."""
    one = _kind(value)
    return one != "" and one == _kind(other)


def apart(value: str, other: str) -> bool:
    """Tell whether two values are so unlike that they tell of two matters: an address, a size."""
    kinds = _kind(value), _kind(other)
    written = any(kind.startswith("form") for kind in kinds)
    return kinds[0] != kinds[1] and "" not in kinds and written


def counted(value: str) -> bool:
    """Tell whether a value begins with a number and its unit; 二号 and chapter 2 are names."""
    number = _NUMBER.match(value)
    if number is None:
        return False
    measure = _measure(number)
    return measure in _MEASURES or _COUNTED.match(measure) is not None


def timed(value: str) -> bool:
    """Tell whether a value begins with a day, a date or a time of the day."""
    value = _ON.sub("", value)
    return any(time.match(value) for time in _TIMES)


def retimed(value: str, text: str) -> bool:
    """Tell whether a text holds one time of the kind that a value is, but another."""
    value = _ON.sub("", value)
    for time in _TIMES:
        if named := time.match(value):
            if len(value) > len(_whole(named)) + 2:
                return False  # four o'clock for what?
            known = {_whole(found) for found in time.finditer(text)}
            return len(known) == 1 and _whole(named) not in known
    return False


def behind(value: str) -> str:
    """Return what stands behind the time with which a value begins; nothing where it has none."""
    value = _ON.sub("", value)
    found = (named for time in _TIMES if (named := time.match(value)))
    return next((value[len(_whole(named)) :] for named in found), "")


def _whole(time: re.Match[str]) -> str:
    """Return a time with its minutes."""
    rest = time.string[time.end() :]
    return time[0] + rest[: len(rest) - len(rest.lstrip("0123456789"))]


@lru_cache(1024)
def _kind(value: str) -> str:
    value = _ON.sub("", value)
    for name, patterns in (("form", _FORMS), ("time", _TIMES)):
        for place, pattern in enumerate(patterns):
            if pattern.match(value):
                return f"{name} {place}"
    if tagged := _TAGGED.match(value):
        return f"tag {tagged[1]}"
    number = _NUMBER.match(value)
    return f"number {_measure(number)}" if number else ""


def measures(text: str) -> Iterator[tuple[str, str]]:
    """Yield what a text counts, and how much of it."""
    for number in _NUMBER.finditer(text):
        yield _measure(number), number["amount"]


def _measure(number: re.Match[str]) -> str:
    """What a number counts; two numbers without a unit count the same."""
    if number["sign"]:
        return "money"
    unit = (number["unit"] or "").removeprefix("个")
    return next((name for name, units in _MEASURES.items() if units.match(unit)), unit)
