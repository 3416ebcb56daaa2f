"""Feeds the names of seeded records (in SEEDED, from seed.mjs) to schemathesis, so that many cases meet a record.

The document is changed before cases are made from it: where it asks for the name of a record, a seeded one is an
alternative to any name. What the server checks is unchanged.
"""

import json
import os

import schemathesis

SEEDED = json.loads(os.environ["SEEDED"])

# First segment of a path below /api/: whose names its {id} takes.
KIND_OF_SEGMENT = {"tasks": "tasks", "executions": "executions", "stories": "stories", "epics": "epics",
                   "projects": "projects", "agents": "agents", "pool": "agents", "drops": "drops"}

# Members of bodies and query parameters that name another record.
KIND_OF_FIELD = {"project": "projects", "project_id": "projects", "epic_id": "epics", "story_id": "stories",
                 "parent_task_id": "tasks", "task_id": "tasks", "depends_on": "tasks", "execution": "executions"}

# Agents that a created task may name. Not the one that runs scripts: random texts must not become programs.
AGENTS = ["claude", "gemini"]

# Open to its end: only a task that cannot be started again may be followed, or the case would wait for minutes.
ONLY_FINISHED = {"streamTaskLogs": ["seed-done"]}


def names_for(operation_id, kind, method):
    if operation_id in ONLY_FINISHED:
        return ONLY_FINISHED[operation_id]
    names = SEEDED.get(kind, [])
    # What is deleted is gone for all the other cases.
    return [name for name in names if name.startswith("spare")] if method == "delete" else names


def offer(schema, names):
    return {"anyOf": [{"type": "string", "enum": names}, schema]} if names else schema


def feed_parameters(path, method, operation):
    segment = path.split("/")[2] if path.startswith("/api/") else ""
    for parameter in operation.get("parameters", []):
        if parameter.get("in") == "path" and parameter["name"] in ("id", "agent", "filename"):
            names = names_for(operation["operationId"], KIND_OF_SEGMENT.get(segment), method)
            parameter["schema"] = offer(parameter["schema"], names)
        elif parameter.get("in") == "query" and parameter["name"] in KIND_OF_FIELD:
            parameter["schema"] = offer(parameter["schema"], SEEDED.get(KIND_OF_FIELD[parameter["name"]], []))


def feed_members(schema):
    if isinstance(schema, list):
        for part in schema:
            feed_members(part)
    if not isinstance(schema, dict):
        return
    for name, member in list(schema.get("properties", {}).items() if isinstance(schema.get("properties"), dict) else []):
        names = SEEDED.get(KIND_OF_FIELD.get(name, ""), [])
        if names and isinstance(member, dict) and member.get("type") == "string":
            schema["properties"][name] = offer(member, names)
        elif name == "agent" and isinstance(member, dict) and "type" in member.get("properties", {}):
            member["properties"]["type"] = offer(member["properties"]["type"], AGENTS)
        elif names and isinstance(member, dict) and member.get("type") == "array":
            member["items"] = offer(member["items"], names)
    for part in schema.values():
        feed_members(part)


@schemathesis.hook
def before_load_schema(ctx, raw_schema):
    for path, item in raw_schema["paths"].items():
        for method, operation in item.items():
            feed_parameters(path, method, operation)
            feed_members(operation.get("requestBody", {}))
    if_match = raw_schema["components"]["parameters"]["If-Match"]
    if_match["schema"] = offer(if_match["schema"], ["*"])
    for name, schema in raw_schema["components"]["schemas"].items():
        if name.endswith(("Create", "Edit")):
            feed_members(schema)
