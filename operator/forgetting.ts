/**
 * Forgets records of the archive that exceed its limits (specification §14.3), with logs, diffs and artifacts.
 *
 * The record goes first: from then on nothing of the task is served, and its files belong to nobody. Then the files go,
 * as those of any deleted task do (sweep.ts). After a crash in between the next sweep of all folders finds them.
 */
import {
  type ArchivedMonth,
  type DatedRecord,
  type DueMonth,
  findDueMonths,
  findForgettable,
  findOldest,
} from '../core/task/forgetting.ts'
import { EXECUTIONS_PATH } from '../core/execution/layout.ts'
import { TASKS } from '../kube/resources.ts'
import type { Archive } from '../lib/archive/archive.ts'
import { type ArchivingContext, findReadable, MAX_FAILURES } from './archiving.ts'
import { type SweptNamespace, sweepFolder } from './sweep.ts'

/** More than are archived in a pass: to find the oldest of a month costs as much as to forget some hundred. */
export const MAX_FORGOTTEN = 1000
/** Times of so many files are put in order at once: a month may have a hundred times as many. */
const PORTION = 1000

export interface ForgettingContext extends ArchivingContext {
  /** Every namespace that has folders on this volume. */
  readonly served: readonly SweptNamespace[]
}

/**
 * Forgets the oldest records beyond the limits, at most `max`, but none of a task that is in the cluster: it is being
 * restored, or a crash has left its record. What fails is logged and tried again.
 *
 * @returns the names of those that were forgotten
 */
export async function forgetArchived(
  context: ForgettingContext,
  namespace: string,
  max: number,
  ended?: AbortSignal,
): Promise<readonly string[]> {
  const { archive, retention, judgedAt, logger } = context
  const { ageMs, count } = retention.archive
  if (ageMs === Infinity && count === Infinity) return []
  const forgotten: string[] = []
  for (const due of findDueMonths(await readMonths(archive, namespace), retention.archive, judgedAt)) {
    if (forgotten.length >= max) break
    ended?.throwIfAborted()
    let failures = 0
    for (const name of await findNames(context, namespace, due, max - forgotten.length, ended)) {
      if (forgotten.length >= max || failures >= MAX_FAILURES) break
      ended?.throwIfAborted()
      try {
        if (await forget(context, { namespace, month: due.month, name }, ended)) forgotten.push(name)
        failures = 0
      } catch (error) {
        ended?.throwIfAborted()
        failures += 1
        logger.warn({ namespace, task: name, error }, 'an archived task could not be forgotten: it is tried again')
      }
    }
  }
  return forgotten
}

async function readMonths(archive: Archive, namespace: string): Promise<readonly ArchivedMonth[]> {
  const months: ArchivedMonth[] = []
  for (const month of await archive.months(namespace))
    months.push({ month, names: await archive.names(namespace, month) })
  return months
}

/** Looks at the time of each file only where a part of the month goes. */
async function findNames(
  { archive }: ForgettingContext,
  namespace: string,
  due: DueMonth,
  max: number,
  ended: AbortSignal | undefined,
): Promise<readonly string[]> {
  const { names } = due
  if (due.isWhole) return names
  let oldest: readonly DatedRecord[] = []
  for (let start = 0; start < names.length; start += PORTION) {
    const portion: DatedRecord[] = []
    for (const name of names.slice(start, start + PORTION)) {
      ended?.throwIfAborted()
      portion.push({ name, endedAt: await archive.endedAt(namespace, due.month, name) })
    }
    oldest = findOldest(due.month, [...oldest, ...portion], max)
  }
  return findForgettable(due, oldest)
}

/**
 * False for a task that is in the cluster. The server is asked at the last moment, and once more: a cache may not have the
 * task yet, and may still have one that was archived a moment ago.
 */
async function forget(
  { client, archive, served }: ForgettingContext,
  { namespace, month, name }: { readonly namespace: string; readonly month: string; readonly name: string },
  ended: AbortSignal | undefined,
): Promise<boolean> {
  // Files whose record is damaged are left to the sweep of all folders.
  const record = await findReadable(archive, namespace, name)
  const isThere = async (): Promise<boolean> => (await client.find(TASKS, { namespace, name })) !== undefined
  if (await isThere()) return false
  ended?.throwIfAborted()
  await archive.removeFrom(namespace, month, name)
  if (record !== undefined && (await isThere())) {
    // Made meanwhile, it is to get what the record has.
    await archive.add(record)
    return false
  }
  for (const { metadata } of record?.executions ?? []) {
    ended?.throwIfAborted()
    await sweepFolder({ served, ended }, { parent: EXECUTIONS_PATH, name: metadata.name })
  }
  return true
}
