"""What stands in the place of a state file, or in its way. `X_HINT` is the way out of `X`."""

from .said import Said

OF_ANOTHER = Said("{path} belongs to another user", "{path} 属于另一个用户")
LINKED = Said(
    "{path} is a symbolic link, and nothing is kept through links",
    "{path} 是符号链接，状态文件不经链接读写",
)
LINKED_HINT = Said(
    "remove the link, or put in its place what it leads to; the data directory itself may be a "
    "link; what it leads to was not touched",
    "删除这个链接，或把它指向的内容放到原处；数据目录本身可以是链接；链接指向的内容没有改动",
)
NOTES_LOCKED = Said("{path} is kept locked by another process", "{path} 一直被另一个进程锁住")
NOTES_LOCKED_HINT = Said(
    "find it with `lsof` and end it, or choose another --data-dir; nothing was changed",
    "用 lsof 找到并结束它，或换一个 --data-dir；什么都没有改动",
)
UNREADABLE = Said(
    "a record that no start could read is not written: {why}", "不写入以后读不出的记录：{why}"
)
UNREADABLE_HINT = Said(
    "this is a fault of chyan-agent: please report it; nothing was changed",
    "这是 chyan-agent 的缺陷，请报告；什么都没有改动",
)
ZEROS_DROPPED = Said(
    "{name}: {size:,} zeros at its end were not kept", "{name}：末尾的 {size:,} 个零字节没有保留"
)
NEWER_FILE = Said(
    "{path} is of format version {version}; ours is {ours}",
    "{path} 是格式版本 {version}，本程序是 {ours}",
)
NOT_ACCEPTED = Said(
    "{name}: record {seq} (turn {turn}, byte {start}) was edited by hand and is not accepted: its "
    "number does not fit between its neighbours; give it back the number that it had",
    "{name}：第 {seq} 条记录（第 {turn} 轮，第 {start} 字节）被手工改过，没有接受：编号与前后的记录"
    "不连贯；请改回原来的编号",
)
MORE_NOT_ACCEPTED = Said(
    "{count:,} more edited records are not accepted for that",
    "另有 {count:,} 条改过的记录因此没有接受",
)
