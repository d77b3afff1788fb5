"""Quantities and days that are written in words: 三室两厅, three hundred grams, Easter. Pure."""

import re

from ..late import Late

_MEASURE = (
    "毫?升|[千毫]?克|公?斤|吨|厘米|毫米|公里|平方?米|公?亩|公顷|英[寸尺]|千瓦"
    "|分钟|个?小时|岁|层|楼|栋|单元|折|倍|个月|克拉"
)
_UNIT = (
    f"{_MEASURE}|个?百分点|分?米|平|海里|[度瓦伏安]|美?元|块|欧元|人民币|秒|天|周(?!末)|年(?![级轻])|人"
    "|[次遍]|幢|室|页|章|[台辆件箱瓶套张枚条把本家份粒片株头只场届期集码]"
)
_FEW = "[零一二三四五六七八九十]{1,2}"
_DIGIT, _ANY = "[一二两三四五六七八九]", "[零〇一二两三四五六七八九十百千万亿]"
QUANTITY_ZH = Late(
    # With tens it is a number; a single digit counts with a measure, and 每 with any unit.
    f"(?:{_DIGIT}(?=[十百千万亿])|十(?=[一二三四五六七八九万亿])){_ANY}{{1,10}}(?:{_UNIT})"
    f"|[半二两三四五六七八九十]多?(?:{_MEASURE})|每[隔满]?{_ANY}{{1,8}}(?:{_UNIT})"
    f"|{_DIGIT}室{_DIGIT}厅(?:{_DIGIT}[卫厨])?|{_DIGIT}[房居]{_DIGIT}[厅卫]"
    f"|[百千万]分之{_ANY}{{1,8}}(?:点{_ANY}{{1,4}})?"
    f"|(?:{_DIGIT}十{_DIGIT}?|十{_DIGIT}|{_DIGIT}百{_ANY}{{0,4}})[个名位](?![月好放不愿赞])"
    # About so many, and the short forms of money: 两百多, 一万五.
    f"|{_DIGIT}[十百千万]{_ANY}{{0,6}}[多来几余](?:{_UNIT}|个)?|{_DIGIT}[百千万]{_DIGIT}(?!{_ANY})"
    f"|(?<=[花付给还差欠卖赚价款资费租赔涨跌降])了?{_DIGIT}[百千万]{_ANY}{{0,6}}"
    f"|(?<![不完造达形组现变生赞促]){_DIGIT}成(?![为功立长员年语果就人绩本分都熟心竹不])"
    f"|(?:[一每][天周月年晚]|每[次顿餐])[一二两三四五六七八九十半]{{1,3}}[次片粒顿遍勺克杯包支袋滴针]"
    f"|(?<![这那哪第几一])[两三四五六七八九十][箱瓶袋包盒罐桶组副双筐捆托勺颗棵辆台](?![天下眼都])"
    f"|(?<![这那哪第几一])[两三四五六七八九十](?:件(?!事|好|大)|张(?!嘴)|份(?!心))"
    f"|{_FEW}比{_FEW}(?=[赢输平胜负落领险大惜战，。]|$)|押[一二三]付[一二三六]"
)
MONTH = "(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}"
WEEKDAY = "(?:mon|tues|wednes|thurs|fri|satur|sun)day"
"""Patterns of their English names, for folded text."""
SIGN_ZH = Late("[半一二两三四五六七八九十百]")

