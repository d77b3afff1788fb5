"""Faults to the errors that the user reads: what happened at which endpoint, and the way out."""

from urllib.parse import urlsplit

from ..errors import AuthError, ModelError, ModelOverflow, ModelRefused, ModelUnavailable
from ..prompts.llm import Advice, LlmTexts
from .faults import Fault, one_line


class Unavailable(ModelUnavailable):
    """No answer for now, with the pause in seconds that the endpoint asked for, if it did.

    Some endpoints call a refusal an error of theirs: what they said may teach a quirk too.
    """

    def __init__(
        self, message: str, *, hint: str = "", delay: float | None = None, said: str = ""
    ) -> None:
        super().__init__(message, hint=hint)
        self.delay = delay
        self.said = said


class Broken(Unavailable):
    """A stream that ended before the answer did."""

    mute = False
    """Whether it ended before anything came: some servers have no other way to refuse a stream."""


class Refused(ModelRefused):
    """A refusal with the endpoint's own words: they may teach a quirk."""

    def __init__(self, message: str, *, hint: str = "", said: str = "") -> None:
        super().__init__(message, hint=hint)
        self.said = said


class Adviser:
    """Words errors for one endpoint; neither its key nor credentials in its URL are ever shown."""

    def __init__(self, texts: LlmTexts, *, url: str, model: str, key: str) -> None:
        self._texts = texts
        self._url = public_url(url)
        self._model = model
        self._key = key

    def fault(self, fault: Fault, *, delay: float | None = None, offers: str = "") -> ModelError:
        """Return the error for what the endpoint said; its class decides about another try."""
        verdict = fault.verdict
        advice = self._advice(verdict)
        message, hint = self._fill(
            advice,
            fault.message,
            status=str(fault.status or 200),
            offers=self._offers(offers),
            allowance=f"{fault.allowance or 0:,}",
        )
        match verdict:
            case "auth":
                return AuthError(message, hint=hint)
            case "overflow":
                return ModelOverflow(message, hint=hint, limit=fault.limit, counted=fault.counted)
            case "busy" | "failing":
                said = fault.message if verdict == "failing" else ""
                return Unavailable(message, hint=hint, delay=delay, said=said)
            case "rate":
                return Refused(message, hint=hint)
            case _:
                return Refused(message, hint=hint, said=fault.message)

    def _advice(self, verdict: str) -> Advice:
        if verdict == "auth" and not self._key:
            return self._texts.auth_no_key
        advice: Advice = getattr(self._texts, verdict)
        return advice

    def _offers(self, names: str) -> str:
        return self._texts.offers.format(names=one_line(names)) if names else ""

    def no_key(self) -> AuthError:
        """A hosted endpoint and no key: nothing is sent."""
        message, hint = self._fill(self._texts.no_key)
        return AuthError(message, hint=hint)

    def bad_key(self) -> AuthError:
        """A key that can't stand in a header."""
        message, hint = self._fill(self._texts.bad_key)
        return AuthError(message, hint=hint)

    def bad_url(self) -> ModelRefused:
        """A base URL that is none."""
        message, hint = self._fill(self._texts.bad_url)
        return ModelRefused(message, hint=hint)

    def strange(self, said: str) -> ModelRefused:
        """A success that is not of the chat protocol, such as a web page."""
        message, hint = self._fill(self._texts.strange, said)
        return ModelRefused(message, hint=hint)

    def unreachable(self, reason: str) -> Unavailable:
        """No connection, or it was lost."""
        return self._unavailable(self._texts.unreachable, reason)

    def silent(self, seconds: float) -> Unavailable:
        """A timeout."""
        return self._unavailable(self._texts.silent, seconds=f"{seconds:g}")

    def endless(self, seconds: float) -> ModelRefused:
        """An answer that goes on for too long: another one would too."""
        message, hint = self._fill(self._texts.endless, seconds=f"{seconds:g}")
        return ModelRefused(message, hint=hint)

    def moved(self, place: str) -> ModelRefused:
        """A redirect that would carry the conversation to somebody else."""
        message, hint = self._fill(self._texts.moved, public_url(place))
        return ModelRefused(message, hint=hint)

    def cut(self, reason: str) -> Broken:
        """A stream that ended before the answer did."""
        message, hint = self._fill(self._texts.cut, reason)
        return Broken(message, hint=hint)

    def empty(self) -> Unavailable:
        """A stream that ended properly and held no answer at all."""
        return self._unavailable(self._texts.empty)

    def wait(self, error: Unavailable) -> ModelUnavailable:
        """The endpoint asks for a longer pause than we take by ourselves."""
        seconds = f"{min(error.delay or 0.0, 1e9):.0f}"
        message, hint = self._fill(self._texts.wait, str(error), seconds=seconds)
        return ModelUnavailable(message, hint=hint)

    def _unavailable(self, advice: Advice, reason: str = "", *, seconds: str = "") -> Unavailable:
        message, hint = self._fill(advice, reason, seconds=seconds)
        return Unavailable(message, hint=hint)

    def _fill(self, advice: Advice, reason: str = "", **fields: str) -> tuple[str, str]:
        known = {
            "url": self._url,
            "model": one_line(self._model),
            "reason": one_line(reason, secret=self._key) or self._texts.no_reason,
            **fields,
        }
        return advice.message.format(**known), advice.hint.format(**known)


def public_url(url: str) -> str:
    """Return a URL without credentials, query and fragment."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return one_line(url)
    return one_line(f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}")
