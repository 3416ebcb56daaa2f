import type { JSONSchema } from 'json-schema-to-typescript'
import { compile } from 'json-schema-to-typescript'
import type { Crd, Schema } from './crds.ts'

/**
 * Schemas that get a type name of their own: the path in a kind, and the name. A schema that several kinds share
 * is listed once per place; the places must agree, or the generator stops.
 */
export const NAMES: Readonly<Record<string, string>> = {
  'Task.spec': 'TaskSpec',
  'Task.spec.agent': 'AgentConfiguration',
  'Task.spec.claude': 'AgentConfiguration',
  'Task.spec.runPolicy': 'RunPolicy',
  'Task.status': 'TaskStatus',
  'Task.status.state': 'TaskState',
  'Task.status.agent': 'ChosenAgent',
  'Task.status.agent.chosenBy': 'ChosenBy',
  'Task.status.question': 'PendingQuestion',
  'Task.status.question.items[]': 'Question',
  'Task.status.error': 'ExecutionError',
  'Task.status.error.category': 'ErrorCategory',
  'Task.status.changes': 'Changes',
  'Task.status.decisions[]': 'Decision',
  'Task.status.decisions[].action': 'DecisionAction',
  'Task.status.lastAction': 'LastAction',
  'Task.status.conditions[]': 'Condition',
  'Task.status.conditions[].status': 'ConditionStatus',
  'Execution.spec': 'ExecutionSpec',
  'Execution.spec.purpose': 'ExecutionPurpose',
  'Execution.status': 'ExecutionStatus',
  'Execution.status.state': 'ExecutionState',
  'Execution.status.phases[]': 'ExecutionPhase',
  'Execution.status.pod': 'ExecutionPod',
  'Execution.status.agentOutcome': 'Outcome',
  'Execution.status.questions[]': 'Question',
  'Execution.status.tokens': 'Tokens',
  'Execution.status.error': 'ExecutionError',
  'Execution.status.error.category': 'ErrorCategory',
  'Execution.status.changes': 'Changes',
  'Execution.status.conditions[]': 'Condition',
  'Execution.status.conditions[].status': 'ConditionStatus',
  'Story.spec': 'StorySpec',
  'Story.spec.validation': 'StoryValidation',
  'Story.status': 'StoryStatusFields',
  'Story.status.status': 'StoryStatus',
  'Story.status.tasks': 'StoryTasks',
  'Story.status.evaluation': 'StoryEvaluation',
  'Story.status.evaluation.verdicts[]': 'StoryVerdict',
  'Story.status.evaluation.verdicts[].verdict': 'Verdict',
  'Story.status.branch': 'StoryBranch',
  'Story.status.lastAction': 'LastAction',
  'Story.status.conditions[]': 'Condition',
  'Story.status.conditions[].status': 'ConditionStatus',
  'StoryEvent.spec': 'StoryEventSpec',
  'StoryEvent.spec.kind': 'StoryEventKind',
  'Epic.spec': 'EpicSpec',
  'Epic.status': 'EpicStatus',
  'Epic.status.conditions[]': 'Condition',
  'Epic.status.conditions[].status': 'ConditionStatus',
  'Project.spec': 'ProjectSpec',
  'Project.spec.runPolicy': 'RunPolicy',
  'Project.spec.git': 'ProjectGit',
  'Project.status': 'ProjectStatus',
  'Project.status.conditions[]': 'Condition',
  'Project.status.conditions[].status': 'ConditionStatus',
  'Agent.spec': 'AgentSpec',
  'Agent.spec.adapter': 'AgentAdapter',
  'Agent.spec.dropsAccess': 'DropsAccess',
  'Agent.spec.credentials': 'AgentCredentials',
  'Agent.spec.credentials.files[]': 'CredentialFile',
  'Agent.spec.credentials.env[]': 'CredentialVariable',
  'Agent.spec.podTemplate': 'AgentPodTemplate',
  'Agent.spec.podTemplate.tolerations[]': 'Toleration',
  'Agent.status': 'AgentStatus',
  'Agent.status.outcomes[]': 'AgentOutcomeRecord',
  'Agent.status.outcomes[].counted': 'OutcomeCounted',
  'Agent.status.drained': 'AgentDrain',
  'Agent.status.events[]': 'AgentEvent',
  'Agent.status.events[].kind': 'AgentEventKind',
  'Agent.status.lastAction': 'LastAction',
  'Agent.status.conditions[]': 'Condition',
  'Agent.status.conditions[].status': 'ConditionStatus',
}

const METADATA = `/** Structurally the ObjectMeta of kube/types.ts, which core may not import. */
export interface ObjectMeta {
  readonly name: string
  readonly namespace?: string
  readonly generateName?: string
  readonly uid?: string
  readonly resourceVersion?: string
  readonly generation?: number
  readonly creationTimestamp?: string
  readonly deletionTimestamp?: string
  readonly labels?: Readonly<Record<string, string>>
  readonly annotations?: Readonly<Record<string, string>>
  readonly finalizers?: readonly string[]
  readonly ownerReferences?: readonly OwnerReference[]
}

export interface OwnerReference {
  readonly apiVersion: string
  readonly kind: string
  readonly name: string
  readonly uid: string
  readonly controller?: boolean
  readonly blockOwnerDeletion?: boolean
}
`

