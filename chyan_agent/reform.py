"""Taking on the form of conversation that an endpoint wants; the window is counted in it then."""

from dataclasses import replace

from .budget import Ledger
from .errors import ModelWants
from .events import Noticed
from .form import Form
from .model import Reply
from .parts import Parts

MOSTLY_TOOLS = 0.6
"""Share of the definitions in a request from which on their absence shows in the server's count."""
LEAST, MOST = 0.4, 1.3
"""How much less and more than we count another tokenizer may find in the same text."""


def use_form(parts: Parts, form: Form) -> None:
    """Count and send everything in this form from now on."""
    parts.meter = parts.meter.in_form(form)
    parts.frame = parts.frame.again(parts.meter)
    parts.budget = replace(parts.budget, fixed=parts.frame.fixed)


def take_form(parts: Parts, turn: int, error: ModelWants) -> Noticed:
    """Take the form that the endpoint wants; raises `error` if it had that already."""
    form = parts.meter.form.wanting(error.want)
    if form == parts.meter.form:
        raise error
    if error.want == "text_calls":
        return take_text_calls(parts, turn, asked=True)
    use_form(parts, form)
    parts.learnt.lessons.add(error.want)
    return Noticed(turn, "reasoning", parts.frame.texts.told_reasoning)


def take_text_calls(parts: Parts, turn: int, *, asked: bool = False) -> Noticed:
    """Tell the tools in the prompt; `asked` says that the endpoint refused them otherwise."""
    use_form(parts, parts.meter.form.wanting("text_calls"))
    parts.learnt.lessons.add("text_calls")
    texts = parts.frame.texts
    return Noticed(turn, "text_tools", texts.told_text_tools if asked else texts.told_ignored)


def tools_ignored(parts: Parts, reply: Reply, ledger: Ledger) -> bool:
    """Whether the endpoint's own count shows that it dropped the tool definitions.

    Some servers do so without a word when a chat template has no place for tools. Only a request
    that is mostly tools can show it; one native call disproves it for good.
    """
    if reply.message.tool_calls:
        parts.told.add("calls")
    if "calls" in parts.told or parts.meter.form.text_calls or reply.usage.cached_tokens:
        return False
    rest = ledger.total - ledger.tools
    mostly = ledger.tools >= MOSTLY_TOOLS * ledger.total
    return mostly and LEAST * rest <= reply.usage.prompt_tokens <= MOST * rest
