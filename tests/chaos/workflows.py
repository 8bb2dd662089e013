"""The workflows of the harness: one for each promise that a fault could break.

Functions are answered by the sink, which notes every call with its Idempotency-Key.
"""

RETRY = {"attempts": 30, "base": "200ms", "cap": "2s", "jitter": 0.2}


def step(name: str, **payload) -> dict:
    return {
        "name": name,
        "function": "effect",
        "action": name,
        "payload": payload,
        "retry": RETRY,
        "timeout": "5s",
    }


def node(name: str, **payload) -> dict:
    made = step(name, **payload)
    made["id"] = made.pop("name")
    return made


LINE = {"name": "line", "steps": [step("a"), step("b"), step("c")]}

CHILD = {"name": "child", "steps": [step("inner", n="{{ n }}")]}

GRAPH = {
    "name": "graph",
    "nodes": [
        {"id": "fork", "type": "parallel"},
        node("left"),
        node("right"),
        {"id": "both", "type": "join"},
        {"id": "call", "type": "call", "config": {"workflow": "child", "input": {"n": 0}}},
        {"id": "list", "type": "foreach", "config": {"items": [1, 2, 3], "concurrency": 2}},
        node("item", n="{{ item }}"),
        node("last"),
    ],
    "edges": [
        {"from": "fork", "to": "left"},
        {"from": "fork", "to": "right"},
        {"from": "left", "to": "both"},
        {"from": "right", "to": "both"},
        {"from": "both", "to": "call"},
        {"from": "call", "to": "list"},
        {"from": "list", "to": "item", "handle": "each"},
        {"from": "list", "to": "last"},
    ],
}


def looping(name: str, waiting: dict) -> dict:
    """A run that waits {{ times }} times, each time for the next message."""
    return {
        "name": name,
        "nodes": [
            {"id": "again", "type": "loop", "config": {"times": "{{ input.times }}"}},
            {"id": "next", "type": "wait", "config": waiting},
            {"id": "done", "type": "end"},
        ],
        "edges": [
            {"from": "again", "to": "next", "handle": "each"},
            {"from": "next", "to": "again"},
            {"from": "again", "to": "done"},
        ],
    }


EVENTS = looping("events", {"event": "tick", "key": "{{ input.key }}"})
SIGNALS = looping("signals", {"signal": "go"})

HUMAN = {
    "name": "human",
    "nodes": [
        {"id": "ask", "human": {"title": "May {{ input.key }}?", "assignee": "ann"}},
        node("after"),
    ],
    "edges": [{"from": "ask", "to": "after", "handle": "approved"}],
}

COUNTER = {
    "name": "counter",
    "steps": [
        {
            "name": f"add_{n}",
            "type": "sql",
            "config": {
                "statement": "insert into chaos.counted (key, n) values ($1, $2::int)",
                "params": ["{{ key }}", n],
            },
            "retry": RETRY,
        }
        for n in (1, 2)
    ],
}

TIMER = {
    "name": "timer",
    "steps": [
        {"name": "nap", "wait": {"duration": "1500ms"}},
        step("flaky"),
        {"name": "nap_again", "wait": {"duration": "3s"}},
        step("end"),
    ],
}

QUEUED = {"name": "queued", "triggers": [{"queue": "chaos_orders"}], "steps": [step("packed")]}

TRIGGERED = {
    "name": "triggered",
    "triggers": [{"event": "signed_up", "input": {"key": "{{ data.key }}"}}],
    "steps": [step("welcome")],
}

GATED = {
    "name": "gated",
    "flow": {"concurrency": [{"key": "{{ input.gate }}", "limit": 2}]},
    "steps": [step("inside"), {"name": "nap", "wait": {"duration": "300ms"}}, step("leave")],
}

LOCKED = {
    "name": "locked",
    "nodes": [
        {"id": "enter", "type": "lock", "config": {"key": "{{ input.gate }}"}},
        node("critical"),
        {"id": "leave", "type": "unlock", "config": {"key": "{{ input.gate }}"}},
    ],
    "edges": [{"from": "enter", "to": "critical"}, {"from": "critical", "to": "leave"}],
}

