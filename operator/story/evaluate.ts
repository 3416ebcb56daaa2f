import { makeQueryExecution } from '../../core/query/execution.ts'
import { claimConditions } from '../../core/conditions.ts'
import type { StoryStatusFields, Task } from '../../core/crd/types.ts'
import { omit } from '../../core/omit.ts'
import { makeEvaluatePromptData } from '../../core/prompts/evaluation-data.ts'
import { storyBranch } from '../../core/story/branch.ts'
import { type Asking, type EvaluationPlan, planEvaluation } from '../../core/story/evaluation.ts'
import { storyStatusFields } from '../../core/story/progress.ts'
import { moveStory } from '../../core/story/status.ts'
import { parseDuration, toTimestamp } from '../../core/time.ts'
import { renderPrompt } from '../../lib/prompts.ts'
import type { Action } from '../action.ts'
import type { ObservedStory } from './observe.ts'

/** The status of a story with what its evaluation makes of it, and what has to be there before that is written. */
export interface Evaluated {
  readonly before: readonly Action[]
  readonly status: StoryStatusFields
  readonly lookAgainAt?: Date | undefined
}

/** How long an agent may take that names no time of its own: building and testing take longer than reading. */
const DEFAULT_TIMEOUT = '30m'

/** @param tracked the status that follows from the story's tasks */
export function evaluate(seen: ObservedStory, tracked: StoryStatusFields): Evaluated {
  const { story, events, project, strays, openRun, now } = seen
  const place = findPlace(seen)
  const plan = planEvaluation({
    now,
    story: { ...story, status: tracked },
    events,
    switches: project?.spec.evaluation,
    noBranch: place.problem,
    evaluators: seen.evaluators,
    workers: () => workersOf(seen),
    look: () => openRun ?? { kind: 'open' },
  })
  return {
    before: [
      ...strays.map((execution): Action => ({ kind: 'writeExecution', execution, status: cancelled(execution, now) })),
      ...plan.events.map((event): Action => ({ kind: 'createStoryEvent', event })),
      ...(plan.asking === undefined ? [] : [ask(seen, plan.asking, place)]),
    ],
    status: conclude(seen, tracked, plan),
    lookAgainAt: plan.lookAgainAt,
  }
}

function cancelled({ status }: ObservedStory['strays'][number], now: Date) {
  return { ...status, cancelRequestedAt: toTimestamp(now) }
}

function conclude(seen: ObservedStory, tracked: StoryStatusFields, plan: EvaluationPlan): StoryStatusFields {
  const { story, tasks, now } = seen
  const { evaluation, claim } = plan
  const counted = { ...omit(tracked, ['evaluation']), ...(evaluation === undefined ? {} : { evaluation }) }
  if (plan.isPassed) {
    const moved = moveStory({ ...story, status: counted }, tasks, 'REVIEW_READY', now)
    return storyStatusFields({ ...story, status: moved }, tasks, now)
  }
  if (claim === undefined) return counted
  return { ...counted, ...claimConditions(story, [claim], now) }
}

/** Where the story's branch is; `problem` says why nobody can tell. */
interface Place {
  readonly repositoryUrl?: string
  readonly project?: ObservedStory['project']
  readonly problem?: string
}

/** The story's own project, else the one repository that its tasks name. */
function findPlace({ story, project, tasks }: ObservedStory): Place {
  const { projectId } = story.spec
  if (projectId !== undefined)
    return project === undefined ? { problem: `project ${projectId} does not exist` } : { project }
  const [repositoryUrl, ...more] = new Set(tasks.flatMap(({ spec }: Task) => spec.repositoryUrl ?? []))
  if (repositoryUrl === undefined) return { problem: 'the story names no project, and its tasks name no repository' }
  return more.length > 0
    ? { problem: 'the story names no project, and its tasks name several repositories' }
    : { repositoryUrl }
}

function ask(seen: ObservedStory, asking: Asking, { repositoryUrl, project }: Place): Action {
  const { story } = seen
  const { execution, agent, role, standings } = asking
  const told = makeEvaluatePromptData(story, role, standings, project)
  const prompt = renderPrompt('evaluate', told, agent.spec.prompts)
  const question = {
    purpose: 'Evaluate',
    answerSchema: 'Evaluation',
    agent: { type: agent.metadata.name, model: agent.spec.defaultModel },
    about: { story },
    project,
    repositoryUrl,
    branch: storyBranch(story.metadata.name, story.spec.branchName),
    timeoutMs: parseDuration(agent.spec.timeout ?? DEFAULT_TIMEOUT),
  } as const
  return { kind: 'askAgent', execution: makeQueryExecution(execution, story.metadata.namespace, question), prompt }
}

/** All agents that had a part in the work, also those whose attempts failed. */
function workersOf({ tasks, executions }: ObservedStory): ReadonlySet<string> {
  const chosen = tasks.flatMap(({ status }) => status?.agent?.type ?? [])
  return new Set([...chosen, ...executions().flatMap(({ spec }) => spec.agent ?? [])])
}
