import type { PrepareReport } from '../core/execution/termination.ts'
import type { ErrorCategory, Undelivered } from '../core/execution/result.ts'
import { listOf } from '../core/sentences/amounts.ts'

/** Whose disk it is, and the way out: the system says neither. */
export const OUT_OF_SPACE = 'no space is left on the data volume: make room on it, then resume the task'

/** A step cannot go on, for a reason that a person can act on. */
export class StepFailed extends Error {
  readonly code = 'STEP_FAILED'
  override readonly name = 'StepFailed'
  readonly category: ErrorCategory
  /** Whether it may end without anybody's help. */
  readonly mayPass: boolean

  constructor(category: ErrorCategory, message: string, mayPass = false) {
    super(message)
    this.category = category
    this.mayPass = mayPass
  }
}

/** What the operator wrote for the agent is not there as it was written. Nothing was done yet. */
export class NotGiven extends Error {
  readonly code = 'NOT_GIVEN'
  override readonly name = 'NotGiven'
}

/** The commit wants another environment than the one that is there. Nothing is checked out. */
export class NotPrepared extends Error {
  readonly code = 'NOT_PREPARED'
  override readonly name = 'NotPrepared'
  readonly report: PrepareReport

  constructor(report: PrepareReport) {
    super('the commit wants another environment than the one that is there')
    this.report = report
  }
}

/** Work that cannot be pushed for some of its content, which is named. */
export class Unpushable extends StepFailed {
  readonly undelivered: readonly Undelivered[]

  constructor(message: string, undelivered: readonly Undelivered[]) {
    super('git', message)
    this.undelivered = undelivered
  }
}

/** The work conflicts with what others have pushed meanwhile; the message names the files. */
export class Conflict extends StepFailed {
  /** The commit that it conflicts with. */
  readonly onto: string
  readonly files: readonly string[]

  constructor(what: string, wayOut: string, onto: string, files: readonly string[]) {
    super('git', `${what} ${listFiles(files)}; ${wayOut}`)
    this.onto = onto
    this.files = files
  }
}

/** A message names at most so many files; the record has more of them. */
const NAMED_FILES = 20

/** Names files in a message. */
export function listFiles(files: readonly string[]): string {
  return listOf(files, { most: NAMED_FILES })
}
