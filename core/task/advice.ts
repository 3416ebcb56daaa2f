/** Advice about a task that is about to be created: rules, each one a sentence or nothing. */
import { budgetNotKeptReason } from '../agent/prices.ts'
import { notReadyReason } from '../agent/readiness.ts'
import { closedReason } from '../agent/schedule.ts'
import type { Agent, Project, Task } from '../crd/types.ts'
import { parseDuration } from '../time.ts'
import { agentWish } from './agent-spec.ts'
import { stateOf } from './decide.ts'
import { isSatisfied } from './dependencies.ts'

/** Everything that the advice depends on. */
export interface AdviceFacts {
  readonly now: Date
  readonly task: Task
  /** The agent that the task names, where there is one. */
  readonly agent?: Agent | undefined
  readonly project?: Project | undefined
  /** A project with the task's own repository URL. */
  readonly projectOfUrl?: Project | undefined
  /** What it depends on, as far as it exists. */
  readonly dependencies: readonly Task[]
  readonly usesLegacyKey: boolean
}

export interface Advice {
  readonly warnings: string[]
  readonly questions: string[]
  readonly suggestions: string[]
}

type Rule = (facts: AdviceFacts) => string | readonly string[] | undefined

const SHORT_TIMEOUT_MS = 60_000
/** A description below this many characters seldom says how to see that the work is done. */
const SHORT_TEXT = 40

const WARNINGS: readonly Rule[] = [
  (facts) =>
    isScript(facts) || textOf(facts) !== '' ? undefined : 'there is no description: the agent sees the name only',
  (facts) =>
    isScript(facts) && (agentWish(facts.task).instructions ?? '').trim() === ''
      ? 'a script agent runs agent.instructions, and there are none'
      : undefined,
  ({ task: { spec } }) =>
    spec.timeout !== undefined && parseDuration(spec.timeout) < SHORT_TIMEOUT_MS
      ? `timeout_seconds is ${parseDuration(spec.timeout) / 1000}: few agents finish anything in less than a minute`
      : undefined,
  ({ task: { spec } }) => (spec.budgetUSD === 0 ? 'budget_usd is 0: the first cost ends the task' : undefined),
  ({ agent, task }) => (agent === undefined ? undefined : budgetNotKeptReason(task, agent)),
  ({ agent, now }) => (agent === undefined ? undefined : (closedReason(agent, now) ?? notReadyReason(agent))),
  warnOfModel,
  ({ dependencies, task }) => dependencies.flatMap((dependency) => warnOfDependency(dependency, task)),
]

const QUESTIONS: readonly Rule[] = [
  (facts) =>
    isScript(facts) || textOf(facts) !== '' ? undefined : 'What is to be changed, and how can one see that it is done?',
  ({ task: { spec } }) =>
    spec.repositoryUrl === undefined && spec.project === undefined
      ? 'Which repository is the task to work in? Name a project or a repository_url.'
      : undefined,
]

const SUGGESTIONS: readonly Rule[] = [
  (facts) =>
    !isScript(facts) && textOf(facts) !== '' && textOf(facts).length < SHORT_TEXT
      ? 'say more in the description: what is to change, where, and how to see that it is done'
      : undefined,
  ({ project }) =>
    project !== undefined && project.spec.testCommand === undefined
      ? `give project ${project.metadata.name} a test_command, so that agents can check their work`
      : undefined,
  ({ task: { spec }, projectOfUrl }) =>
    spec.project === undefined && projectOfUrl !== undefined
      ? `name project ${projectOfUrl.metadata.name}, whose repository this is, to use its settings and credentials`
      : undefined,
  ({ usesLegacyKey }) => (usesLegacyKey ? 'write agent in place of claude, which is its older name' : undefined),
]

/** What a person might want to mend before the task runs. Nothing in it keeps the task from being created. */
export function adviseOn(facts: AdviceFacts): Advice {
  const apply = (rules: readonly Rule[]): string[] => rules.flatMap((rule) => rule(facts) ?? [])
  return { warnings: apply(WARNINGS), questions: apply(QUESTIONS), suggestions: apply(SUGGESTIONS) }
}

function isScript({ agent }: AdviceFacts): boolean {
  return agent?.spec.adapter === 'script'
}

/** All that the agent would be told beside the name. */
function textOf({ task }: AdviceFacts): string {
  const { description, elaborationInput } = task.spec
  return [description, elaborationInput, agentWish(task).instructions].join(' ').trim()
}

function warnOfModel({ agent, task }: AdviceFacts): string | undefined {
  const { model } = agentWish(task)
  if (model === undefined || agent === undefined || (agent.spec.models?.includes(model) ?? true)) return undefined
  const instead = agent.spec.defaultModel ?? "the program's own"
  return `agent ${agent.metadata.name} has no model ${model}: ${instead} is used`
}

function warnOfDependency(dependency: Task, task: Task): string[] {
  const state = stateOf(dependency)
  const what = `depends_on: task ${dependency.metadata.name} is ${state}`
  if (state === 'PENDING' && task.spec.runPolicy === 'Auto') return [`${what}, and waits until somebody runs it`]
  const isOver = state !== 'PENDING' && state !== 'QUEUED' && state !== 'RUNNING' && state !== 'BLOCKED'
  return isOver && !isSatisfied(state) ? [`${what}: running this task runs it again first`] : []
}
