"""What holds by now: done at last, done another way, given up; of whom, and of what, it is told."""

import pytest

from chyan_agent.memory.kin import Kin

GAVE_WAY = [
    # what was open is done
    ("押金还没退", "押金退了"),
    ("我还没填报名表", "报名表已经填好了"),
    ("洗衣机坏了，还没修", "洗衣机修好了"),
    ("工牌丢了", "工牌昨天找到了"),
    ("I still have to return the library books", "I returned the library books"),
    ("The skylight hasn't been sealed yet", "The skylight has been sealed"),
    ("The lift is out of order", "The lift has been repaired"),
    ("Our loan request is under review", "Our loan request was approved"),
    # done another way
    ("我平时走路上学", "我现在骑自行车上学"),
    ("We go to the studio by car", "We go to the studio by train these days"),
    ("女儿在学书法", "女儿改学油画了"),
    ("我在练瑜伽", "我不练瑜伽了，改练拳击"),
    ("The cartons go out with FedEx", "The cartons go out with UPS from now on"),
    # given up, moved, another number
    ("叔叔一天抽一包烟", "叔叔戒烟了"),
    ("I play squash on Tuesdays", "I gave up squash in the autumn"),
    ("My skis are a pair of Atomics", "I traded in the Atomics for a snowboard"),
    ("I drink my tea with milk", "I don't take milk in my tea any more"),
    ("阅览室在二楼", "阅览室上个月搬到了五楼"),
    ("我住老城区", "我搬家了，现在住开发区"),
    ("The reunion is at the Grange", "The reunion venue was changed to Mill House"),
    ("毕业聚会定在江边", "聚会地点换到操场了"),
    ("The train to Leeds is on Monday", "The Leeds train was pushed to Wednesday"),
    ("I take 5 mg of ramipril", "My doctor raised the ramipril to 10 mg"),
    ("The batch is 80 boxes", "The client cut the batch to 60 boxes"),
    ("My coach leaves at 7:05", "My coach was delayed to 7:50"),
    ("我们社团有 20 个人", "我们社团现在有 26 个人"),
    ("闹铃设在六点", "闹铃调到六点半了"),
    # planned, begun, and done
    ("我打算学潜水", "我学潜水了"),
    ("I'm planning to sell the van", "I sold the van"),
    ("我在织围巾", "围巾织完了"),
    ("I'm reading Middlemarch", "I finished Middlemarch"),
]
BOTH_HOLD = [
    ("押金还没退", "定金退了"),
    ("小刘的年假还没批", "小赵的年假批了"),
    ("一号电梯坏了", "二号电梯修好了"),
    ("爷爷住院了", "奶奶出院了"),
    ("I still have to return the library books", "I returned the drill"),
    ("The lift is out of order", "The boiler has been repaired"),
    ("项目还没立项", "项目立项了一半"),
    ("我在学校上班", "我现在坐地铁上班"),
    ("My niece cycles to school", "I take the bus to school now"),
    ("I drive to the pool", "I take the bus to the pool bar now"),
    ("表弟在练瑜伽", "我不练瑜伽了，改练拳击"),
    ("老赵抽烟", "我戒烟了"),
    ("叔叔喝酒", "叔叔戒烟了"),
    ("My aunt plays squash", "I gave up squash in the autumn"),
    ("We use Trello for tasks", "We use Miro for sketches these days"),
    ("阅览室有 40 个座位", "阅览室上个月搬到了五楼"),
    ("妈妈住老城区", "我搬家了，现在住开发区"),
    ("The reunion is on Saturday", "The reunion venue was changed to Mill House"),
    ("The train from Leeds is on Monday", "The train to Leeds was pushed to Wednesday"),
    ("I take 5 mg of ramipril", "My doctor raised the statin to 10 mg"),
    ("每天早上跑五公里", "每天早上改喝豆浆"),
    ("My coach is Vera", "Vera's coach is now Ilya"),
    ("妈妈的手机是小米", "我的手机换成了苹果"),
    ("I'm planning to sell the van", "I sold the boat"),
    ("我打算学潜水", "我弟弟学潜水了"),
    ("I'm reading Middlemarch", "I finished my essay"),
    ("姑姑三点下班", "姑姑改在四点接孩子"),
    ("豆浆放在冰箱里", "豆浆换成无糖的了"),
    ("外公做的腌菜很香", "外公改做果酱了"),
]


@pytest.mark.parametrize(("one", "other"), GAVE_WAY)
def test_what_was_so_gives_way_to_what_is_so_by_now(one: str, other: str) -> None:
    """The later note takes the place of the older one, and of no other."""
    notes = Kin()
    for number, text in enumerate((one, "阳台种了薄荷", "Lunch is at noon", "我喜欢爬山"), 1):
        notes.put(f"n{number}", text)
    assert notes.overtaken(other) == ["n1"]


@pytest.mark.parametrize(("one", "other"), BOTH_HOLD)
def test_what_is_told_of_another_thing_or_person_leaves_all_as_it_was(one: str, other: str) -> None:
    """A hidden note costs more than one too many."""
    notes = Kin()
    notes.put("n1", one)
    assert notes.overtaken(other) == []
