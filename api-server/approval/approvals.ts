/**
 * Plans that become stories: all of it, or nothing (specification §5.12).
 *
 * The plan is written to the data volume before anything is created, and the Story bears a mark until all is there. So
 * what a server leaves that dies in between is found by the next one, or by another one that sees the mark grow old:
 * it takes the mark over and goes through the same steps, which end where they would have ended. A refusal undoes what was
 * made, and is the answer; a failure of the control plane is the answer too, but the approval is then finished as
 * after a crash.
 */
import type { Story } from '../../core/crd/types.ts'
import { decisionEvent } from '../../core/decision-event.ts'
import { type ApiError, apiError, isApiError } from '../../core/errors.ts'
import type { ApprovedTask, StoryApproval } from '../../core/rest/requests/approve.ts'
import { findBranchConflict } from '../../core/story/approval.ts'
import { findReservedProblem } from '../../core/story/branch-name.ts'
import { findDefaultBranchProblem, storyBranch } from '../../core/story/branch.ts'
import { toAgentConfig } from '../../core/kinds/plan.ts'
import { toTimestamp } from '../../core/time.ts'
import { type AutoResetEvent, createAutoResetEvent, createKeyedMutex } from '../../lib/async.ts'
import type { EventRecorder } from '../../kube/events.ts'
import { KubeError } from '../../kube/types.ts'
import type { Logger } from '../../lib/log.ts'
import type { Caller } from '../auth/tokens.ts'
import { requireFound } from '../commands/writes.ts'
import { type StoredPlan, createPlanFiles } from './plan-files.ts'
import {
  type Approved,
  type StepContext,
  beginStory,
  branchOf,
  createTasks,
  makeBranch,
  publishStory,
} from './steps.ts'
import { recoverAbandonedApprovals } from './abandoned-approvals.ts'
import { undo } from './undo.ts'

export interface Approvals {
  /**
   * Makes a story of a plan, and returns when it is shown.
   *
   * @throws ApiError `unknown_reference`, `invalid_request`, `approval_refused`, `approval_timed_out`, `unavailable` while the server stops
   */
  approve(plan: StoryApproval, caller: Caller): Promise<Approved>
  /** Finishes or undoes what other servers have left; resolves when `signal` has aborted and nothing is under way. */
  run(signal: AbortSignal): Promise<void>
  /** Ends all waits: what is under way is left to the next server. */
  close(): Promise<void>
}

export interface ApprovalOptions extends Omit<StepContext, 'files' | 'isStopping' | 'timeoutMs'> {
  readonly volumeRoot: string
  readonly logger: Logger
  readonly events: Pick<EventRecorder, 'record'>
  /** Makes the id of a story of its name, so that nobody can have it: the steps take what is there under it for their own. */
  readonly makeId: (name: string) => string
  /** True where no other server can be: what is found marked at the start has lost who marked it. */
  readonly isAlone: boolean
  /** What branches of tasks without a story begin with; absent: the usual. */
  readonly branchPrefix?: string | undefined
}

/** As long as elaborating may take: a caller does not wait longer for a push than for an agent. */
const TIMEOUT_MS = 5 * 60_000

export function createApprovals(options: ApprovalOptions): Approvals {
  const { caches, clock, logger, makeId, volumeRoot, events } = options
  const files = createPlanFiles(volumeRoot)
  const underWay = new Map<string, { readonly changed: AutoResetEvent; readonly over: Promise<unknown> }>()
  const runExclusive = createKeyedMutex()
  let isClosed = false
  const context: StepContext = { ...options, files, timeoutMs: TIMEOUT_MS, isStopping: () => isClosed }
  const setAll = (): void => underWay.forEach(({ changed }) => changed.set())
  caches.executions.informer.onChange(setAll)

  const perform = async (stored: StoredPlan, begin: () => Promise<Story>): Promise<Approved> => {
    const changed = createAutoResetEvent(clock)
    const over = carryOut(context, stored, begin, changed)
    underWay.set(stored.story, { changed, over: over.catch(() => undefined) })
    try {
      const approved = await over
      events.record(approved.story, decisionEvent('approve', 'plan approved', stored.by))
      return approved
    } finally {
      underWay.delete(stored.story)
    }
  }
  const resume = (stored: StoredPlan): void => {
    const { story } = stored
    void perform(stored, () => beginStory(context, stored)).then(
      () => logger.info({ story }, 'approval finished that another server had left'),
      (error: unknown) => logger.warn({ error, story }, 'approval that another server had left ended'),
    )
  }
  return {
    async approve(plan, caller) {
      const stored = await prepare(options, plan, caller, makeId(plan.name))
      requireFreeBranch(options, stored)
      const branch = storyBranch(stored.story, plan.branch_name)
      return perform(stored, () =>
        runExclusive(`${plan.project_id} ${branch}`, async () => {
          requireFreeBranch(options, stored)
          await files.write(stored)
          return beginStory(context, stored)
        }),
      )
    },
    async run(signal) {
      const isUnderWay = (story: string): boolean => underWay.has(story)
      await recoverAbandonedApprovals({ ...context, ...options, isUnderWay, resume }, signal)
      await Promise.all([...underWay.values()].map(({ over }) => over))
    },
    async close() {
      isClosed = true
      const open = [...underWay.values()]
      setAll()
      await Promise.all(open.map(({ over }) => over))
    },
  }
}

