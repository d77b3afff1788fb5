"""Workspace files that the scenarios put in place, with what is known about them."""

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal
from random import Random

REGIONS = ("华东", "华北", "华南", "西南")
GOODS = ("键盘", "显示器", "耳机", "摄像头", "路由器", "硬盘", "网线", "支架", "音箱", "麦克风")
COMPONENTS = ("gateway", "billing", "search", "mailer", "uploader", "scheduler")
CALM = (
    "request finished in {n} ms",
    "cache refreshed, {n} keys",
    "worker {n} is idle",
    "session {n} opened",
    "queue length is {n}",
)
TROUBLE = ("connection reset by peer {n}", "timeout after {n} ms", "retry {n} failed")
MEMO_LINES = 70


@dataclass(frozen=True, slots=True)
class Sale:
    """A row of a sales table."""

    day: date
    good: str
    region: str
    amount: int
    price: Decimal


def sales(rng: Random) -> tuple[Sale, ...]:
    """Draw a sales table; its largest amount and its largest price stand once."""
    size = rng.randint(16, 24)
    amounts = rng.sample(range(5, 140), size)
    prices = rng.sample(range(60, 2000), size)
    start = date(2025, rng.randint(1, 11), 1)
    return tuple(
        Sale(start + timedelta(days=n), rng.choice(GOODS), rng.choice(REGIONS), a, Decimal(p) / 2)
        for n, (a, p) in enumerate(zip(amounts, prices, strict=True))
    )


def sales_csv(rows: tuple[Sale, ...]) -> str:
    """Write the table as CSV with a Chinese header."""
    lines = [f"{r.day},{r.good},{r.region},{r.amount},{r.price}" for r in rows]
    return "\n".join(["日期,产品,地区,数量,单价", *lines]) + "\n"


def metrics(rng: Random) -> tuple[tuple[int, int], ...]:
    """Draw a long table of latency and size, whose mean latency is a whole number."""
    size = rng.randint(110, 140)
    latencies = [rng.randint(20, 480) for _ in range(size)]
    latencies.append(size + 1 - sum(latencies) % (size + 1))
    return tuple((latency, rng.randint(200, 9000)) for latency in latencies)


def metrics_csv(rows: tuple[tuple[int, int], ...]) -> str:
    """Write the long table as CSV with an English header; too long for one reading."""
    start = datetime(2025, 5, 1, 8, 0)
    lines = [
        f"{start + timedelta(minutes=7 * n):%Y-%m-%d %H:%M},{latency},{size}"
        for n, (latency, size) in enumerate(rows)
    ]
    return "\n".join(["time,latency,size", *lines]) + "\n"


@dataclass(frozen=True, slots=True)
class Log:
    """A long log file: far more than fits into one tool result."""

    lines: tuple[str, ...]
    errors: int
    """How many lines hold ERROR."""
    code: str
    """An error code that stands in one line only."""
    code_component: str
    probe: int
    """Number, from 1, of a line worth asking for."""
    probe_mark: str
    """What only that line holds."""

    @property
    def text(self) -> str:
        """The whole file."""
        return "\n".join(self.lines) + "\n"


def log(rng: Random) -> Log:
    """Draw a log of several hundred lines."""
    size = rng.randint(380, 520)
    errors = sorted(rng.sample(range(20, size - 5), rng.randint(18, 36)))
    coded, code = rng.choice(errors), f"E-{rng.randint(4100, 9899)}"
    probe, mark = rng.randrange(size // 2, size - 10), f"ticket-{rng.randint(10000, 99999)}"
    while probe in errors:
        probe += 1
    component = rng.choice(COMPONENTS)
    lines = [_log_line(rng, n, n in set(errors)) for n in range(size)]
    lines[coded] = f"{_stamp(coded)} ERROR {component}: disk quota exceeded, code {code}"
    lines[probe] = f"{_stamp(probe)} INFO {rng.choice(COMPONENTS)}: closed {mark}"
    return Log(tuple(lines), len(errors), code, component, probe + 1, mark)


def _log_line(rng: Random, number: int, trouble: bool) -> str:
    text = rng.choice(TROUBLE if trouble else CALM).format(n=rng.randint(10, 9000))
    return f"{_stamp(number)} {'ERROR' if trouble else 'INFO'} {rng.choice(COMPONENTS)}: {text}"


def _stamp(number: int) -> str:
    return f"{datetime(2025, 6, 3, 9, 0) + timedelta(seconds=13 * number):%H:%M:%S}"


def memo(rng: Random) -> str:
    """Draw a long plain text that only takes room."""
    topics = ("巡检", "培训", "采购", "访客登记", "设备保养", "值班安排", "库房盘点", "茶水间整理")
    states = ("已经完成", "延后一天", "等待复核", "由行政跟进", "没有异常", "下周继续")
    body = (
        f"第 {n} 条：{rng.choice(topics)}{rng.choice(states)}，用时 {rng.randint(5, 90)} 分钟。"
        for n in range(1, MEMO_LINES + 1)
    )
    return "\n".join(body) + "\n"
