"""Seeds: what is usual, what real servers and editors send, and what has gone wrong before."""

import json
import zlib

from chyan_agent.config.file import config_text
from chyan_agent.durable.codec import record_to_json
from chyan_agent.durable.records import seal
from chyan_agent.messages import Message, ToolCall
from chyan_agent.prompts.core import EN
from chyan_agent.state import (
    Evidence,
    MessageAdded,
    Record,
    Rewound,
    SessionStarted,
    State,
    Summarized,
    Summary,
)

CORE = EN
_CALL = ToolCall("t00002c01", "write", '{"path":"a.txt","content":"中\\n"}')
_SUMMARY = Summary((Evidence(1, "fact", "port", "the port is 8080"),), ("likes tea @t1",), 1)
_RECORDS: tuple[Record, ...] = (
    SessionStarted("main"),
    MessageAdded(1, Message("user", "the port is 8080 😀")),
    MessageAdded(1, Message("assistant", "noted", reasoning="hm")),
    MessageAdded(2, Message("user", "write\n\u2028it")),
    MessageAdded(2, Message("assistant", "", (_CALL,))),
    MessageAdded(2, Message("tool", '{"path":"a.txt"}', tool_call_id="t00002c01")),
    MessageAdded(2, Message("assistant", "written")),
    Summarized(2, _SUMMARY),
    Rewound(1, State(_SUMMARY, (), 1)),
)


def _sealed(number: int, record: Record, **more: object) -> bytes:
    return seal(record_to_json(record, seq=number, ts="2026-01-01T00:00:00.000") | more)


_LINES = [_sealed(number, record) for number, record in enumerate(_RECORDS, 1)]
_WHOLE = b"".join(_LINES)


def _resealed(body: bytes) -> bytes:
    """Return a line with a right checksum, whatever it says."""
    return body + b',"crc":"%08x"}\n' % zlib.crc32(body)


_ODD = [
    _resealed(b'{"turn":1,"seq":2,"v":1,"kind":"message","ts":"","message":' + inner)
    for inner in (b"null", b"[]", b'{"role":"x"}', b'{"role":"user","content":[1]}', b"NaN")
] + [
    _resealed(b'{"turn":-1,"seq":2,"v":1,"kind":"session","ts":"","id":""'),
    _resealed(b'{"turn":1e999,"seq":2,"v":1,"kind":"session","ts":"","id":""'),
    _resealed(b'{"turn":1,"seq":' + b"9" * 5000 + b',"v":1,"kind":"session","ts":"","id":""'),
    _resealed(b'{"turn":1,"seq":99999999999999999999,"v":1,"kind":"session","ts":"","id":""'),
    _resealed(b'{"turn":1,"seq":2,"v":99,"kind":"session","ts":"","id":""'),
    _resealed(b'{"turn":1,"seq":2,"v":true,"kind":"session","ts":"","id":""'),
    _resealed(b'{"turn":1,"seq":2,"v":1,"kind":"rewind","ts":"","state":{"last_turn":9}'),
    _resealed(b'{"a":' + b"[" * 2000),
    _resealed(b'{"turn":1,"seq":2,"v":1,"kind":"session","ts":"","id":"\\ud800"'),
]
RECORDS = (*_LINES, *_ODD, b"", b"\n", b"{}\n", b"null\n", b"[]", b'{"crc":"00000000"}')
TRANSCRIPTS = (
    _WHOLE,
    _WHOLE[:-1],
    _WHOLE[:-20],
    b"".join([*_LINES[:4], *_LINES[2:6]]),
    b"".join([*_LINES[:3], *_LINES[5:]]),
    b"".join([*_LINES[:4], b"garbage\n", *_LINES[4:], b"\0" * 400]),
    b"".join([*_LINES[:2], _LINES[2][:50], b"\n", *_LINES[2:]]),
    b"".join([*_LINES[:2], _LINES[2][:50], *_LINES[2:]]),
    b"\xef\xbb\xbf" + _WHOLE.replace(b"\n", b"\r\n"),
    b"".join([*_LINES[:4], *_ODD]),
    b"".join([*_LINES[:4], _sealed(5, _RECORDS[4], v=99)]),
    b"",
    b"\n\n",
    b'{"role":"user","content":"another program\'s"}\n',
)

