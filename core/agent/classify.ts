import type { Agent, ChosenAgent, Task } from '../crd/types.ts'
import { agentWish, SCRIPT_AGENT } from '../task/agent-spec.ts'
import type { AgentLoad } from './schedule.ts'
import { slotCount, whyClosed } from './schedule.ts'

/** An agent with its queue and slots, and why it cannot run here, if so. */
export interface Candidate extends AgentLoad {
  readonly unavailable?: string | undefined
}

/**
 * The agent for a task that has none: a script by its spec alone, on the first run what the spec says, afterwards
 * the open agent that is least busy, with the spec's word and the agents' hints deciding between equals.
 *
 * @returns undefined while no agent is open to it
 *
 * Source: interface specification, section 1.2; decisions, sections 4 and 6.
 */
export function classify(task: Task, candidates: readonly Candidate[]): ChosenAgent | undefined {
  const { type } = agentWish(task)
  const neverRan = (task.status?.executions ?? 0) === 0
  if (type !== undefined && (neverRan || type === SCRIPT_AGENT)) return chooseNamed(task, type, candidates)
  const best = candidates.filter(isOpen).sort((a, b) => compareFitness(task, a, b))[0]
  if (best === undefined) return undefined
  const busy = best.holders.length + best.line.tasks.length
  const reason = `of the agents that are open, ${best.agent.metadata.name} has the fewest tasks (${busy})`
  return describe(task, best.agent, 'Rules', reason)
}

function chooseNamed(task: Task, type: string, candidates: readonly Candidate[]): ChosenAgent {
  const agent = candidates.find((candidate) => candidate.agent.metadata.name === type)?.agent
  const reason = 'named in spec.agent.type'
  return agent === undefined ? { type, chosenBy: 'Spec', reason } : describe(task, agent, 'Spec', reason)
}

function describe(task: Task, agent: Agent, chosenBy: 'Spec' | 'Rules', reason: string): ChosenAgent {
  const model = chooseModel(task, agent)
  const chosen = { type: agent.metadata.name, chosenBy, reason }
  return model === undefined ? chosen : { ...chosen, model }
}

/** The model that the task asks for where the agent has it, else the agent's default. */
export function chooseModel(task: Task, agent: Agent): string | undefined {
  const { model } = agentWish(task)
  const { models, defaultModel } = agent.spec
  return model !== undefined && (models?.includes(model) ?? true) ? model : defaultModel
}

function isOpen({ agent, now, unavailable }: Candidate): boolean {
  const isOffered = agent.spec.classifier?.enabled !== false && agent.spec.adapter !== SCRIPT_AGENT
  return isOffered && unavailable === undefined && whyClosed(agent, now) === undefined
}

function compareFitness(task: Task, a: Candidate, b: Candidate): number {
  return (
    busyness(a) - busyness(b) ||
    Number(isWished(task, b)) - Number(isWished(task, a)) ||
    hintWords(task, b) - hintWords(task, a) ||
    (a.agent.metadata.name < b.agent.metadata.name ? -1 : 1)
  )
}

/** Tasks ahead beyond the free slots: 0 means that a start is possible at once. */
function busyness({ agent, holders, line }: Candidate): number {
  return Math.max(0, holders.length + line.tasks.length + 1 - slotCount(agent))
}

function isWished(task: Task, { agent }: Candidate): boolean {
  return agentWish(task).type === agent.metadata.name
}

/** How many words of an agent's hint the task's title or description has. */
function hintWords(task: Task, { agent }: Candidate): number {
  const words = new Set(toWords(`${task.spec.title} ${task.spec.description ?? ''}`))
  return new Set(toWords(agent.spec.classifier?.hint ?? '').filter((word) => words.has(word))).size
}

/** Words of four letters and more: shorter ones are in every text. */
function toWords(text: string): string[] {
  return text.toLowerCase().match(/\p{L}{4,}/gu) ?? []
}