/** Prints the TypeScript types of all kinds; names, descriptions, enums and required fields come from the schemas. */
export async function renderTypes(crds: readonly Crd[]): Promise<string> {
  const definitions: Record<string, JSONSchema> = {}
  for (const crd of crds) definitions[crd.kind] = kindSchema(crd, definitions)
  const document: JSONSchema = { title: 'Kinds', type: 'object', definitions, additionalProperties: false }
  const printed = await compile(document, 'Kinds', {
    bannerComment: '',
    additionalProperties: false,
    declareExternallyReferenced: true,
    unreachableDefinitions: true,
    ignoreMinAndMaxItems: true,
    format: true,
    style: { semi: false, singleQuote: true, printWidth: 120, trailingComma: 'all' },
  })
  return `// Generated from crds/ by tools/generate.ts; do not edit.\n\n${METADATA}\n${tidy(printed)}`
}

/** Our own words for what is the same in every kind: apiVersion and kind as literals, metadata as ObjectMeta. */
function kindSchema(crd: Crd, definitions: Record<string, JSONSchema>): JSONSchema {
  const { spec, status } = crd.schema.properties ?? {}
  return {
    type: 'object',
    description: crd.schema.description ?? '',
    required: ['apiVersion', 'kind', 'metadata', ...(crd.schema.required ?? [])],
    properties: {
      apiVersion: { const: 'slipway.dev/v1alpha1' },
      kind: { const: crd.kind },
      metadata: { tsType: 'ObjectMeta' },
      ...(spec && { spec: convert(spec, `${crd.kind}.spec`, definitions) }),
      ...(status && { status: convert(status, `${crd.kind}.status`, definitions) }),
    },
  }
}

/** The schema as the printer wants it; a named one moves to `definitions` and leaves a reference behind. */
function convert(schema: Schema, path: string, definitions: Record<string, JSONSchema>): JSONSchema {
  const converted = convertHere(schema, path, definitions)
  const name = NAMES[path]
  if (name === undefined) return converted
  const known = definitions[name]
  if (known !== undefined && shape(known) !== shape(converted)) throw new Error(`${path}: another ${name} exists`)
  definitions[name] ??= converted
  // Nothing beside $ref: with a sibling the printer makes a copy of the type under a numbered name.
  return { $ref: `#/definitions/${name}` }
}

function convertHere(schema: Schema, path: string, definitions: Record<string, JSONSchema>): JSONSchema {
  const description = schema.description === undefined ? {} : { description: schema.description }
  if (schema['x-kubernetes-int-or-string'] === true) return { ...description, type: ['integer', 'string'] }
  if (schema.enum !== undefined) return { ...description, enum: [...schema.enum] }
  if (schema['x-kubernetes-preserve-unknown-fields'] === true)
    return { ...description, tsType: 'Readonly<Record<string, unknown>>' }
  if (schema.items) return { ...description, type: 'array', items: convert(schema.items, `${path}[]`, definitions) }
  if (schema.additionalProperties)
    return {
      ...description,
      type: 'object',
      additionalProperties: convert(schema.additionalProperties, `${path}{}`, definitions),
    }
  if (schema.properties === undefined)
    return {
      ...description,
      type:
        schema.type === 'integer' || schema.type === 'number'
          ? 'number'
          : schema.type === 'boolean'
            ? 'boolean'
            : 'string',
    }
  const properties = Object.entries(schema.properties).map(([name, field]) => [
    name,
    convert(field, `${path}.${name}`, definitions),
  ])
  return {
    ...description,
    type: 'object',
    properties: Object.fromEntries(properties),
    required: [...(schema.required ?? [])],
  }
}

/** A schema without its descriptions, as text, to compare two. */
function shape(schema: JSONSchema): string {
  return JSON.stringify(schema, (key, value: unknown) =>
    key === 'description' && typeof value === 'string' ? undefined : value,
  )
}

/** What the printer cannot be told: readonly everywhere, no line that says where a type came from, no wrapper type. */
function tidy(printed: string): string {
  return printed
    .replaceAll(/^export interface Kinds \{\}?\n?(?:\})?\n?/gm, '')
    .replaceAll(/^ \* (?:This interface was referenced by .*|via the `definition` .*)\n/gm, '')
    .replaceAll(/^ \*\n( \*\/)/gm, '$1')
    .replaceAll(/^\/\*\*\n \*\/\n/gm, '')
    .replaceAll(/^(\s+)(\w+\??:)/gm, '$1readonly $2')
    .replaceAll(/^(\s+)(\[k: string\]:)/gm, '$1readonly $2')
    .replaceAll(/: (\w+|\([^)]*\))\[\]$/gm, ': readonly $1[]')
}
