import type { Agent, ChosenAgent, Task } from '../crd/types.ts'
import { agentWish, SCRIPT_AGENT } from '../task/agent-spec.ts'
import { findImageProblem } from './allowed-images.ts'
import { type PassedOver, formatChoiceReason, MAX_REASON } from './choice-reason.ts'
import { type Candidate, compareFitness, fitnessOf, wordsOf } from './fitness.ts'
import { limitedUntil } from './schedule.ts'
import { type Text, clip } from '../text.ts'

/**
 * The agent for a task that has none: a script by its spec alone, on the first run what the spec says, afterwards the
 * open agent that fits best, by rules (fitness.ts): who can start soonest and does not fail on the project, then the
 * spec's word, the agents' hints, and how they did on the project. The same task and agents give the same choice, in
 * whatever order they come; its reason names it.
 *
 * @param previous the agent of its last run: a task keeps the only one that can take it, also one that rules may not choose
 * @returns undefined while no agent is open to it
 *
 * Source: specification §1.2, §4.19, §4.20.
 */
export function classify(task: Task, candidates: readonly Candidate[], previous?: string): ChosenAgent | undefined {
  const { type } = agentWish(task)
  const neverRan = (task.status?.executions ?? 0) === 0
  const find = (name: string): Agent | undefined => candidates.find(({ agent }) => agent.metadata.name === name)?.agent
  const isScript = type === SCRIPT_AGENT || (type !== undefined && find(type)?.spec.adapter === SCRIPT_AGENT)
  if (type !== undefined && (neverRan || isScript)) return chooseNamed(task, type, find(type))
  const offered = candidates.filter(({ agent }) => isOffered(agent))
  const passedOver = (candidate: Candidate): string | undefined => passedOverReason(candidate, task)
  const open = offered.filter((candidate) => passedOver(candidate) === undefined)
  const words = wordsOf(task)
  const ranked = open.map((candidate) => fitnessOf(task, words, candidate)).sort(compareFitness)
  const [best, ...others] = ranked
  const agent = open.find((candidate) => candidate.agent.metadata.name === best?.name)?.agent
  if (best === undefined || agent === undefined) {
    const own = find(type ?? '') ?? find(previous ?? '')
    // One that rules may choose waits with the others, for whichever is first.
    const isOnly = own !== undefined && !isOffered(own) && offered.every((candidate) => isNever(candidate, task))
    return isOnly ? toChosenAgent(task, own, 'Rules', clip(ONLY, MAX_REASON)) : undefined
  }
  return toChosenAgent(task, agent, 'Rules', formatChoiceReason(best, others, passedOverAgents(offered, passedOver)))
}

function passedOverAgents(
  offered: readonly Candidate[],
  passedOver: (candidate: Candidate) => string | undefined,
): PassedOver[] {
  const closed = offered.flatMap((candidate) => {
    const reason = passedOver(candidate)
    return reason === undefined ? [] : [{ name: candidate.agent.metadata.name, reason }]
  })
  return closed.sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** Whether a task that waits for an agent waits in vain. */
function isNever({ agent, unavailable, projectImage }: Candidate, { spec }: Task): boolean {
  return unavailable !== undefined || findImageProblem(agent, spec.containerImage ?? projectImage) !== undefined
}

/** In few words: the whole story is in the agent's own status. */
function passedOverReason(candidate: Candidate, task: Task): string | undefined {
  const { agent, now, unavailable } = candidate
  if (unavailable !== undefined) return 'unavailable'
  if (agent.status?.drained !== undefined) return 'drained'
  if (isNever(candidate, task)) return 'may not run the image of the task'
  const until = limitedUntil(agent, now)
  return until === undefined ? undefined : `rate limited until ${until}`
}

const ONLY = 'the agent of this task, as there is no other'

function chooseNamed(task: Task, type: string, agent: Agent | undefined): ChosenAgent {
  const reason = clip('named in spec.agent.type', MAX_REASON)
  return agent === undefined ? { type, chosenBy: 'Spec', reason } : toChosenAgent(task, agent, 'Spec', reason)
}

function toChosenAgent(
  task: Task,
  agent: Agent,
  chosenBy: 'Spec' | 'Rules',
  reason: Text<typeof MAX_REASON>,
): ChosenAgent {
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

/** Whether the rules may choose an agent at all. A script never is: it does what it says, whatever the task is. */
export function isOffered({ spec }: Agent): boolean {
  return spec.classifier?.enabled !== false && spec.adapter !== SCRIPT_AGENT
}
