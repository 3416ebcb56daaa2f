/**
 * Schemas as the OpenAPI document shows them. A shape with a name stands once, under `components/schemas`, and is
 * referred to everywhere else; it is found by what it says, not by identity, because an optional member is a copy.
 */
import type { TSchema } from 'typebox'
import type { CrdSchema } from '../../crd-field.ts'
import { CRD_SCHEMAS } from '../../crd/schemas.ts'
import { type JsonObject, isJsonObject } from '../../json.ts'

/** A shape and its name, as shapes.ts lists them. */
export type NamedShape = readonly [schema: TSchema, name: string]

export interface SchemaPrinter {
  /** The schema with every named shape inside it, or itself, replaced by a reference. */
  print(schema: TSchema): JsonObject
  /** `components/schemas`. */
  readonly components: JsonObject
}

export function createSchemaPrinter(shapes: readonly NamedShape[]): SchemaPrinter {
  const names = new Map(shapes.map(([schema, name]) => [JSON.stringify(schema), name]))
  const print = (schema: unknown): unknown => {
    const name = names.get(JSON.stringify(schema))
    return name === undefined ? printParts(schema) : { $ref: `#/components/schemas/${name}` }
  }
  const printParts = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(print)
    if (!isJsonObject(value)) return value
    const printed = Object.entries(value).map(([key, part]) => [key, key === 'enum' ? part : print(part)])
    return simplify(Object.fromEntries(printed))
  }
  const components = shapes.map(([schema, name]) => [name, describeFields(name, asObject(printParts(schema)))])
  return { print: (schema) => asObject(print(schema)), components: Object.fromEntries(components) }
}

/** What validates the same and reads better: the type of an enum of texts, and maps as `additionalProperties`. */
function simplify(schema: JsonObject): JsonObject {
  const { patternProperties, enum: values, ...rest } = schema
  if (isJsonObject(patternProperties)) return { ...rest, additionalProperties: Object.values(patternProperties)[0] }
  if (!Array.isArray(values)) return schema
  return values.every((value) => typeof value === 'string') ? { type: 'string', ...schema } : schema
}

function asObject(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {}
}

/** What a field means that no CRD has, or that a reader of the API meets under another name. */
const OWN: Readonly<Record<string, string>> = {
  id: 'Name of the resource; never changes.',
  name: 'Name for people.',
  created_at: 'When it was created.',
  updated_at: 'When it last changed.',
  actions: 'The decisions that this caller may take now; a user interface offers exactly these.',
  waiting_for: 'Why the task waits.',
  goes_on:
    'Present while the task rests and goes on without a person: at the time `at`, or, without it, when its last subtask is done.',
  message_modes: 'When the agent can be told something now; absent: it cannot.',
  messages:
    'What people said to the agent that works; once its run has ended, what it was not given and is told at the next start. Lists and live messages leave it out.',
  archived_at: 'When the task left the cluster for the archive; it cannot be changed until it is restored.',
  chosen_by: 'Who chose the agent: a request, the task itself, the rules, or a model.',
  agent_reason: 'Why this agent was chosen.',
  deployment_status: 'Whether the running build contains the work; on READY tasks only.',
  branch_url: 'Page of the branch, for hosts whose URLs are known.',
  compare_url: 'Page that compares the branch with its base.',
  timeout_seconds: 'Time limit of the agent step.',
  execution_id: 'The latest execution.',
  error_category: 'Kind of failure.',
  question: 'What the agent asks, or what a person must decide.',
  question_items: 'Each question with its options.',
  question_options: 'The options of the first question.',
  fix_commits: 'The commits that the execution made, as full hashes.',
}

/** REST names that camel case alone does not turn into the CRD's. */
const RENAMED: Readonly<Record<string, string>> = {
  budget_usd: 'budgetUSD',
  cost_usd: 'costUSD',
}

/**
 * A shape with a description on each field: its own where it has one, else what `kubectl explain` says of the same
 * field, else what this file says.
 *
 * @param shape its name: `Task`, `TaskEdit` and `TaskCreate` speak of the kind Task
 */
function describeFields(shape: string, schema: JsonObject): JsonObject {
  const { properties } = schema
  if (!isJsonObject(properties)) return schema
  const kind = findKind(shape)
  const described = Object.entries(properties).map(([name, field]) => [name, describeField(kind, name, field)])
  return { ...schema, properties: Object.fromEntries(described) }
}

function describeField(kind: CrdSchema | undefined, name: string, field: unknown): unknown {
  if (!isJsonObject(field) || typeof field['description'] === 'string') return field
  const description = OWN[name] ?? findInCrd(kind, RENAMED[name] ?? toCamelCase(name))
  return description === undefined ? field : { ...field, description }
}

function findInCrd(kind: CrdSchema | undefined, field: string): string | undefined {
  const { spec, status } = kind?.properties ?? {}
  return (spec?.properties?.[field] ?? status?.properties?.[field])?.description
}

function findKind(shape: string): CrdSchema | undefined {
  return Object.entries(CRD_SCHEMAS).find(([kind]) => [kind, `${kind}Create`, `${kind}Edit`].includes(shape))?.[1]
}

function toCamelCase(name: string): string {
  return name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
}
