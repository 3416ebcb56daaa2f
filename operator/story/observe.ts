import { Evaluation } from '../../core/answer/evaluation.ts'
import { unusableReason } from '../agent/unavailable.ts'
import type { EvaluationRun, Execution, Project, Story, StoryEvent, Task } from '../../core/crd/types.ts'
import { executionPath } from '../../core/execution/layout.ts'
import { isTerminal } from '../../core/execution/state.ts'
import { isOfRound } from '../../core/story/evaluation-names.ts'
import { type RunFacts, readRun } from '../../core/story/evaluation-runs.ts'
import type { Evaluator } from '../../core/story/evaluators.ts'
import { isUnderEvaluation } from '../../core/story/status.ts'
import { EXECUTIONS } from '../../kube/resources.ts'
import type { ObjectKey } from '../../kube/types.ts'
import { findAnswer } from '../../lib/query-files.ts'
import { compileCheck } from '../../lib/validate.ts'
import { type OperatorContext, indexKey } from '../context.ts'

/** Everything that the next step of one story depends on. */
export interface ObservedStory {
  readonly now: Date
  readonly story: Story
  /** Whether the API server proves who annotates. */
  readonly admissionPolicies: boolean
  /** Whether an accept needs somebody else than the authors. */
  readonly fourEyes: boolean
  /** What branches of tasks without a story begin with; absent: the usual. */
  readonly branchPrefix?: string | undefined
  readonly tasks: readonly Task[]
  /** Its own, of all rounds. */
  readonly events: readonly StoryEvent[]
  /** The one that it names, where that exists. */
  readonly project: Project | undefined
  /** Its tasks' executions; looked up only where they matter. */
  readonly executions: () => readonly Execution[]
  readonly evaluators: () => readonly Evaluator[]
  /** How the run stands that has no outcome yet; undefined where there is none. */
  readonly openRun: RunFacts | undefined
  /** Evaluations that still go on though nobody waits for them. */
  readonly strays: readonly Execution[]
}

const checkAnswer = compileCheck(Evaluation)

/** @returns undefined when there is no such story, or when it goes */
export async function observeStory(context: OperatorContext, key: ObjectKey): Promise<ObservedStory | undefined> {
  const { views, clock } = context
  const { namespace } = key
  const story = views.stories.get(key)
  if (story === undefined || story.metadata.deletionTimestamp !== undefined) return undefined
  const ofStory = indexKey(namespace, key.name)
  const tasks = views.tasks.byIndex('ofStory', ofStory)
  const { projectId } = story.spec
  return {
    now: clock.now(),
    story,
    admissionPolicies: context.admissionPolicies,
    fourEyes: context.fourEyes ?? false,
    branchPrefix: context.settings.branchPrefix,
    tasks,
    events: views.storyEvents.byIndex('ofStory', ofStory).filter((event) => belongsTo(event, story)),
    project: projectId === undefined ? undefined : views.projects.get({ namespace, name: projectId }),
    executions: () =>
      tasks.flatMap(({ metadata }) => views.executions.byIndex('ofTask', indexKey(namespace, metadata.name))),
    evaluators: () =>
      views.agents
        .list(namespace)
        .map((agent) => ({ agent, unavailable: unusableReason(agent, context.installation) })),
    openRun: await observeOpenRun(context, story),
    strays: findStrays(views.executions.byIndex('evaluationsOf', ofStory), story),
  }
}

/** Objects of an earlier story of the same name may still be waiting to be collected. */
function belongsTo({ metadata }: StoryEvent | Execution, story: Story): boolean {
  const owner = metadata.ownerReferences?.find(({ kind }) => kind === 'Story')
  return owner === undefined || owner.uid === story.metadata.uid
}

function findOpenRun(story: Story): EvaluationRun | undefined {
  if (!isUnderEvaluation(story)) return undefined
  return story.status?.evaluation?.runs?.find(({ outcome }) => outcome === undefined)
}

async function observeOpenRun(context: OperatorContext, story: Story): Promise<RunFacts | undefined> {
  const { client, views, settings, onVolume } = context
  const run = findOpenRun(story)
  if (run === undefined) return undefined
  const key = { namespace: story.metadata.namespace, name: run.execution }
  // A cache that lags behind must not make a running execution look deleted.
  const execution = views.executions.get(key) ?? (await client.find(EXECUTIONS, key))
  if (execution === undefined) return { kind: 'cancelled', message: `execution ${run.execution} was deleted` }
  const isUsable = execution.status?.state === 'COMPLETED' && execution.status.answer === 'Usable'
  const read = () => findAnswer(settings.volumeRoot, run.execution, checkAnswer)
  const path = executionPath(run.execution)
  return readRun(execution, isUsable ? await onVolume({ kind: 'read', path }, read) : undefined)
}

/** A name that the status does not know is one that was asked before a crash: it is found again when it is asked anew. */
function findStrays(open: readonly Execution[], story: Story): Execution[] {
  const expected = findOpenRun(story)?.execution
  const { round = 0 } = story.status?.evaluation ?? {}
  const mayBeAsked = isUnderEvaluation(story) && expected === undefined
  return open.filter(
    (execution) =>
      !isTerminal(execution) &&
      belongsTo(execution, story) &&
      execution.status?.cancelRequestedAt === undefined &&
      execution.metadata.name !== expected &&
      !(mayBeAsked && isOfRound(execution.metadata.name, story, round)),
  )
}
