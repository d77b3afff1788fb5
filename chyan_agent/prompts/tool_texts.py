"""Which texts the tools need; what they are is in `tools`."""

from dataclasses import dataclass

from . import Language


@dataclass(frozen=True, slots=True)
class ToolTexts:
    """Texts of the six tools. Names in braces are filled in; errors come as message and hint."""

    language: Language
    read: str
    write: str
    search: str
    grep: str
    remember: str
    recall: str

    file_path: str
    start_line: str
    start_char: str
    content: str
    mode: str
    glob: str
    folder: str
    regex: str
    fact: str
    query: str

    gap: str
    """Stands between the head and the tail of a clipped text; see `clip.MARKER`."""
    cut: str
    recorded: str
    """Frames recalled text as data."""
    nothing_found: str
    no_newline: str
    undecodable: str
    stopped: str
    narrow: str

    unknown_tool: str
    use_one_of: str
    bad_json: str
    bad_json_hint: str
    not_object: str
    arguments_are: str
    unknown_argument: str
    missing_argument: str
    wrong_type: str
    not_one_of: str
    too_small: str
    no_room: str
    no_room_hint: str

    empty_path: str
    outside: str
    outside_hint: str
    protected: str
    protected_hint: str
    not_found: str
    search_hint: str
    another_path: str
    tell_user: str
    """For what no tool can mend."""
    handle_hint: str
    """For a turn's handle where a path should be."""
    look_inside: str
    look_everywhere: str
    did_you_mean: str
    is_folder: str
    not_a_folder: str
    not_a_file: str
    is_link: str
    denied: str
    too_long_name: str
    disk_full: str
    too_large: str
    not_appended: str
    not_appended_hint: str
    failed: str
    no_workspace: str
    unread: str
    binary: str
    binary_hint: str
    past_end: str
    past_end_hint: str

    bad_pattern: str
    bad_pattern_hint: str
    too_complex: str
    too_slow: str
    simpler: str

    empty_note: str
    empty_note_hint: str
    note_too_long: str
    note_too_long_hint: str
    unknown_turn: str
    turns_hint: str
