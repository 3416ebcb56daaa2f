/** The list of what is not delivered, and what it means for the execution. */
import type { ExecutionError, Undelivered } from '../../core/execution/result.ts'
import type { RawChange } from '../../core/review/hidden.ts'
import { RESULT_LIMITS } from '../../core/execution/result-limits.ts'
import { listOf } from '../../core/sentences/amounts.ts'
import { clip } from '../../core/text.ts'
import { type LeftBehind, toText } from './clone-git.ts'

/** A list of bounded length, and how long it would be. */
export interface UndeliveredList {
  readonly undelivered?: Undelivered[]
  readonly undeliveredCount?: number
}

/** Names in the message of a failure. */
const NAMED = 5

/** The failure of work of which nothing can be delivered; undefined: `changes` has something beside `found`. */
export function findTotalLoss(changes: readonly RawChange[], found: readonly LeftBehind[]): ExecutionError | undefined {
  const paths = new Set(found.map(({ path }) => path))
  const lost = found.filter(({ isNotice }) => isNotice !== true)
  if (lost.length === 0 || changes.some(({ path }) => !paths.has(toText(path)))) return undefined
  const named = lost.map(({ path, reason }) => `${path} (${reason})`)
  const message = `nothing that the agent made can be delivered: ${listOf(named, { most: NAMED })}; clone and session are kept: resume the task to let the agent put its work into the clone's own branch`
  return { category: 'git', message: clip(message, RESULT_LIMITS.errorLength) }
}

/** A list of what was found, after what an earlier step found. */
export function toList(found: readonly Undelivered[], earlier: UndeliveredList = {}): UndeliveredList {
  const { undelivered = [], undeliveredCount = 0 } = earlier
  const known = new Set(undelivered.map(({ path }) => path))
  const added = found.map(clipBoth).filter(({ path }) => !known.has(path))
  const count = Math.max(undeliveredCount, undelivered.length) + added.length
  if (count === 0) return {}
  return { undelivered: [...undelivered, ...added].slice(0, RESULT_LIMITS.undelivered), undeliveredCount: count }
}

function clipBoth({ path, reason }: Undelivered): Undelivered {
  return {
    path: clip(path, RESULT_LIMITS.undeliveredPathLength),
    reason: clip(reason, RESULT_LIMITS.undeliveredReasonLength),
  }
}
