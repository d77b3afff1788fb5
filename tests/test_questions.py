"""What is a question where no mark says so, and what only looks like one."""

import pytest

from chyan_agent.statements.questions import asks

from .clock import within

STATEMENTS = """
Do not merge before the audit
Don't unplug the blue router
Can't eat shellfish, reaction within 20 minutes
Could not reach 10.0.0.4
Does not run on ARM
Have Nora ring 5512 first
Have the draft B-71 signed by 2027-02-03
When the light turns red, press F8
Where possible use port 8443
May 9 is moving day
Will Baker's extension is 4471
Has to be returned by Monday
Should be 40 mm
Would prefer an aisle seat
Was told to pay 40 euros
Is in rack 12
What we need is a shorter cable
How we ship: make release
没什么忌讳，就是不吃香菜
无论是谁打来都转给前台
不管哪天到货都先验收
怎么都打不开 10.3.3.9
什么也别动
谁的钥匙都挂在 3 号钩
这几个表别删
好几个月没发版了
他不怎么吃辣
谁先到谁付钱
哪里便宜去哪里
苹果、梨什么的都要买
备齐锅、碗什么的
有几点要注意
是否续约由老贺决定
什么时候上线待定
有什么问题找前台
我还没交表呢
表妹身高有174厘米呢
"""
QUESTIONS = """
what is the port
which port is 8080
when is the demo
when's the meeting
where did it go
who owns billing
how many people are coming
why not
is docker free
does python have tuples
did Carol pay
have you seen it
do you know the port
can you book a seat
can't you see it
will the test pass
may i go
端口是什么
首都是哪里
哪个国家的首都是罗马
你叫什么名字
你有几个孩子
早上几点开会
你是做什么的
大家都怎么去
为什么没有定下来
能不能帮我看一下
怎么部署
有没有发票
那你呢
服务器的端口呢
"""


@pytest.mark.parametrize("text", STATEMENTS.strip().split("\n"))
def test_what_only_looks_like_a_question(text: str) -> None:
    """Orders, sentences without a subject, names, whatever and whoever ask nothing."""
    assert not asks(text)
    assert asks(text.rstrip("呢") + "？")


@pytest.mark.parametrize("text", QUESTIONS.strip().split("\n"))
def test_a_question_needs_no_mark(text: str) -> None:
    """A question word that means itself, or a verb before its subject, asks."""
    assert asks(text)


@pytest.mark.parametrize(
    "unit", ["什么", "几个", "谁", "怎么，", "是否看", "is ", "无论", "都", "没有"]
)
def test_hostile_sentences(unit: str) -> None:
    """Whatever a sentence is made of, it is judged at once."""
    with within(1):
        for _ in range(50):
            asks((unit * 400)[:400])
