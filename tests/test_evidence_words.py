"""Amounts in words, where things went, what was found or turned down: kept; idioms are not."""

import pytest

from .test_evidence import texts, turn

KEPT = [
    "水费这期交了三百多",
    "定金先付两成",
    "二手车开价四万八",
    "门票一张一百二",
    "家里到学校有七千来步，六公里多",
    "膏药一天两次",
    "库里还差四箱",
    "限领三件",
    "辩论赛我们四比三赢",
    "合租押二付一",
    "我把户口本存在姑姑那儿，把房本放在抽屉里",
    "复查报告显示结石小了",
    "上级婉拒了赞助",
    "退烧药用完了",
    "The shop shuts at quarter past nine",
    "Bring three dozen bolts",
    "The hike took four and a half hours",
    "Stir in half a teaspoon of salt",
    "We fit a hundred and ten in the barn",
    "Water it twice a week",
    "We drew two nil on aggregate",
    "I left the spare remote with the neighbour",
    "My uncle was diagnosed with gout",
    "The board declined our bid",
    "We ran out of printer paper",
    "Somebody should ring the vet",
    "春游推迟了",
    "网课已经退了",
    "阳台漏水",
    "报名的有四十二个人",
    "房租十二号交",
    "The picnic was postponed",
    "Aunt May quit the choir",
    "I lent Piotr my ladder",
    "The tap is leaking",
    "We'll meet by the fountain",
    "Chop five shallots",
    "The voucher is good until the twenty-third",
    "Nobody may prop the fire door open",
]
TALK = [
    "千言万语说不完",
    "他成熟多了",
    "两双眼睛盯着看",
    "我把这话放在心上了",
    "七上八下的",
    "万事开头难",
    "一比高下吧",
    "Thanks a million",
    "One in a million",
    "You don't say",
    "I was half asleep",
    "We ran out of ideas",
    "Nobody can know",
    "I put up with it",
    "我一百个愿意",
    "没取消吧",
    "十个手指有长短",
    "Three cheers for that",
    "I quit joking",
    "Give me five things to laugh at",
    "second thoughts, huh",
]


@pytest.mark.parametrize("text", KEPT)
def test_what_is_told_in_words_is_kept(text: str) -> None:
    """The whole clause is a piece, in its own words."""
    assert texts(turn(1, text)) == [text]


@pytest.mark.parametrize("text", TALK)
def test_idioms_are_not_kept(text: str) -> None:
    """Numbers of a saying count nothing."""
    assert texts(turn(1, text)) == []
