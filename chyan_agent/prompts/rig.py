"""What the stress rig says: the report and the line of progress."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ReportTexts:
    """Lines of report.md. Fields in braces are filled with `str.format`."""

    title: str
    run_by: str
    offline: str
    external: str
    settings: str
    success: str
    success_head: str
    all_scenarios: str
    evidence: str
    evidence_note: str
    checks_note: str
    budget: str
    figures_head: str
    requests: str
    compaction_requests: str
    refusals: str
    refusals_unknown: str
    errors: str
    window_max: str
    window_mean: str
    compactions: str
    compaction_sizes: str
    completion: str
    prompt: str
    cached: str
    full_history: str
    counting: str
    estimate: str
    recovered: str
    tools: str
    tools_head: str
    time: str
    seconds: str
    overhead: str
    overhead_first: str
    overhead_last: str
    memory: str
    rss_start: str
    rss_settled: str
    rss_end: str
    rss_drift: str
    peak: str
    parts: str
    parts_head: str
    failed: str
    failed_head: str
    failed_more: str
    none_failed: str
    plot: str


REPORT_ZH = ReportTexts(
    title="# 压力测试报告",
    run_by="`{command}`，共 {turns} 轮，种子 {seed}，策略 `{strategy}`，模型 `{model}`。",
    offline="离线模型：只凭请求内容、按规则作答，并独立核对每个请求；摘要时丢失 {loss} 的行。"
    "它检验的是 Agent，不是语言模型。",
    external="外部端点 `{base_url}`：检查结果只作报告；请求未经独立核对。",
    settings="窗口 {limit} token，其中为输出预留 {reserved}；每轮问题之后由模型之外的程序检查答案、"
    "工作区文件或记忆。",
    success="## 成功率",
    success_head="| 场景 | 轮数 | 通过 | 成功率 |\n|---|---:|---:|---:|",
    all_scenarios="全部",
    evidence="带证据的提问：{found} / {asked}（{share}）在最后一次请求里能见到任一条证据的原文"
    "（窗口中或召回结果中）；{partly} / {asked}（{part_share}）至少能见到一段。",
    evidence_note="证据按文字比对：一条证据至少一半的文字出现在请求里才算见到，"
    "“一段”是其中连续的 24 个字母或汉字（不足时为全文）；当前问题本身不算。"
    "离线模型只在窗口里看不到答案时才调用 recall，所以这里量的是“窗口加召回”合起来的结果，"
    "与回答是否正确无关。",
    checks_note="检查规则见 `chyan_agent/rig/checks.py`，期望值由场景生成器算出。",
    budget="## 窗口与 token",
    figures_head="| 项目 | 数值 |\n|---|---:|",
    requests="请求数",
    compaction_requests="其中压缩请求",
    refusals="被核对方拒绝的请求",
    refusals_unknown="无核对方",
    errors="没有答案的轮次",
    window_max="最大的请求（token）",
    window_mean="平均的请求（token）",
    compactions="压缩次数",
    compaction_sizes="压缩前后（平均 token）",
    completion="输出 token 合计",
    prompt="输入 token 合计",
    cached="其中来自缓存",
    full_history="若每次发送完整历史，输入 token 约为",
    counting="计数误差：本地减端点（最小 / 最大）",
    estimate="校准后的误差：预计减端点（最小 / 中位 / 最大）",
    recovered="崩溃后补记的轮次（无测量值）",
    tools="## 工具",
    tools_head="| 工具 | 次数 | 失败 | 平均毫秒 |\n|---|---:|---:|---:|",
    time="## 时间",
    seconds="各轮合计（秒）",
    overhead="每轮开销（总时间减模型时间），中位数 / 平均（毫秒）",
    overhead_first="前 {n} 轮的每轮开销，中位数 / 平均（毫秒）",
    overhead_last="后 {n} 轮的每轮开销，中位数 / 平均（毫秒）",
    memory="## 内存",
    rss_start="第 1 轮之后（MB）",
    rss_settled="第 {n} 轮之后（MB）",
    rss_end="最后一轮之后（MB）",
    rss_drift="第 {n} 轮以来的变化，最小 / 最大（MB）",
    peak="峰值（MB）",
    parts="各部分的占用（另起进程逐个加载后测得；绘图不在 Agent 进程里）：",
    parts_head="| 部分 | 增加（MB） | 累计（MB） |\n|---|---:|---:|",
    failed="## 未通过的检查",
    failed_head="| 轮 | 场景 | 问题 | 回答 | 原因 |\n|---:|---|---|---|---|",
    failed_more="……另有 {n} 条，见 turns_log.jsonl。",
    none_failed="没有。",
    plot="![上下文占用](context_usage.png)",
)
REPORT_EN = ReportTexts(
    title="# Stress run",
    run_by="`{command}`: {turns} turns, seed {seed}, strategy `{strategy}`, model `{model}`.",
    offline="Offline model: answers by rule from the request alone and judges every request on its"
    " own; condensing loses {loss} of the lines. It tests the agent, not a language model.",
    external="External endpoint `{base_url}`: checks are only reported; nobody recounted the"
    " requests.",
    settings="Window of {limit} tokens, {reserved} of them held back for the answer. After every"
    " turn a check outside the model looks at the answer, the workspace or the notes.",
    success="## Success",
    success_head="| scenario | turns | passed | rate |\n|---|---:|---:|---:|",
    all_scenarios="all",
    evidence="Questions with evidence: for {found} of {asked} ({share}) the wording of any piece"
    " stood in the final request, in the window or in a recall result; for {partly} ({part_share})"
    " a passage of one did.",
    evidence_note="Evidence is compared by its wording: at least half of a piece must stand in the"
    " request; a passage is a run of 24 of its letters, or all of them where there are fewer. The"
    " question itself does not count. The offline model calls recall only when it"
    " sees no answer, so this measures window and recall together, and says nothing about whether"
    " the answer was right.",
    checks_note="The checks are in `chyan_agent/rig/checks.py`; what they expect was computed by"
    " the writer of the scenario.",
    budget="## Window and tokens",
    figures_head="| figure | value |\n|---|---:|",
    requests="requests",
    compaction_requests="of these, compactions",
    refusals="requests refused by the judge",
    refusals_unknown="no judge",
    errors="turns without an answer",
    window_max="largest request (tokens)",
    window_mean="mean request (tokens)",
    compactions="compactions",
    compaction_sizes="before and after a compaction (mean tokens)",
    completion="tokens of all answers",
    prompt="tokens of all requests",
    cached="of these, from cache",
    full_history="tokens of all requests, had each carried the whole history, about",
    counting="counting error: ours minus the endpoint's (least / most)",
    estimate="error after calibration: expected minus the endpoint's (least / median / most)",
    recovered="turns judged after a crash (not measured)",
    tools="## Tools",
    tools_head="| tool | runs | failed | mean ms |\n|---|---:|---:|---:|",
    time="## Time",
    seconds="all turns (s)",
    overhead="overhead of a turn (all its time minus the model's), median / mean (ms)",
    overhead_first="overhead in the first {n} turns, median / mean (ms)",
    overhead_last="overhead in the last {n} turns, median / mean (ms)",
    memory="## Memory",
    rss_start="after turn 1 (MB)",
    rss_settled="after turn {n} (MB)",
    rss_end="after the last turn (MB)",
    rss_drift="change since turn {n}, least / most (MB)",
    peak="peak (MB)",
    parts="Part by part, loaded one after the other in a process of its own (the plot is drawn"
    " outside the agent's process):",
    parts_head="| part | adds (MB) | sum (MB) |\n|---|---:|---:|",
    failed="## Checks that failed",
    failed_head="| turn | scenario | question | answer | why |\n|---:|---|---|---|---|",
    failed_more="… and {n} more in turns_log.jsonl.",
    none_failed="None.",
    plot="![context usage](context_usage.png)",
)


@dataclass(frozen=True, slots=True)
class RunTexts:
    """What the run says on the terminal."""

    progress: str
    resumed: str
    plotting: str
    done: str
    refused: str
    interrupted: str


RUN_ZH = RunTexts(
    progress="{bar} {done}/{total} 轮  通过 {passed}  {rate:.1f} 轮/秒  剩余 {rest}",
    resumed="从第 {turn} 轮继续。",
    plotting="正在绘图和写报告……",
    done="{passed}/{turns} 轮通过检查，{refused} 个请求被拒绝，用时 {seconds:.0f} 秒。{report}",
    refused="无法核对",
    interrupted="已中断；加上 --resume 可以继续。",
)
RUN_EN = RunTexts(
    progress="{bar} {done}/{total} turns  {passed} passed  {rate:.1f}/s  {rest} left",
    resumed="Going on with turn {turn}.",
    plotting="Drawing the plot and writing the report …",
    done="{passed}/{turns} turns passed, {refused} requests refused, {seconds:.0f} s. {report}",
    refused="unknown",
    interrupted="Interrupted; add --resume to go on.",
)
