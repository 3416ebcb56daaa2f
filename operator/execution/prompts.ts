import { createHash } from 'node:crypto'
import type { Agent, ExecutionStatus } from '../../core/crd/types.ts'
import type { AgentConfig } from '../../core/execution/agent-config.ts'
import type { Given } from '../../core/execution/given.ts'
import { isWork } from '../../core/execution/state.ts'
import { makeChecksPromptData } from '../../core/prompts/checks-data.ts'
import { tellEarlierMessages, tellMessages } from '../../core/prompts/messages.ts'
import { makeTaskPromptData } from '../../core/prompts/task-data.ts'
import { findContinuesProblem } from '../../core/task/continues.ts'
import { withoutAbsent } from '../../core/omit.ts'
import { agentWish, SCRIPT_AGENT } from '../../core/task/agent-spec.ts'
import { BadTemplate, renderPrompt } from '../../lib/prompts.ts'
import type { GivenFile } from '../volume.ts'
import { hasFurtherRound, redBefore } from './checks.ts'
import type { ObservedExecution } from './observe.ts'
import { toldIn } from './untold.ts'

/** What an execution's agent is told, for a fresh start and for a session that is taken up again. */
export type Prompts = Pick<Given, 'prompt' | 'resume' | 'answer'>

/** The file of it all. */
export function makeGiven(told: Prompts, agentConfig: AgentConfig): GivenFile {
  const text = JSON.stringify({ schemaVersion: 1, ...told, agentConfig } satisfies Given)
  return { digest: createHash('sha256').update(text).digest('hex'), text }
}

/**
 * What the agent of a task is told, or why that cannot be said: a template of its Agent that cannot be used. Whoever
 * made a query has written its prompt already. A setup is a script; where the repository has it, the runner reads it there.
 *
 * @param status as the record says it with the Job that is made
 */
export function makePrompts(seen: ObservedExecution, status: ExecutionStatus): Prompts | { readonly problem: string } {
  const { agent, execution, project } = seen
  if (execution.spec.purpose === 'Prepare')
    return { resume: '', ...withoutAbsent({ prompt: project?.spec.environment?.setup }) }
  if (agent === undefined || !isWork(execution)) return { resume: '' }
  try {
    return { ...render(seen, agent, status), ...withoutAbsent({ answer: answerOf(seen) }) }
  } catch (error) {
    if (error instanceof BadTemplate) return { problem: `agent ${agent.metadata.name}: ${error.message}` }
    throw error
  }
}

/** For a script the script itself, verbatim. */
function render(seen: ObservedExecution, agent: Agent, status: ExecutionStatus): Prompts {
  const { task, execution, project, story, dependencies, previous, resumed, untold, earlierTold, continued, before } =
    seen
  if (agent.spec.adapter === SCRIPT_AGENT) return { prompt: agentWish(task).instructions ?? '', resume: '' }
  const sources = { task, agent, model: execution.spec.model, project, story, dependencies }
  const isAllowed =
    continued?.source !== undefined && findContinuesProblem({ task, story }, continued.source) === undefined
  const continues = isAllowed ? continued.source?.task : undefined
  const words = (name: 'task' | 'resume', earlier: typeof previous, isInSession = false): string =>
    renderPrompt(
      name,
      makeTaskPromptData({ ...sources, previous: earlier, continues, isInSession }),
      agent.spec.prompts,
    )
  const news = tellMessages(untold)
  const prompt = `${words('task', previous)}${tellEarlierMessages([...earlierTold, ...toldIn(status)])}${news}`
  if (before?.continuation?.kind === 'session') return { prompt, resume: `${words('task', previous, true)}${news}` }
  const red = redBefore(status)
  if (red.length === 0) return { prompt, resume: `${words('resume', resumed)}${news}` }
  const checks = makeChecksPromptData(red, project?.spec.checks ?? [], {
    outputs: seen.before?.checkOutputs ?? new Map(),
    isLast: !hasFurtherRound(status, project),
  })
  const mend = renderPrompt('checks', { ...makeTaskPromptData(sources), ...checks }, agent.spec.prompts)
  return { prompt: `${prompt}\n${mend}`, resume: `${mend}${news}` }
}

/** The one that the execution is resumed with. */
function answerOf({ task, execution }: ObservedExecution): string | undefined {
  return execution.spec.purpose === 'Resume' ? task.status?.answer : undefined
}
