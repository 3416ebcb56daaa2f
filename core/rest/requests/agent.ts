import { AGENT_ADAPTER_VALUES } from '../../crd/enums.ts'
import { crdField } from '../../crd-field.ts'
import { crdInteger, crdList, crdString } from '../crd-limits.ts'
import { closed, maybe } from '../fields.ts'
import { AgentRecord, TolerationRecord } from '../records/agent.ts'
import { DROPS_ACCESS } from '../enum-values.ts'
import { gitIdentity } from './git-identity.ts'
import { mcpServers } from './mcp-servers.ts'
import { NewId, Seconds, editOf, mergeable, optional } from './shapes.ts'
import { Type } from 'typebox'
import type { Static, TSchema } from 'typebox'

/** A list as long as the CRD allows. */
function listOf<S extends TSchema>(path: string, item: S) {
  const { maxItems } = crdField('Agent', path)
  return Type.Array(item, maxItems === undefined ? {} : { maxItems })
}

/** A map as large as the CRD allows. */
function mapOf<S extends TSchema>(path: string, value: S) {
  const { maxProperties } = crdField('Agent', path)
  return Type.Record(Type.String(), value, maxProperties === undefined ? {} : { maxProperties })
}

const file = closed({
  key: maybe(crdString('Agent', 'spec.credentials.files[].key')),
  path: crdString('Agent', 'spec.credentials.files[].path'),
  host_path: maybe(crdString('Agent', 'spec.credentials.files[].hostPath')),
})

const variable = closed({
  name: crdString('Agent', 'spec.credentials.env[].name'),
  key: crdString('Agent', 'spec.credentials.env[].key'),
})

const credentials = closed({
  secret_name: maybe(crdString('Agent', 'spec.credentials.secretName')),
  files: maybe(listOf('spec.credentials.files', file)),
  env: maybe(listOf('spec.credentials.env', variable)),
  write_back: maybe(Type.Boolean()),
})

const label = Type.String({ maxLength: 63 })
const quantity = Type.Union([Type.String({ maxLength: 64 }), Type.Integer()])

const podTemplate = closed({
  labels: maybe(mapOf('spec.podTemplate.labels', label)),
  annotations: maybe(mapOf('spec.podTemplate.annotations', Type.String({ maxLength: 4096 }))),
  resources: maybe(
    closed({
      requests: maybe(mapOf('spec.podTemplate.resources.requests', quantity)),
      limits: maybe(mapOf('spec.podTemplate.resources.limits', quantity)),
    }),
  ),
  node_selector: maybe(mapOf('spec.podTemplate.nodeSelector', label)),
  tolerations: maybe(listOf('spec.podTemplate.tolerations', TolerationRecord)),
  affinity: maybe(Type.Record(Type.String(), Type.Unknown())),
  runtime_class_name: maybe(crdString('Agent', 'spec.podTemplate.runtimeClassName')),
  priority_class_name: maybe(crdString('Agent', 'spec.podTemplate.priorityClassName')),
  image_pull_secrets: maybe(
    listOf(
      'spec.podTemplate.imagePullSecrets',
      closed({ name: crdString('Agent', 'spec.podTemplate.imagePullSecrets[].name') }),
    ),
  ),
})

/** US dollars. */
const Price = Type.Number({ minimum: 0, maximum: 1_000_000 })

const adapter = Type.Enum(AGENT_ADAPTER_VALUES)

const agentOptions = {
  image: crdString('Agent', 'spec.image'),
  command: listOf('spec.command', crdString('Agent', 'spec.command[]')),
  models: crdList('Agent', 'spec.models'),
  default_model: crdString('Agent', 'spec.defaultModel'),
  max_concurrent: crdInteger('Agent', 'spec.maxConcurrent'),
  timeout_seconds: Seconds,
  allowed_tools: crdList('Agent', 'spec.allowedTools'),
  auto_resume: Type.Boolean(),
  prices: closed({
    input_per_million: Price,
    output_per_million: Price,
    cached_input_per_million: maybe(Price),
  }),
  drops_access: Type.Enum(DROPS_ACCESS),
  instructions: crdString('Agent', 'spec.instructions'),
  mcp_servers: mcpServers('Agent'),
  prompts: closed({
    task: maybe(crdString('Agent', 'spec.prompts.task')),
    resume: maybe(crdString('Agent', 'spec.prompts.resume')),
    elaborate: maybe(crdString('Agent', 'spec.prompts.elaborate')),
    plan: maybe(crdString('Agent', 'spec.prompts.plan')),
    validate: maybe(crdString('Agent', 'spec.prompts.validate')),
    evaluate: maybe(crdString('Agent', 'spec.prompts.evaluate')),
    classify: maybe(crdString('Agent', 'spec.prompts.classify')),
  }),
  classifier: closed({
    enabled: maybe(Type.Boolean()),
    hint: maybe(crdString('Agent', 'spec.classifier.hint')),
    judges: maybe(Type.Boolean()),
    judge_model: maybe(crdString('Agent', 'spec.classifier.judgeModel')),
  }),
  credentials,
  git: closed({ identity: maybe(gitIdentity('Agent')) }),
  pod_template: podTemplate,
}

/** What an agent is made of: also what an edit must leave behind. */
export const AgentInput = closed({ adapter, ...optional(agentOptions) })

/** Every other kind is created by its `name`, so an agent may be too; `id` and `name` are one. */
export const AgentCreate = closed({ id: maybe(NewId), name: maybe(NewId), ...AgentInput.properties })

/** A merge (RFC 7396): null clears; read-only fields pass when they repeat what is there. */
export const AgentEdit = editOf(AgentRecord.properties, mergeable({ adapter, ...agentOptions }))

export type AgentInput = Static<typeof AgentInput>
export type AgentCreate = Static<typeof AgentCreate>
