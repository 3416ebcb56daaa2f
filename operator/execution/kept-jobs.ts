/**
 * Takes away the Jobs of ended executions. They stay for a while, for `kubectl logs` and `describe`, and go once their
 * end is recorded: no clock of the cluster, which a `ttlSecondsAfterFinished` would be, takes the evidence away while no
 * operator runs. Their objects, pods and logs must not grow with the day's work, so a namespace keeps the last ones only.
 *
 * They are kept in the order of their ends, so that a Job that finishes costs the logarithm of their number and concerns
 * the one that falls out. Thousands that an operator finds at its start go one by one, without haste and without a read,
 * after the work that waits.
 */
import type { Execution } from '../../core/crd/types.ts'
import { isTerminal } from '../../core/execution/state.ts'
import { LABELS } from '../../core/names.ts'
import { type OrderedSet, createOrderedSet } from '../../core/ordered-set.ts'
import { parseTimestamp } from '../../core/time.ts'
import type { Job } from '../../kube/builtin.ts'
import { JOBS } from '../../kube/resources.ts'
import { findJobEnd, isJobFinished } from '../../kube/workload.ts'
import { delay } from '../../lib/clock.ts'
import { deleteOnce } from '../apply.ts'
import type { OperatorContext } from '../context.ts'

/** Source: specification §14.3. */
export const MAX_KEPT_JOBS = 200
/** How long a finished Job, and with it its pods and their logs, can still be looked at. */
const KEEP_JOBS_MS = 3_600_000
/** From leading to the first removal, and from one to the next. */
const [BEGIN_MS, PACE_MS] = [5000, 50]
/** Ends come together. */
const GATHER_MS = 1000
const LOOK_MS = 60_000

interface EndedJob {
  readonly job: Job
  /** When, and the name: an order that no two Jobs share. */
  readonly end: string
}

/** The finished Jobs of a namespace, the last to end first; those that are being deleted count no more. */
export type EndedJobs = Pick<OrderedSet<EndedJob>, 'size' | 'at' | 'slice' | 'add' | 'delete'>

type Ended = Pick<OperatorContext, 'views' | 'clock'>

/** Follows the cache of Jobs; `stop` ends that. */
export function followEndedJobs(
  { jobs }: Pick<OperatorContext['views'], 'jobs'>,
  onEnded: (size: number) => void = () => undefined,
) {
  const ended = createOrderedSet<EndedJob>((a, b) => (a.end === b.end ? 0 : a.end < b.end ? 1 : -1))
  const stop = jobs.onChange((change) => {
    if (change.type !== 'add' && isJobFinished(change.previous)) ended.delete(toEnded(change.previous))
    if (change.type === 'delete' || !isJobFinished(change.object)) return
    if (change.object.metadata.deletionTimestamp !== undefined) return
    ended.add(toEnded(change.object))
    onEnded(ended.size)
  })
  return { ended, stop }
}

function toEnded(job: Job): EndedJob {
  return { job, end: `${findJobEnd(job)} ${job.metadata.name}` }
}

/** Those that go now: beyond the kept ones, or old; but none whose execution has yet to learn how it ended. */
export function findDueJobs({ views, clock }: Ended, ended: EndedJobs): Job[] {
  const now = clock.now().getTime()
  const isOld = ({ job }: EndedJob): boolean => {
    const end = executionOf(views, job)?.status?.finishedAt ?? findJobEnd(job)
    return end !== '' && parseTimestamp(end).getTime() + KEEP_JOBS_MS <= now
  }
  let kept = Math.min(MAX_KEPT_JOBS, ended.size)
  for (let last = ended.at(kept - 1); last !== undefined && isOld(last); last = ended.at(kept - 1)) kept -= 1
  return ended.slice(kept, ended.size).flatMap(({ job }) => (isRecorded(views, job) ? [job] : []))
}

/** One whose execution is gone goes with it: the cluster collects it. */
function isRecorded(views: OperatorContext['views'], job: Job): boolean {
  const execution = executionOf(views, job)
  return execution !== undefined && isTerminal(execution)
}

function executionOf({ executions }: OperatorContext['views'], { metadata }: Job): Execution | undefined {
  return executions.get({ namespace: metadata.namespace, name: metadata.labels?.[LABELS.execution] ?? '' })
}

/** What the watch tells of it comes later; until then it is not asked again. */
export async function removeEndedJob(
  { client }: Pick<OperatorContext, 'client'>,
  ended: EndedJobs,
  job: Job,
): Promise<void> {
  ended.delete(toEnded(job))
  try {
    await deleteOnce(client, JOBS, job, { propagationPolicy: 'Foreground' })
  } catch (error) {
    ended.add(toEnded(job))
    throw error
  }
}

/** Takes Jobs away until `stop` aborts; for the operator that leads, whose caches are filled. */
export async function runJobKeeper(
  context: Pick<OperatorContext, 'client' | 'views' | 'clock' | 'logger'>,
  stop: AbortSignal,
): Promise<void> {
  const { clock, logger } = context
  let wake = new AbortController()
  const jobs = followEndedJobs(context.views, (size) => {
    if (size > MAX_KEPT_JOBS && !wake.signal.aborted) wake.abort()
  })
  await delay(clock, BEGIN_MS, stop)
  while (!stop.aborted) {
    wake = new AbortController()
    try {
      for (const job of findDueJobs(context, jobs.ended)) {
        if (stop.aborted) break
        await removeEndedJob(context, jobs.ended, job)
        await delay(clock, PACE_MS, stop)
      }
    } catch (error) {
      logger.warn({ error }, 'a finished Job could not be deleted; it is tried again')
    }
    await delay(clock, LOOK_MS, AbortSignal.any([stop, wake.signal]))
    await delay(clock, GATHER_MS, stop)
  }
  jobs.stop()
}
