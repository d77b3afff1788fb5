"""Scripts: what is written in traditional characters is found in simplified ones."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chyan_agent.statements.scripts import simplified

SAME = [
    ("臺灣的凍頂烏龍", "台湾的冻顶乌龙"),
    ("資料庫連線逾時，請檢查伺服器設定", "资料库连线逾时，请检查伺服器设定"),
    ("她後來說這裡沒有颱風", "她后来说这里没有台风"),
    ("龜裂的牆、鬱悶的貓與憂慮的體檢報告", "龟裂的墙、郁闷的猫与忧虑的体检报告"),
    ("診所週三休診，發票開給藍汐科技", "诊所周三休诊，发票开给蓝汐科技"),
]


@pytest.mark.parametrize(("traditional", "written"), SAME)
def test_both_scripts_meet(traditional: str, written: str) -> None:
    """A sentence in either script becomes the same."""
    assert simplified(traditional) == written == simplified(written)


@given(st.text())
def test_any_script(text: str) -> None:
    """Any text keeps its length, and what is simplified stays as it is."""
    once = simplified(text)
    assert len(once) == len(text)
    assert simplified(once) == once


@given(st.text(alphabet=st.characters(max_codepoint=0x2FFF)))
def test_other_scripts(text: str) -> None:
    """What is not Chinese is left alone."""
    assert simplified(text) == text
