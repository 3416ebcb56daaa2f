import type { ExecutionError } from '../../core/execution/result.ts'
import { RESULT_LIMITS } from '../../core/execution/result-limits.ts'
import { clip } from '../../core/text.ts'
import { addMs, toTimestamp } from '../../core/time.ts'
import { hasErrorCode, isOutOfSpace, UnsafePath } from '../../lib/files.ts'
import { GitFailed, GitTimedOut } from '../../lib/git.ts'
import { UntrustedClone } from '../../lib/git-untrusted.ts'
import { UnusableGitUrl } from '../../lib/git-url.ts'
import { OUT_OF_SPACE, StepFailed } from '../failure.ts'
import { formatGitFailureMessage, hasKnownCause, mayPass } from '../../lib/git-failure-message.ts'
import type { StepContext } from '../context.ts'
import { isVolumeFull } from '../full-volume.ts'
import type { Redact } from '../redact.ts'
import { messageOf } from '../../lib/error-message.ts'

/**
 * The error of a result, made of what a step has thrown. A failure of git keeps git's own words, and an error of ours
 * its message. Anything else (a full disk, a bug) has the category failed and is named as the runner's, so that nobody
 * looks for it in git.
 *
 * @param next what a person does once the cause of a failure of git is removed
 */
export function toExecutionError(error: unknown, url: string, redact: Redact, next?: string): ExecutionError {
  if (error instanceof GitFailed) return { category: 'git', message: formatGitFailureMessage(error, url, redact, next) }
  if (error instanceof GitTimedOut) {
    const then = next === undefined ? '' : `; then ${next}`
    const isRemote = REMOTE_COMMANDS.includes(error.command)
    const where = isRemote ? `at ${url}: check the network and the server` : 'on this machine, which may be busy'
    const text = `${error.message} ${where}${then}`
    return { category: 'git', message: clip(redact(text), RESULT_LIMITS.errorLength) }
  }
  if (error instanceof UntrustedClone)
    return { category: 'git', message: clip(redact(`${error.message}: ${anew(next)}`), RESULT_LIMITS.errorLength) }
  if (isAboutGit(error)) return { category: 'git', message: clip(redact(error.message), RESULT_LIMITS.errorLength) }
  if (error instanceof StepFailed)
    return { category: error.category, message: clip(redact(error.message), RESULT_LIMITS.errorLength) }
  if (hasErrorCode(error, 'ENOENT') && error instanceof Error && error.message.includes('spawn git'))
    return { category: 'unavailable', message: 'git is not installed in the image of this step' }
  const text = messageOf(error)
  if (isOutOfSpace(error))
    return {
      category: 'unavailable',
      message: `${OUT_OF_SPACE} (${text})`,
    }
  return { category: 'failed', message: clip(redact(`the runner failed: ${text}`), RESULT_LIMITS.errorLength) }
}

/** After the steps that say what is next, a resume would meet the same clone before any agent does. */
function anew(next: string | undefined): string {
  return `${next === undefined ? 'resume the task to let the agent mend that, or ' : ''}run the task again for a fresh clone`
}

/** Those that speak to a remote; empty: several commands, one of which may. */
const REMOTE_COMMANDS: readonly string[] = ['', 'clone', 'fetch', 'ls-remote', 'push', 'credential']

function isAboutGit(error: unknown): error is Error {
  return [UnusableGitUrl, UnsafePath].some((kind) => error instanceof kind)
}

/** On a full disk git does not always say why it fails. */
export async function findCause(error: unknown, context: Pick<StepContext, 'run'>): Promise<unknown> {
  if (!(error instanceof GitFailed) || hasKnownCause(error) || !(await isVolumeFull(context))) return error
  const said = error.stderr.trim().split('\n').at(-1) ?? ''
  return new StepFailed('unavailable', `${OUT_OF_SPACE} (git ${error.command}: ${said})`)
}

/** A remote that failed in a way that may pass is left alone for so long. */
const PASSES_AFTER_MS = 60_000

/**
 * When what git failed at is worth another try; nothing where only a person can help.
 *
 * @param isDelivery whether a refusal of the remote counts as well: its checks of a branch may be under way
 */
export function findNextTry(error: unknown, now: Date, isDelivery = false): { readonly resumeAfter?: string } {
  const isWorthIt =
    error instanceof GitFailed
      ? (mayPass(error) ?? isDelivery)
      : error instanceof GitTimedOut || (error instanceof StepFailed && error.mayPass)
  return isWorthIt ? { resumeAfter: toTimestamp(addMs(now, PASSES_AFTER_MS)) } : {}
}
