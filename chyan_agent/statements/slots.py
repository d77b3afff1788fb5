"""Which subjects hold one value at a time, and which values are of one kind. Pure rules."""

import re

_SLOT_ZH = (
    "负责人|联系人|对接人|审批人|接口人|经办人|维护人|发言人|主持人|主管|经理|老板|组长|队长|班长|校长|院长|主任|总监|店长"
    "|班主任|导师|医生|代号|代码|名称|名字|姓名|昵称|全名|外号|网名|用户名|账号|帐号|标题|主题|口号|地址|住址|电话|手机号?"
    "|号码|分机号?|邮箱|邮编|微信号?|域名|网址|链接|入口|端口号?|版本号?|型号|编号|单号|订单号|工号|学号|车牌号?|房号|房间号?"
    "|座位号?|工位|航班号?|车次|日期|时间|截止日期?|期限|生日|工期|进度|阶段|状态|预算|价格|单价|总价|报价|成本|费用|金额|总额"
    "|工资|薪水|月薪|年薪|房租|租金|押金|余额|利率|汇率|税率|折扣|数量|人数|总数|库存|产量|销量|年龄|身高|体重|尺寸|大小|长度"
    "|宽度|高度|面积|重量|温度|湿度|速度|频率|周期|间隔|上限|下限|阈值|配额|容量|超时|超时时间|重试次数|并发数|地点|位置"
    "|会议室|教室|办公室|城市|目录|路径|文件名|分支|主分支|环境|区域|机房|主机|主机名|服务器地址|数据库|主库|缓存|消息队列"
    "|编辑器|浏览器|操作系统|系统|框架|编程语言|语言|字体|颜色|配色|主题色|格式|编码|时区|单位|货币|策略|级别|优先级|等级"
    "|目标|口味|血型|星座|职位|职业|岗位|专业|部门|学校|公司|雇主|队名|项目名|产品名|品牌|供应商|客户|甲方|乙方"
)
_SLOT_EN = (
    "owner|lead|leader|manager|boss|maintainer|contact|chair|supervisor|head|captain|doctor|tutor"
    "|name|codename|nickname|username|account|title|topic|slogan|address|phone|telephone|number"
    "|extension|mail|email|e-mail|postcode|zip|domain|url|link|endpoint|port|version|release|model"
    "|id|identifier|code|desk|seat|room|flight|plate|date|day|time|deadline|birthday|anniversary"
    "|milestone|status|state|stage|phase|budget|price|cost|fee|rate|amount|total|salary|rent"
    "|deposit|balance|discount|quantity|count|age|height|weight|size|length|width|area|temperature"
    "|speed|frequency|interval|period|limit|threshold|quota|capacity|timeout|retries|place|location"
    "|venue|office|city|directory|folder|path|filename|branch|environment|region|zone|host|hostname"
    "|server|database|cache|queue|editor|browser|os|framework|language|font|colour|color|format"
    "|encoding|timezone|unit|currency|policy|level|priority|goal|target|job|position|role|employer"
    "|company|school|department|team|vendor|supplier|client|customer|provider"
)
_SLOT = re.compile(rf"(?:{_SLOT_ZH})$|(?:^|[ _-])(?:{_SLOT_EN})$")
_SLOTS = re.compile(rf"(?:{_SLOT_ZH})+")

_KINDS = (
    re.compile(
        r"(?:这|本|下|上|每)?(?:周|星期|礼拜)[一二三四五六日天末]"
        r"|(?:next |this |last |every )?(?:mon|tues|wednes|thurs|fri|satur|sun)day"
    ),
    re.compile(
        r"(?:\d{2,4}[年/.-])?(?:\d{1,2}|[一二三四五六七八九十]{1,3})[月/.-]"
        r"(?:\d{1,2}|[一二三四五六七八九十]{1,3})[日号]?|\d{4}[-/.]\d{1,2}[-/.]\d{1,2}"
        r"|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\.? \d{1,2}"
    ),
    re.compile(
        r"(?:早上|上午|中午|下午|晚上|凌晨)?(?:\d{1,2}|[一二三四五六七八九十两]{1,3})[点:：时]|noon|midnight"
        r"|\d{1,2}(?::\d\d)? ?[ap]\.?m\b"
    ),
    re.compile(
        r"[$¥€£]?\d|[一二三四五六七八九十百千万亿两]{1,8}(?:个|元|块|人|次|岁|天|年|%|万|亿|$)"
    ),
    re.compile(r"(?:red|green|blue|black|white|yellow|orange|purple|pink|grey|gray|brown)\b"),
    re.compile(r"[红橙黄绿青蓝紫黑白灰粉棕金银]色"),
)
_ON = re.compile("^(?:on|in|at|to|by|the|从|在|到) ?")


def single(subject: str) -> bool:
    """Tell whether a subject names something with one value at a time: a port, an owner."""
    return _SLOT.search(subject) is not None


def slot(subject: str) -> bool:
    """Tell whether a subject is nothing but the name of such a thing."""
    return _SLOTS.fullmatch(subject) is not None or (subject.isascii() and single(subject))


def alike(value: str, other: str) -> bool:
    """Tell whether two values are of one kind: two weekdays, two dates, two numbers, two ports."""
    value, other = _ON.sub("", value), _ON.sub("", other)
    head, rest = _head(value)
    if head and rest and _head(other)[0] == head:
        return True
    return any(kind.match(value) and kind.match(other) for kind in _KINDS)


def _head(value: str) -> tuple[str, str]:
    head, _, rest = value.partition(" ")
    return (head, rest) if head.isalpha() and head not in ("a", "an", "the", "my") else ("", "")
