"""Why a stress run can't start or go on. `X_HINT` is the way out of `X`."""

from .said import Said

AGAIN_HINT = Said("start the run again without --resume", "去掉 --resume，重新开始")
MISFIT = Said(
    "the log has {rows} turns, but turn {turn} was begun",
    "日志里有 {rows} 轮，而开始了的是第 {turn} 轮",
)
JOURNAL_DAMAGED = Said("{path} is damaged: {error}", "{path} 已损坏：{error}")
ROW_DAMAGED = Said("{path}: line {turn} is damaged: {error}", "{path} 第 {turn} 行已损坏：{error}")
WRONG_ROW = Said(
    "{path}: line {turn} is the row of turn {found}", "{path} 第 {turn} 行记的是第 {found} 轮"
)
OTHER_SETTING = Said(
    "the run to resume was started with {name} = {was!r}, not {now!r}",
    "要继续的测试开始时 {name} = {was!r}，不是 {now!r}",
)
OTHER_SETTING_HINT = Said(
    "give the same {name}, or start again without --resume",
    "让 {name} 与当时相同，或去掉 --resume 重新开始",
)
FOREIGN_FOLDER = Said(
    "{folder} holds files that are not of a stress run", "{folder} 里有不属于压力测试的文件"
)
FOREIGN_FOLDER_HINT = Said(
    "choose another --data-dir or --output, or move them away",
    "换一个 --data-dir 或 --output，或把它们移走",
)
NO_DIALOGUE = Said("can't read {path}: {reason}", "无法读取 {path}：{reason}")
NO_DIALOGUE_HINT = Said("check the path after --dialogue", "检查 --dialogue 后面的路径")
NO_LINE = Said("{path} has no line {line}", "{path} 没有第 {line} 行")
NO_LINE_HINT = Said("choose another --store", "换一个 --store")
NOT_A_DIALOGUE = Said(
    "line {line} of {path} is not a conversation: {error}",
    "{path} 第 {line} 行不是一段对话：{error}",
)
NOT_A_DIALOGUE_HINT = Said(
    'each line is {"corpus": [{"id", "text"}], "queries": [{"text", "relevant"}]}',
    '每行应是 {"corpus": [{"id", "text"}], "queries": [{"text", "relevant"}]}',
)
PLACES_HINT = Said("check --output and --data-dir", "检查 --output 和 --data-dir")