/** @param begin the first step, with what has to be done before it */
async function carryOut(
  context: StepContext,
  stored: StoredPlan,
  begin: () => Promise<Story>,
  changed: AutoResetEvent,
): Promise<Approved> {
  let isBranchMade = false
  try {
    await makeBranch(context, stored, await begin(), changed)
    isBranchMade = true
    const tasks = await createTasks(context, stored)
    const story = await publishStory(context, stored)
    // Those that start by themselves may be queued by now.
    return { story, tasks: tasks.map((task) => context.caches.tasks.find(task.metadata.name) ?? task) }
  } catch (error) {
    if (!isRefusal(error)) throw error
    if (!(await undo(context, stored)))
      throw apiError(
        'unavailable',
        'another server has taken the approval over; GET /api/stories tells what became of it',
      )
    throw isBranchMade ? withBranchLeft(error, stored) : error
  }
}

/** What will not be otherwise at the next try; all else may be. */
function isRefusal(error: unknown): error is Error {
  if (isApiError(error, 'approval_refused', 'approval_timed_out')) return true
  return error instanceof KubeError && (error.reason === 'Invalid' || error.reason === 'Forbidden')
}

function withBranchLeft(error: Error, stored: StoredPlan): ApiError {
  const reason = error.message.replace(/^nothing was approved: /, '')
  return apiError('approval_refused', `${reason}; the ${branchOf(stored)} stays on its remote`).causedBy(error)
}

/** @throws ApiError `unknown_reference` naming the field */
async function prepare(
  { caches, clock }: ApprovalOptions,
  plan: StoryApproval,
  caller: Caller,
  story: string,
): Promise<StoredPlan> {
  const { project_id: id } = plan
  const project = await caches.projects.read(id)
  if (project === undefined) throw apiError('unknown_reference', 'project_id', 'project', id)
  for (const [i, { agent, subtasks = [] }] of plan.tasks.entries()) {
    await requireAgent(`tasks[${i}].agent`, agent)
    for (const [k, subtask] of subtasks.entries()) await requireAgent(`tasks[${i}].subtasks[${k}].agent`, subtask.agent)
  }
  async function requireAgent(field: string, agent: ApprovedTask['agent']): Promise<void> {
    const { type } = toAgentConfig(agent) ?? {}
    if (type !== undefined && (await caches.agents.read(type)) === undefined)
      throw apiError('unknown_reference', typeof agent === 'string' ? field : `${field}.type`, 'agent', type)
  }
  const { remoteUrl, defaultBranch } = project.spec
  return {
    schemaVersion: 1,
    story,
    plan,
    remoteUrl,
    ...(defaultBranch === undefined ? {} : { defaultBranch }),
    by: caller.name,
    at: toTimestamp(clock.now()),
  }
}

/** @throws ApiError `approval_refused`, `invalid_request` for the project's default branch */
function requireFreeBranch({ caches, branchPrefix }: ApprovalOptions, { story, plan }: StoredPlan): void {
  const project = requireFound(caches.projects.find(plan.project_id), 'project')
  const branch = storyBranch(story, plan.branch_name)
  const isDefault = findDefaultBranchProblem(branch, project)
  if (isDefault !== undefined) throw apiError('invalid_request', `branch_name: ${isDefault}`)
  const problem = findReservedProblem(branch, branchPrefix)
  if (problem !== undefined) throw apiError('invalid_request', `branch_name: ${problem}`)
  const conflict = findBranchConflict(branch, project, caches.storiesOfProject(plan.project_id))
  if (conflict !== undefined) throw apiError('approval_refused', conflict)
}