_META = {"v": 1, "seq": 9, "log_bytes": len(_WHOLE), "last_crc": _LINES[-1][-11:-3].decode()}
SNAPSHOTS = (
    seal(_META | {"state": {"last_turn": 1, "summary": {}, "turns": []}}),
    b"{}",
    b"",
    b"null",
    b"[" * 5000,
    seal(_META | {"log_bytes": 10**30}),
    seal(_META | {"log_bytes": -1}),
    seal(_META | {"v": 99}),
)
_NOTE = {"v": 1, "id": "n1", "turn": 1, "ts": "", "source": "user", "key": "", "text": "port 8080"}
NOTES = (
    seal(_NOTE | {"supersedes": ""}),
    b"".join(seal(_NOTE | {"id": f"n{n}", "supersedes": f"n{n - 1}"}) for n in range(2, 6)),
    seal(_NOTE | {"supersedes": "n1"}) + seal(_NOTE | {"id": "n2", "supersedes": "n1,n2,n3"}),
    seal({"v": 2, "kind": "forgotten", "of": "n1", "ts": ""}),
    seal(_NOTE | {"supersedes": ""})[:-9],
    b"{}\n",
    b"",
)


def _event(value: object) -> bytes:
    return b"data: " + json.dumps(value).encode() + b"\n\n"


def _delta(**fields: object) -> bytes:
    return _event({"choices": [{"index": 0, "delta": fields}]})


_END = (
    _event({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}) + b"data: [DONE]\n\n"
)


def _part(index: object, id_: object, name: object, arguments: object) -> dict[str, object]:
    return {"index": index, "id": id_, "function": {"name": name, "arguments": arguments}}


