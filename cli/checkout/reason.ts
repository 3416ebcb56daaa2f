import { GitFailed } from '../../lib/git.ts'
import { redactUrls } from '../../core/redact-urls.ts'
import { isGitMissing, INSTALL_GIT } from '../doctor/git.ts'
import { UsageError } from '../command.ts'

/** What a person is told of a failure of git; any other error as it is. */
export function reasonOfGit(command: string, error: unknown): unknown {
  if (error instanceof GitFailed) {
    const said = redactUrls(error.stderr.trim()) || error.message
    return new UsageError(`${command}: git ${error.command} failed: ${said}`, { cause: error })
  }
  if (isGitMissing(error))
    return new UsageError(`${command}: git is not installed here: ${INSTALL_GIT}`, { cause: error })
  return error
}
