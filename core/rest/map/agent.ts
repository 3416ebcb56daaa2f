import type {
  Agent,
  AgentCredentials,
  AgentPodTemplate,
  AgentPrices,
  AgentSpec,
  DropsAccess,
  Toleration,
} from '../../crd/types.ts'
import type { AgentRecord, AgentStatusRecord, CredentialsRecord, PodTemplateRecord } from '../records/agent.ts'
import type { AgentInput } from '../requests/agent.ts'
import { DROPS_ACCESS_WORDS } from '../enum-values.ts'
import type { DropsAccessWord } from '../enum-values.ts'
import { toMcpServerRecord } from './mcp-server.ts'
import { copy, defined, toDuration, toSeconds } from './fields.ts'

/** @param status what the agent does now, which the resource does not tell */
export function toAgentRecord(agent: Agent, status: AgentStatusRecord): AgentRecord {
  const { metadata, spec } = agent
  const input = toAgentInput(spec)
  return {
    id: metadata.name,
    name: metadata.name,
    ...input,
    max_concurrent: input.max_concurrent ?? 1,
    drops_access: input.drops_access ?? 'read_write',
    status,
    decisions: (agent.status?.decisions ?? []).map((decision) => ({ ...decision })),
    created_at: metadata.creationTimestamp ?? '',
  }
}

/** The fields of an agent that people write; the inverse of {@link toAgentSpec}. */
export function toAgentInput(spec: AgentSpec): AgentInput {
  return {
    adapter: spec.adapter,
    ...defined({
      image: spec.image,
      command: copy(spec.command),
      models: copy(spec.models),
      default_model: spec.defaultModel,
      max_concurrent: spec.maxConcurrent,
      timeout_seconds: toSeconds(spec.timeout),
      allowed_tools: copy(spec.allowedTools),
      auto_resume: spec.autoResume,
      prices: spec.prices && toPricesRecord(spec.prices),
      drops_access: spec.dropsAccess && DROPS_ACCESS_WORDS[spec.dropsAccess],
      instructions: spec.instructions,
      mcp_servers: spec.mcpServers?.map(toMcpServerRecord),
      prompts: spec.prompts && { ...spec.prompts },
      classifier: spec.classifier && toClassifierInput(spec.classifier),
      credentials: spec.credentials && toCredentialsRecord(spec.credentials),
      git: spec.git && defined({ identity: spec.git.identity && { ...spec.git.identity } }),
      pod_template: spec.podTemplate && toPodTemplateRecord(spec.podTemplate),
    }),
  }
}

/** The inverse of {@link toAgentInput}. */
export function toAgentSpec(input: AgentInput): AgentSpec {
  return {
    adapter: input.adapter,
    ...defined({
      image: input.image,
      command: input.command,
      models: input.models,
      defaultModel: input.default_model,
      maxConcurrent: input.max_concurrent,
      timeout: toDuration(input.timeout_seconds),
      allowedTools: input.allowed_tools,
      autoResume: input.auto_resume,
      prices: input.prices && toPrices(input.prices),
      dropsAccess: input.drops_access && toDropsAccess(input.drops_access),
      instructions: input.instructions,
      mcpServers: input.mcp_servers,
      prompts: input.prompts,
      classifier: input.classifier && toClassifier(input.classifier),
      credentials: input.credentials && toCredentials(input.credentials),
      git: input.git && defined({ identity: input.git.identity && { ...input.git.identity } }),
      podTemplate: input.pod_template && toPodTemplate(input.pod_template),
    }),
  }
}

function toPricesRecord({ inputPerMillion, outputPerMillion, cachedInputPerMillion }: AgentPrices) {
  const [input_per_million, output_per_million] = [inputPerMillion, outputPerMillion]
  return { input_per_million, output_per_million, ...defined({ cached_input_per_million: cachedInputPerMillion }) }
}

function toPrices(prices: NonNullable<AgentInput['prices']>): AgentPrices {
  const { input_per_million, output_per_million, cached_input_per_million } = prices
  return {
    inputPerMillion: input_per_million,
    outputPerMillion: output_per_million,
    ...defined({ cachedInputPerMillion: cached_input_per_million }),
  }
}

const DROPS_ACCESS_OF = {
  read_write: 'readWrite',
  read_only: 'readOnly',
  none: 'none',
} as const satisfies Record<DropsAccessWord, DropsAccess>

function toDropsAccess(word: DropsAccessWord): DropsAccess {
  return DROPS_ACCESS_OF[word]
}

function toCredentialsRecord({ secretName, files, env, writeBack }: AgentCredentials): CredentialsRecord {
  return defined({
    secret_name: secretName,
    files: files?.map(({ key, path, hostPath }) => ({ path, ...defined({ key, host_path: hostPath }) })),
    env: env?.map(({ name, key }) => ({ name, key })),
    write_back: writeBack,
  })
}

function toCredentials({ secret_name: secretName, files, env, write_back: writeBack }: CredentialsRecord) {
  return defined({
    secretName,
    files: files?.map(({ key, path, host_path: hostPath }) => ({ path, ...defined({ key, hostPath }) })),
    env,
    writeBack,
  })
}

function toPodTemplateRecord(template: AgentPodTemplate): PodTemplateRecord {
  const { labels, annotations, resources, nodeSelector, tolerations, affinity } = template
  return defined({
    labels: labels && { ...labels },
    annotations: annotations && { ...annotations },
    resources:
      resources &&
      defined({
        requests: resources.requests && { ...resources.requests },
        limits: resources.limits && { ...resources.limits },
      }),
    node_selector: nodeSelector && { ...nodeSelector },
    tolerations: tolerations?.map(({ tolerationSeconds, ...same }) => ({
      ...same,
      ...defined({ toleration_seconds: tolerationSeconds }),
    })),
    affinity: affinity && { ...affinity },
    runtime_class_name: template.runtimeClassName,
    priority_class_name: template.priorityClassName,
    image_pull_secrets: template.imagePullSecrets?.map(({ name }) => ({ name })),
  })
}

function toPodTemplate(template: PodTemplateRecord): AgentPodTemplate {
  const { labels, annotations, resources, node_selector: nodeSelector, tolerations, affinity } = template
  return defined({
    labels,
    annotations,
    resources,
    nodeSelector,
    tolerations: tolerations?.map(({ toleration_seconds: tolerationSeconds, ...same }): Toleration => ({
      ...same,
      ...defined({ tolerationSeconds }),
    })),
    affinity,
    runtimeClassName: template.runtime_class_name,
    priorityClassName: template.priority_class_name,
    imagePullSecrets: template.image_pull_secrets,
  })
}

type Classifier = NonNullable<AgentSpec['classifier']>
type ClassifierInput = NonNullable<AgentInput['classifier']>

function toClassifierInput({ enabled, hint, judges, judgeModel }: Classifier): ClassifierInput {
  return defined({ enabled, hint, judges, judge_model: judgeModel })
}

function toClassifier({ enabled, hint, judges, judge_model }: ClassifierInput): Classifier {
  return defined({ enabled, hint, judges, judgeModel: judge_model })
}
