import type { ErrorCategory, ExecutionError } from '../core/execution/result.ts'
import { RESULT_LIMITS } from '../core/execution/result-limits.ts'
import { clampText } from '../core/transcript/summary.ts'
import { hasErrorCode, UnsafePath } from '../lib/files.ts'
import { GitFailed, GitTimedOut } from '../lib/git.ts'
import { UntrustedClone } from '../lib/git-untrusted.ts'
import { UnusableGitUrl } from '../lib/git-url.ts'
import { describeGitFailure } from './git/message.ts'
import type { Redact } from './agent/redact.ts'

/** A step cannot go on, for a reason that a person can act on. */
export class StepFailed extends Error {
  readonly code = 'STEP_FAILED'
  override readonly name = 'StepFailed'
  readonly category: ErrorCategory

  constructor(category: ErrorCategory, message: string) {
    super(message)
    this.category = category
  }
}

/** Work that does not fit what others have pushed meanwhile; the message names the files. */
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

/** Files that are named in a message; the record has more of them. */
const NAMED_FILES = 20

function listFiles(files: readonly string[]): string {
  const rest = files.length - NAMED_FILES
  const named = files.slice(0, NAMED_FILES).join(', ')
  return rest > 0 ? `${named} and ${rest} more` : named
}

/**
 * The error of a result for something thrown by a step: git's own words for git, the message for our own. Anything
 * else (a full disk, a bug) is category failed and told as the runner's, so that it does not pass for git's.
 */
export function toExecutionError(error: unknown, url: string, redact: Redact): ExecutionError {
  if (error instanceof GitFailed) return { category: 'git', message: describeGitFailure(error, url, redact) }
  if (isAboutGit(error))
    return { category: 'git', message: clampText(redact(error.message), RESULT_LIMITS.errorLength) }
  if (error instanceof StepFailed)
    return { category: error.category, message: clampText(redact(error.message), RESULT_LIMITS.errorLength) }
  if (hasErrorCode(error, 'ENOENT') && error instanceof Error && error.message.includes('spawn git'))
    return { category: 'unavailable', message: 'git is not installed in the image of this step' }
  const text = error instanceof Error ? error.message : String(error)
  return { category: 'failed', message: clampText(redact(`the runner failed: ${text}`), RESULT_LIMITS.errorLength) }
}

function isAboutGit(error: unknown): error is Error {
  return [GitTimedOut, UntrustedClone, UnusableGitUrl, UnsafePath].some((kind) => error instanceof kind)
}