_ONES = (
    "two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen"
    "|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety"
)
_UNIT_EN = (
    "grams?|kilos?|kilograms?|ounces?|tons?|tonnes?|lit(?:er|re)s?|gallons?|millilit(?:er|re)s?"
    "|(?:kilo|centi|milli)?met(?:er|re)s?|miles?|feet|foot|inch(?:es)?|yards?|acres?|hectares?"
    "|seconds?|minutes?|hours?|days?|weeks?|months?|years?|percent|dollars?|euros?|pounds?|yuan"
    "|cents|degrees?|watts?|volts?|people|guests?|seats?|rooms?|bedrooms?|floors?|stor(?:eys?|ies)"
    "|copies|units?|boxes|tablets?|capsules?|pages?"
)
QUANTITY_EN = Late(
    rf"\b(?:(?:{_ONES})|(?:a|one) (?=hundred|thousand|million|dozen))"
    rf"(?:[ -](?:{_ONES}|one|and|hundred|thousand|million|dozen|point)){{0,7}}"
    rf"(?:hundred|thousand|million|dozen)?[ -](?:square |cubic )?(?:{_UNIT_EN})\b"
    rf"|\b(?:{_ONES})(?:[ -](?:{_ONES}|one))? (?:hundred|thousand|million)\b"
    r"|\b(?:twen|thir|for|fif|six|seven|eigh|nine)ty-(?:one|two|three|four|five|six|seven|eight|nine)\b"
    rf"|\b(?:half an?|an?|(?:{_ONES})) dozen\b|\b(?:{_ONES}|one) and a half [a-z]{{2,12}}\b"
    r"|\b(?<!thanks )(?<!one in )(?:a|one) (?:hundred|thousand|million)"
    rf"(?: and (?:{_ONES}))?(?! (?:times|percent|years|things|reasons|thanks))\b"
    r"|\bhalf (?:an? (?!mind\b|chance\b|second\b)[a-z]{2,12}|of (?:the|our|my|all) [a-z]{2,12})\b"
    rf"|\b(?:once|twice|(?:{_ONES}) times) (?:an?|per|every|each)"
    r" (?:hour|day|night|week|month|year)\b"
    rf"|\b(?:{_ONES}|one) nil\b|\b(?:three|four|five|six|seven|eight|nine|ten|eleven|twelve)"
    r" (?:more |[a-z]{3,10}ing )?(?!(?:things|times|ways|words|reasons|cheers|stars|lives"
    r"|seas|sides|guys|fingers|toes|legs|eyes|friends|tries|wishes)\b)[a-z]{3,12}s\b",
    re.IGNORECASE,
)

_FEAST = (
    "春节|元旦|大?年三十|除夕|元宵节?|清明节?|端午节?|七夕|中秋节?|国庆节?|重阳节?"
    "|劳动节|五一|儿童节|教师节|圣诞节?|腊八|小年夜?|平安夜"
)
_LUNAR = (
    "(?:农历|阴历)?[正二三四五六七八九十冬腊]月"
    "(?:初[一二三四五六七八九十]|[十廿][一二三四五六七八九]|二十|三十)"
)
_NTH = (
    "first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth|thirteenth"
    "|fourteenth|fifteenth|sixteenth|seventeenth|eighteenth|nineteenth|twentieth|thirtieth"
)
DAY_NUMBER = Late(
    rf"\b(?:on|by|before|until|till) the (?:(?:twenty|thirty)-)?(?:{_NTH})\b(?=[.,;]|$| of [a-z]+$)"
    "|(?<![第一二三四五六七八九十])(?:[一二三]?十[一二三四五六七八九]?|[一二三四五六七八九])号"
    "(?=[上下晚早前后之到交开去来起出入还截搬])",
    re.IGNORECASE,
)
HOUR_EN = Late(
    r"\b(?:half|(?:a )?quarter|five|ten|twenty(?:-five)?) (?:past|to) "
    r"(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b(?! (?:people|days|of))",
    re.IGNORECASE,
)
_FEAST_EN = (
    "christmas(?: eve| day)?|new year['’]s(?: eve| day)?|thanksgiving|easter(?: sunday| monday)?"
    "|halloween|labou?r day|memorial day|independence day|good friday|boxing day|ramadan|hanukkah"
    "|lunar new year|chinese new year"
)
FEAST = Late(
    # A feast is a date like any weekday, but not where it is wished or talked of.
    f"{_LUNAR}|(?<![祝爱欢])(?:{_FEAST})(?![节快愉安吉的是有吗啦呀吧树老卡装歌档广路礼习传由晚联]|将?到[了啦]|文化|$|[，。！!])"
    rf"|\b(?<=by |on |at )(?:{_FEAST_EN})\b"
    rf"|\b(?<=before |around )(?:{_FEAST_EN})\b|\b(?<=after |since |until )(?:{_FEAST_EN})\b"
    r"|(?<!merry )(?<!happy )\b(?:christmas (?:eve|day)|new year['’]s (?:eve|day))\b"
    rf"|(?<!merry )(?<!happy )\b(?:{_FEAST_EN}) (?=dinner|lunch|party|trip|break|week|flight|sale)",
    re.IGNORECASE,
)
