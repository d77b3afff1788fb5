"""Sentences, lines of files and lines of logs, each with a natural question about its value.

{e} stands for who or what it is about, {f} for a file, {v} for the value. The first half of each
list is for tuning, the second half is held out.
"""

Said = tuple[str, str]
"""A sentence and a question, with {e} for who or what, and {v} for the value."""

SAID: dict[tuple[str, str], tuple[Said, ...]] = {
    ("identifier", "zh"): (
        ("{e}的退货单号是 {v}，仓库那边还没收到货。", "{e}的退货单号是多少？"),
        ("刚给{e}建了工单 {v}，让他今天下班前看一眼。", "给{e}建的工单编号是什么？"),
        ("{e}那台笔记本的资产编号贴在底面，写的是 {v}。", "{e}的笔记本资产编号是什么？"),
        ("快递柜短信来了，{e}的包裹运单是 {v}。", "{e}的包裹运单号是多少？"),
        ("财务说{e}的报销要重提，原来那张的流水号 {v} 作废。", "{e}报销的流水号是什么？"),
        ("我把{e}的门诊预约登记上了，预约码 {v}，周末去。", "{e}的门诊预约码是多少？"),
    ),
    ("identifier", "en"): (
        ("Support opened ticket {v} for {e} this morning, nobody has picked it up.",
         "Which ticket did support open for {e}?"),
        ("The spare badge we printed for {e} carries the number {v}.",
         "What is the number on {e}'s spare badge?"),
        ("{e} paid by bank transfer, reference {v}, it should clear tomorrow.",
         "What was the reference of {e}'s bank transfer?"),
        ("I filed the warranty claim of {e}; they confirmed it as {v}.",
         "Under which number was {e}'s warranty claim confirmed?"),
        ("Locker {v} is reserved for {e} until the move is over.",
         "Which locker is reserved for {e}?"),
        ("For the visa of {e} the consulate gave us the file mark {v}.",
         "What file mark did the consulate give for {e}'s visa?"),
    ),
    ("number", "zh"): (
        ("{e}这次压测的峰值是 {v} QPS，比上次好看多了。", "{e}压测的峰值是多少？"),
        ("跟{e}谈下来的租金是每月 {v} 元，押一付三。", "跟{e}谈的租金每月多少？"),
        ("{e}昨晚的平均延迟 {v} 毫秒，还在可接受范围。", "{e}的平均延迟是多少毫秒？"),
        ("量了一下，{e}订的那批钢管实际重 {v} 公斤。", "{e}订的钢管实际多重？"),
        ("{e}说样品的含水率测出来 {v}%，要复测。", "{e}测的样品含水率是多少？"),
        ("这个月{e}的直播间卖了 {v} 件，库存要补。", "{e}的直播间这个月卖了多少件？"),
    ),
    ("number", "en"): (
        ("The load test of {e} topped out at {v} requests per second.",
         "How many requests per second did {e} reach in the load test?"),
        ("{e} quoted us {v} dollars for the whole roof, materials included.",
         "How much did {e} quote for the roof?"),
        ("We measured {e} again: the cache now holds {v} MB after an hour.",
         "How many MB does the cache of {e} hold after an hour?"),
        ("After the audit the outstanding balance of {e} is {v} euros.",
         "What is the outstanding balance of {e}?"),
        ("{e} drove {v} km for the survey, we owe the mileage.",
         "How many kilometres did {e} drive for the survey?"),
        ("The water tank behind {e}'s workshop takes {v} litres.",
         "How many litres does the tank behind {e}'s workshop take?"),
    ),
    ("path", "zh"): (
        ("{e}的训练脚本我挪到 {v} 了，旧位置先别删。", "{e}的训练脚本挪到哪里了？"),
        ("{e}的备份每天写到 {v}，保留七天。", "{e}的备份写到哪个路径？"),
        ("排查下来，{e}的崩溃转储留在 {v}。", "{e}的崩溃转储在哪里？"),
        ("{e}把合同扫描件放在 {v} 下面了，注意权限。", "{e}把合同扫描件放在哪里？"),
        ("渲染好的分镜归在 {v}，{e}会来取。", "{e}要取的分镜归在哪个路径？"),
        ("{e}的评测集入口是 {v}，别用旧的那份。", "{e}的评测集入口是哪个文件？"),
    ),
    ("path", "en"): (
        ("I moved the deployment manifest of {e} to {v} so that CI finds it.",
         "Where is the deployment manifest of {e} now?"),
        ("{e} keeps the raw survey answers in {v}, read only.",
         "Where does {e} keep the raw survey answers?"),
        ("The crash dumps of {e} pile up under {v}, please watch the disk.",
         "Where do the crash dumps of {e} pile up?"),
        ("The fixtures for {e} live at {v} since the cleanup.",
         "Where do the fixtures for {e} live?"),
        ("{e} put the signed lease into {v} last night.", "Where did {e} put the signed lease?"),
        ("Logs that {e} writes on shutdown end up in {v}.",
         "Where do the shutdown logs of {e} end up?"),
    ),
    ("version", "zh"): (
        ("{e}今天灰度了 {v}，先放百分之五的流量。", "{e}灰度的是哪个版本？"),
        ("回滚完成，{e}现在跑的是 {v}。", "{e}回滚后跑的是哪个版本？"),
        ("{e}锁定的依赖升级到 {v} 之前要先过安全评审。", "{e}锁定的依赖要升级到哪个版本？"),
        ("固件 {v} 修好了{e}的蓝牙断连，准备批量刷。", "修好{e}蓝牙断连的是哪个固件版本？"),
        ("跟供应商确认过，{e}兼容的最低驱动是 {v}。", "{e}兼容的最低驱动是哪个版本？"),
        ("{e}的安装包里带的运行时其实是 {v}。", "{e}安装包带的运行时是什么版本？"),
    ),
    ("version", "en"): (
        ("{e} goes out as {v} tonight unless QA objects.", "As which version does {e} go out?"),
        ("We pinned {e} to {v} because the newer ones leak memory.",
         "To which version did we pin {e}?"),
        ("The plugin for {e} refuses to start on anything below {v}.",
         "Below which version does the plugin for {e} refuse to start?"),
        ("Firmware {v} is the one that fixed the sensor of {e}.",
         "Which firmware fixed the sensor of {e}?"),
        ("{e} was built against toolchain {v}, don't mix them.",
         "Against which toolchain was {e} built?"),
        ("The schema that {e} expects is {v} by now.", "Which schema version does {e} expect?"),
    ),
    ("date", "zh"): (
        ("{e}的合同 {v} 到期，提前一个月提醒我。", "{e}的合同什么时候到期？"),
        ("跟{e}约好 {v} 当面验收，地点还没定。", "跟{e}约在哪天验收？"),
        ("{e}的护照 {v} 签发，快要换了。", "{e}的护照是哪天签发的？"),
        ("体检中心把{e}排在 {v}，要空腹。", "{e}的体检排在哪天？"),
        ("{e}的试用期 {v} 结束，记得发评估表。", "{e}的试用期哪天结束？"),
        ("展位费{e}已经交了，布展是 {v}。", "{e}的布展是哪一天？"),
    ),
    ("date", "en"): (
        ("{e}'s lease runs out on {v}, they want two months' notice.",
         "When does {e}'s lease run out?"),
        ("The inspection of {e} was set for {v}.", "For when was the inspection of {e} set?"),
        ("{e} starts parental leave on {v} and is back in spring.",
         "When does {e} start parental leave?"),
        ("The certificate of {e} was issued on {v}.", "When was the certificate of {e} issued?"),
        ("We promised {e} the final cut by {v}.", "By when did we promise {e} the final cut?"),
        ("{e} defends the thesis on {v}, keep that morning free.",
         "When does {e} defend the thesis?"),
    ),
}  # fmt: skip
FILES: dict[str, tuple[Said, ...]] = {
    "identifier": (
        ("tenant_id = {v}", "{f} 里的 tenant_id 是什么？"),
        ("merchant: {v}", "Which merchant stands in {f}?"),
        ("| 设备序列号 | {v} |", "{f} 中的设备序列号是什么？"),
        ("campaign_ref={v}", "What is the campaign_ref in {f}?"),
    ),
    "number": (
        ("max_connections = {v}", "{f} 里的 max_connections 是多少？"),
        ("retention_hours: {v}", "What is retention_hours in {f}?"),
        ("| 每日配额 | {v} |", "{f} 里的每日配额是多少？"),
        ("burst_tokens={v}", "How large is burst_tokens in {f}?"),
    ),
    "path": (
        ("spool_dir = {v}", "{f} 里的 spool_dir 指向哪里？"),
        ("certificate: {v}", "Which certificate path stands in {f}?"),
        ("| 归档目录 | {v} |", "{f} 中的归档目录是什么？"),
        ("socket_path={v}", "What is the socket_path in {f}?"),
    ),
    "version": (
        ("protocol = {v}", "{f} 里的 protocol 是哪个版本？"),
        ("runtime_version: {v}", "Which runtime_version does {f} name?"),
        ("| 固件版本 | {v} |", "{f} 中的固件版本是什么？"),
        ("schema_release={v}", "Which schema_release stands in {f}?"),
    ),
    "date": (
        ("valid_until = {v}", "{f} 里的 valid_until 是哪天？"),
        ("next_audit: {v}", "When is the next_audit in {f}?"),
        ("| 启用日期 | {v} |", "{f} 中的启用日期是哪天？"),
        ("frozen_since={v}", "Since when is it frozen_since in {f}?"),
    ),
}
GREP: dict[str, tuple[Said, ...]] = {
    "identifier": (
        ("ERROR {e} request {v} rejected", "Which request of {e} was rejected in the log?"),
        ("WARN {e} 事务 {v} 已回滚", "日志里{e}回滚的事务编号是什么？"),
    ),
    "number": (
        ("ERROR {e} queue length {v} over limit", "What queue length of {e} was over the limit?"),
        ("WARN {e} 响应耗时 {v} ms", "日志里{e}的响应耗时是多少？"),
    ),
    "path": (
        ("ERROR {e} cannot open {v}", "Which path could {e} not open?"),
        ("WARN {e} 磁盘占满：{v}", "日志里{e}占满的磁盘路径是哪个？"),
    ),
    "version": (
        ("ERROR {e} needs client {v} or later", "Which client version does {e} need?"),
        ("WARN {e} 检测到旧版本 {v}", "日志里{e}检测到的旧版本是哪个？"),
    ),
    "date": (
        ("ERROR {e} certificate expires {v}", "When does the certificate of {e} expire?"),
        ("WARN {e} 授权到期日 {v}", "日志里{e}的授权到期日是哪天？"),
    ),
}