# Over at once: its close and its claim by another worker may meet after a crash.
QUICK = {"name": "quick", "steps": [{"name": "s", "code": "noop"}]}

ONE = {"name": "one", "steps": [step("once")]}

HELD = {"name": "held", "steps": [{"name": "never", "wait": {"signal": "never"}}]}

# Two messages: by a provider that recognises a repeat, and by one that does not and can be asked.
LETTER = {
    "name": "letter",
    "nodes": [
        {"id": "safe", "message": {"channel": "webhook", "connector": "webhook",
                                   "to": "{{ input.to }}", "category": "transactional",
                                   "text": "hello"}},
        {"id": "pigeon", "message": {"channel": "sms", "connector": "pigeon", "to": "a tower",
                                     "category": "transactional", "text": "hello"}},
    ],
    "edges": [{"from": "safe", "to": "pigeon"}],
}


def pigeon(sink: str) -> dict:
    """The connector. `absent_after` is longer than any fault holds a process up."""
    return {
        "name": "pigeon",
        "channels": ["sms"],
        "request": {
            "url": f"{sink}/pigeon",
            "json": {"id": "{{ message.id }}", "text": "{{ content.text }}"},
        },
        "replay": "reconcile",
        "answers": [
            {"status": 200, "means": "accepted", "id": "body.id"},
            {"status": 503, "means": "retry", "after": "200ms"},
            {"status": "5xx", "means": "unknown"},
        ],
        "reconcile": {
            "after": "1s",
            "absent_after": "45s",
            "per_minute": 6000,
            "request": {"url": f"{sink}/pigeon/{{{{ message.id }}}}"},
            "answers": [
                {"status": 200, "means": "sent", "id": "body.id"},
                {"status": 404, "means": "not_sent"},
            ],
        },
    }


# Of the hostile tenant.
ENDLESS = {
    "name": "endless",
    "steps": [{"name": "spin", "type": "transform", "config": {"jq": "until(false; .)"}}],
}
BIG_NUMBERS = {
    "name": "big_numbers",
    "steps": [
        {"name": "sum", "type": "transform", "config": {"jq": ".input.n * 1e308"}},
        step("told", n="{{ n }}"),
    ],
}
LONG_NAMES = {
    "name": "long_names",
    "nodes": [{"id": "ask", "human": {"title": "{{ input.who }}", "assignee": "{{ input.who }}"}}],
    "edges": [],
}
FLOOD = {"name": "flood", "steps": [{"name": "s", "code": "noop"}]}

# Effects of each workflow, for each of its runs: the actions that the sink must have seen.
EFFECTS = {
    "line": ["a", "b", "c"],
    "one": ["once"],
    "graph": ["left", "right", "item", "item", "item", "last"],
    "child": ["inner"],
    "human": ["after"],
    "timer": ["flaky", "end"],
    "queued": ["packed"],
    "triggered": ["welcome"],
    "gated": ["inside", "leave"],
    "locked": ["critical"],
}
SHARED = [LINE, CHILD, GRAPH, EVENTS, SIGNALS, HUMAN, TIMER, TRIGGERED, GATED, LOCKED, HELD]
# Steps of type sql and plain queues are for the default tenant.
DEFAULT_ONLY = [QUICK, ONE, COUNTER, QUEUED, LETTER]
HOSTILE = [ENDLESS, BIG_NUMBERS, LONG_NAMES, FLOOD]


def told_of(tenant: str) -> list:
    """Webhooks hear of all but those that come in very great numbers."""
    return [one for one in of_tenant(tenant) if one not in (QUICK, ONE)]


def of_tenant(tenant: str) -> list:
    own = {"default": DEFAULT_ONLY, "mallory": HOSTILE}
    return SHARED + own.get(tenant, [])
