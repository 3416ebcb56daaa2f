/** What the CI of a git host says of a task's work: pure decisions about `status.ci`. */
import type { CiReport, CiRun, CiState, Task } from '../crd/types.ts'
import { isSame } from '../json.ts'
import { parseTimestamp, toTimestamp } from '../time.ts'
import { clip, compareTexts } from '../text.ts'

/** Runs that a report names. */
const MAX_RUNS = 20
const NAME_LENGTH = 200

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** A commit, and since when its CI concerns a person. */
export interface CiSubject {
  readonly commit: string
  readonly since: string
}

/** The commit whose CI concerns whoever decides: of READY work, and later of the pull request that was opened of it. */
export function findCiSubject({ status }: Pick<Task, 'status'>): CiSubject | undefined {
  const { state, head, delivery } = status ?? {}
  if (state === 'READY') return head && { commit: head.commit, since: head.at }
  const isOpened = state === 'COMPLETED' && delivery?.kind === 'PullRequest' && delivery.state === 'Delivered'
  if (!isOpened || delivery.url === undefined || delivery.commit === undefined || delivery.at === undefined)
    return undefined
  return { commit: delivery.commit, since: delivery.at }
}

/** What is known of that commit's CI; undefined for a report about an earlier commit. */
export function ciOf(task: Pick<Task, 'status'>): CiReport | undefined {
  const { ci } = task.status ?? {}
  return ci !== undefined && ci.commit === findCiSubject(task)?.commit ? ci : undefined
}

/**
 * How long to wait before a host is asked the next time about a commit; undefined: it is not asked again.
 *
 * The longer a run goes on, the less often: a quarter of the time that has passed, 30 seconds at least and 20 minutes at
 * most, for a day. Nobody waits for what has ended, so that is asked about for four hours, for runs that begin late or
 * again; and where no run has begun within an hour there is no CI. That makes some 90 requests for a commit at most.
 */
export function nextCiLookMs(sinceMs: number, state: CiState | undefined): number | undefined {
  const isOver = state === 'Passed' || state === 'Failed'
  const lastMs = state === undefined ? HOUR_MS : isOver ? 4 * HOUR_MS : 24 * HOUR_MS
  if (sinceMs > lastMs) return undefined
  const leastMs = isOver ? 5 * MINUTE_MS : MINUTE_MS / 2
  return Math.min(Math.max(sinceMs / 4, leastMs), 20 * MINUTE_MS)
}

/** For how long the CI of a commit has concerned somebody. */
export function ciAgeMs({ since }: CiSubject, now: Date): number {
  return now.getTime() - parseTimestamp(since).getTime()
}

const ORDER: Readonly<Record<CiState, number>> = { Failed: 0, Pending: 1, Passed: 2 }

/**
 * The report of what a host says now; undefined where it names no run.
 *
 * @returns `before` itself when nothing has changed, so that nothing is written
 */
export function toCiReport(
  commit: string,
  found: readonly CiRun[],
  before: CiReport | undefined,
  now: Date,
): CiReport | undefined {
  const runs = found
    .map((run): CiRun => ({ ...run, name: clip(oneLine(run.name), NAME_LENGTH) }))
    .toSorted(
      (a, b) =>
        ORDER[a.state] - ORDER[b.state] || compareTexts(a.name, b.name) || compareTexts(a.url ?? '', b.url ?? ''),
    )
  const [first] = runs
  if (first === undefined) return undefined
  const said = { commit, state: first.state, total: runs.length, runs: runs.slice(0, MAX_RUNS) }
  const isKnown = before !== undefined && isSame({ ...before, at: '' }, { ...said, at: '' })
  return isKnown ? before : { ...said, at: toTimestamp(now) }
}

function oneLine(name: string): string {
  // Half a character would come back from Kubernetes as another one, and the report be written anew each time.
  const text = name.replace(/[\p{Cs}\p{Cc}\u2028\u2029]+/gu, ' ').trim()
  return text === '' ? 'unnamed' : text
}
