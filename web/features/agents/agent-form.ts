/** The form of an agent: its values as they are typed, and the record that they make. Pure. */
import type { Agent } from '../../../core/rest/client/client.ts'
import type { AgentAdapter } from '../../../core/crd/types.ts'
import { filled, parseLines, parseNumber, patchOf } from '../../model/patch.ts'

export interface AgentForm {
  readonly id: string
  readonly adapter: AgentAdapter
  readonly models: readonly string[]
  readonly default_model: string
  readonly allowed_tools: readonly string[]
  readonly max_concurrent: string
  readonly max_awaiting_review: string
  readonly timeout_seconds: string
  readonly instructions: string
  readonly auto_resume: boolean
  readonly drops_access: 'read_write' | 'read_only' | 'none'
  readonly input_price: string
  readonly output_price: string
  readonly cached_price: string
  readonly image: string
  readonly command: readonly string[]
  /** The fields that the form has no part of, as JSON: acp, credentials, prompts, classifier, mcp_servers, pod_template. */
  readonly more: string
}

export const ADAPTERS: readonly { readonly value: AgentAdapter; readonly label: string }[] = [
  { value: 'claude', label: 'Claude Code' },
  { value: 'codex', label: 'Codex' },
  { value: 'gemini', label: 'Gemini CLI' },
  { value: 'acp', label: 'Another program, by the Agent Client Protocol' },
  { value: 'script', label: 'Script: a task’s instructions are run as a program, by bash or by their line #!' },
]

const MORE = ['acp', 'credentials', 'prompts', 'classifier', 'mcp_servers', 'pod_template'] as const

/** Fields of the record that the form shows, by which the server names them. */
export const AGENT_FIELDS = [
  'id',
  'adapter',
  'models',
  'default_model',
  'allowed_tools',
  'max_concurrent',
  'max_awaiting_review',
  'timeout_seconds',
  'instructions',
  'prices',
  'image',
  'command',
  'more',
] as const

/** The form of a record; of none, that of an agent to be made. */
export function toAgentForm(agent?: Agent): AgentForm {
  const more = Object.fromEntries(MORE.flatMap((name) => (agent?.[name] === undefined ? [] : [[name, agent[name]]])))
  return {
    id: agent?.id ?? '',
    adapter: agent?.adapter ?? 'claude',
    models: agent?.models ?? [],
    default_model: agent?.default_model ?? '',
    allowed_tools: agent?.allowed_tools ?? [],
    max_concurrent: String(agent?.max_concurrent ?? 1),
    max_awaiting_review: String(agent?.max_awaiting_review ?? ''),
    timeout_seconds: String(agent?.timeout_seconds ?? ''),
    instructions: agent?.instructions ?? '',
    auto_resume: agent?.auto_resume ?? true,
    drops_access: agent?.drops_access ?? 'read_write',
    input_price: String(agent?.prices?.input_per_million ?? ''),
    output_price: String(agent?.prices?.output_per_million ?? ''),
    cached_price: String(agent?.prices?.cached_input_per_million ?? ''),
    image: agent?.image ?? '',
    command: agent?.command ?? [],
    more: Object.keys(more).length === 0 ? '' : JSON.stringify(more, null, 2),
  }
}

/**
 * What the form says of an agent, without what is left open.
 *
 * @throws SyntaxError for JSON that is none
 */
export function toAgentInput(form: AgentForm) {
  const prices = filled({
    input_per_million: parseNumber(form.input_price),
    output_per_million: parseNumber(form.output_price),
    cached_input_per_million: parseNumber(form.cached_price),
  })
  return {
    adapter: form.adapter,
    ...filled({
      models: parseLines(form.models),
      default_model: form.default_model.trim(),
      allowed_tools: parseLines(form.allowed_tools),
      max_concurrent: parseNumber(form.max_concurrent),
      max_awaiting_review: parseNumber(form.max_awaiting_review),
      timeout_seconds: parseNumber(form.timeout_seconds),
      instructions: form.instructions,
      image: form.image.trim(),
      command: parseLines(form.command),
    }),
    auto_resume: form.auto_resume,
    drops_access: form.drops_access,
    ...(Object.keys(prices).length === 0 ? {} : { prices }),
    ...(form.more.trim() === '' ? {} : JSON.parse(form.more)),
  }
}

/** The edit that makes a record what the form says; empty when it is that already. @throws SyntaxError */
export function toAgentEdit(agent: Agent, form: AgentForm) {
  return patchOf(toAgentInput(toAgentForm(agent)), toAgentInput(form))
}