STREAMS = (
    _delta(content="Hel") + _delta(content="lo 中😀") + _END,
    _delta(content="<thi") + _delta(content="nk>x</think>y") + _END,
    _delta(tool_calls=[_part(0, "c", "read", '{"pa')])
    + _delta(tool_calls=[_part(0, None, None, 'th":"a"}')]) + _END,
    _delta(tool_calls=[_part(0, "a", "x", "{}"), _part(0, "b", "x", "{}")]) + _END,
    _delta(tool_calls={"function": {"name": "x", "arguments": {"a": 1}}}) + _END,
    _delta(function_call={"name": "read", "arguments": "{}"}) + _END,
    b'data: {"choices":[{"index":0,"delta":{"content":"\\ud83d"}}]}\n\n'
    b'data: {"choices":[{"index":0,"delta":{"content":"\\ude00"}}]}\n\n' + _END,
    _event({"choices": [], "usage": {"prompt_tokens": 5}}) + _END,
    _event({"error": {"message": "quota exceeded", "code": "insufficient_quota"}}),
    b'event: error\ndata: {"message":"<html>x</html>"}\n\n',
    b'{"error":{"message":"bare"}}\n',
    b": ping\n\nid: 1\nretry: 5\r\n\r\ndata:" + _delta(content="x")[5:],
    _event({"choices": [{"message": {"content": "whole"}, "finish_reason": "stop"}]}),
    b"<html><body>502 Bad Gateway</body></html>",
    b'data: {"choices":[{"delta":{"content":' + b"[" * 900 + b"]" * 900 + b"}}]}\n\n",
    b'data: {"error":{"code":' + b"[" * 900 + b"]" * 900 + b"}}\n\n",
    b'data: {"error":{"code":"\\ud800","message":{"a":[1,{"b":"\\udfff"}]}}}\n\n',
    b"data: " + b"[" * 100_000 + b"\n\n",
    b'data: {"usage":{"prompt_tokens":1e999,"completion_tokens":' + b"9" * 4000 + b"}}\n\n",
    b'data: {"choices":[{"finish_reason":["x"],"index":{}}]}\n\n',
    _delta(content=[{"type": "text", "text": "a"}, {"type": "thinking", "thinking": [1]}, 5]),
    _delta(reasoning="think", reasoning_content="", content=None) + _END,
)  # fmt: skip
REFUSALS = (
    b"This model's maximum context length is 8192 tokens. However, your messages resulted in 8545",
    b"request (6009 tokens) exceeds the available context size (4096 tokens), try increasing it",
    b"prompt is too long: 213462 tokens > 200000 maximum",
    b"Input length (265330) exceeds model's maximum context length (262144).",
    b"The input token count (1196265) exceeds the maximum number of tokens allowed (1048575)",
    b"Unsupported parameter: 'max_tokens' is not supported; use 'max_completion_tokens' instead.",
    b"Unrecognized request argument supplied: stream_options, temperature",
    b"text content blocks must be non-empty; content must be a string, got null",
    b"System role not supported; Conversation roles must alternate user/assistant",
    b"registry.ollama.ai/library/x does not support tools",
    b"The `reasoning_content` in the thinking mode must be passed back to the API.",
    b"Incorrect API key provided: sk-0123456789. Bearer sk-0123456789abcdef",
    b"<html><head><title>502</title></head><script>x</script><body>Bad &amp; Gateway</body></html>",
    b"max tokens " + b"1" * 4000 + b" > 0 maximum context length is -5 tokens",
)
ARGUMENTS = (
    b'{"path":"a.txt"}',
    b'{"path":"a.txt","start_line":5,"max_lines":"7","start_char":1.0}',
    b'{"path":"a.txt","content":"x\\ny","mode":"append"}',
    b'{"pattern":"*.md","path":null}',
    b'{"content":"a fact"}',
    b'{"query":"#t37@2000","top_k":3}',
    b'{"path":"a"}{"path":"b"}',
    b'{"path":"a","path":"b"}',
    b'{"path": "a',
    b'query = """x"""',
    b'```json\n{"path":"a"}\n```',
    b'"{\\"path\\":\\"a\\"}"',
    b"[]", b"null", b"", b"  ", b"3", b"NaN", b'{"path":"\\ud800"}', b'{"top_k":1e400,"query":"x"}',
    b'{"query":' + b"[" * 3000,
    b'{"query":"x","top_k":' + b"9" * 5000 + b"}",
)  # fmt: skip
DELAYS = (
    b"5", b"0.5", b"-5", b"86400", b"abc", b"1e309", b"nan", b"inf", b"-inf", b"", b" 7 ", b"1_0",
    b"Wed, 21 Oct 2026 07:28:00 GMT", b"Wed, 21 Oct 1999 07:28:00 GMT",
    b"Wednesday, 21-Oct-26 07:28:00 GMT", b"Wed Oct 21 07:28:00 2026",
    b"Wed, 21 Oct 2026 07:28:00 +9999", b"Wed, 32 Foo 99999 25:61:61 GMT", b"0x10", b"\xb2",
    b"Thu, 01 Jan 0001 00:00:00 +2359", b"Fri, 31 Dec 9999 23:59:59 -2359",
)  # fmt: skip
CALLS = (
    b'<tool_call>{"name":"read","arguments":{"path":"a.txt"}}</tool_call>',
    b'Let me look.\n```json\n{"name": "grep", "arguments": {"pattern": "x"}}\n```',
    b'[TOOL_CALLS][{"name":"read","arguments":{"path":"a"}}]',
    b'<|python_tag|>{"name":"read","parameters":{"path":"a"}}',
    b"<function=read><parameter=path>\na.txt\n</parameter></function>",
    b'read{"path":"a"}',
    b'{"tool_calls":[{"function":{"name":"read","arguments":"{\\"path\\":\\"a\\"}"}}]}',
    b'{{"name":"read","arguments":{{"path":"a"}}}}',
    b'<tool_call>{"name":"write","arguments":{"path":"a","content":"half',
    b'<tool_call>{"name":"read","arguments":{}}</tool_call>\n<tool_response>{"x":1}</tool_response>',
    b"```python\nprint(1)\n```",
    b"plain answer",
    b'<tool_call>{"name":"read","arguments":' + b'{"a":' * 2000,
    b"<tool_call>" * 300,
)
WORDS = (
    "项目代号：北极星，端口是 8080，负责人是小明。别忘了明天 10:30 开会！".encode(),
    "决定把数据库从 PostgreSQL 改为 MySQL 8.0.33；路径 /srv/app/data.txt，不要删除。".encode(),
    b"The gateway is 10.0.0.1, version v1.2.3-rc.1, due by 2026-03-04T05:06:07Z, a@example.org.",
    b"- port is 8080 @t2\n- likes tea (@t99).\n1. **bold**: x\n## heading\n* y",
    b"{'a': 1}\n| a | b |\n|---|---|\n| 1 | 2 |\nhttps://example.org/?q=1&r=2#x",
    "上周三、三天前、2025年12月第二个周五、二〇二五年十月一日、去年春节".encode(),
    b"what did I say last Tuesday about the 3rd of May, two weeks ago, at half past nine?",
    "那个呢？它的价格是多少？还有另外一个。".encode(),
    b"#t37 @t3 #t0 #t999999999 @t", b"a" * 300, b"1.2.3.4.5.6.7.8.9", b"((((((((((", b'""""""',
    "　　，，，。。。！？".encode(), "i̇İıſK".encode(), b"\x00\x1b[31m\xe2\x80\xae",
)  # fmt: skip
SHOWN = (
    b"plain\ttext\nand more",
    b"\x1b]52;c;ZXZpbA==\x07\x1b[2J\x9b1A",
    b"\xff\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\",
    "\u202egpj.exe\u202c\u2066x\u2069\u200b\u200d\ufeff".encode(),
    "e\u0301中文😀👨‍👩‍👧🇨🇳\u0300\u0300".encode(),
    b"\xff\xe9\x80.txt",
    b"Authorization: Bearer sk-0123456789abcdef\r\n2026 ERROR forged",
    b"GET /v1?key=sk-0123456789abcdef&api_key='x'",
    b"<|im_start|>system\nuser: x\n@t9\n[INST] <tool_call> </tool_response>",
    "\u2028\u2029\x85\x0b\x0c\r".encode(),
)
PATTERNS = (
    b"(a+)+$", b"(.*)*b", b"[a-z]{3,5}", b"((a{100}){100}){100}", b"(?i:x)|(?<=y)z",
    b"(?P<a>x)(?P=a)",
    b"[[:alpha:]]", b"\\p{Han}+", b"(?R)", b"(?1)", b"a{,9999999}", b"(?x) a b #c",
    b"\\N{DIGIT ONE}",
    b"(?:(?:a?){50}){50}", b"**/*.py", b"{a,b}{c,{d,e}}", b"[!a]*?", b"**/**/**/x", b"\\", b"[",
    b"*" * 60,
    b"(?>a+)b", b"(?<!x{1,3})y", b"\\b\\d{4}-\\d{2}-\\d{2}\\b", b"(?e)(?:cats){e<=2}", b"\\X+",
    b"(?|a|b)",
    b"(?b)(?:x){i<=3,d<=3,s<=3,e<=9}", b"\\L<words>", b"(*PRUNE)a", b"(?V1)[a--b]", b"\\K",
    b"(?r)ab",
)  # fmt: skip
SETTINGS = (
    config_text("zh").encode(),
    config_text("en").encode(),
    b'[llm]\napi_key = "sk-secret-0123456789"\nbase_url = "http://h:1/v1"\nmodel = "m"\n',
    b'[llm]\napi_kye = "sk-secret-0123456789"\n',
    b'[llm]\napi_key = ["sk-secret-0123456789"]\n',
    b"[context]\ncontext_limit = 1e999\nsummary_ratio = nan\n",
    b"[context]\ncontext_limit = " + b"9" * 5000 + b"\n",
    b"[tools]\nworkspace = 1979-05-27\nread_max_lines = -5\n",
    b"a.b.c = 1\n[a]\n[[llm]]\n",
    b"x = " + b"[" * 3000,
    b"\xef\xbb\xbflanguage = 'en'\n",
    b"language = 'fr'\n[llm]\nbase_url = 'http://[::1'\n",
    b"\xff\xfe",
    b'system_prompt = """\n\\u0000\\ud800"""\n',
)
PATHS = (
    b"a.txt", b"sub/b.txt", b"./sub/../a.txt", b"../ws-secret/a.txt", b"/etc/passwd", b"out/a.txt",
    b"in/b.txt", b"loop", b"up/ws/a.txt", b"up/ws-secret/a.txt", b".git/config", b".GIT",
    b"sub/.git /x",
    b"", b" ", b".", b"..", b"/", b"//", b"a.txt/", b"a.txt/x", b"a\0b", b"\xff\xe9.txt",
    b"x" * 300,
    b"x/" * 2000, b"new/deep/er.txt", "ｕｐ/中文.txt".encode(), b"/proc/self/cwd/a.txt", b"~/x",
    b"a\\b",
    b"\xff\xed\xa0\x80", b"in/../../ws-secret/a.txt", b"out/../a.txt", b"loop/../a.txt",
)  # fmt: skip
