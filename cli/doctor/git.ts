import { hasErrorCode } from '../../lib/files.ts'
import { gitText } from '../../lib/git.ts'
import { type Finding, makeFinding } from './finding.ts'

/** How a person installs git. */
export const INSTALL_GIT = 'apt-get install git, or brew install git'

/** Whether a call of git failed because there is none on the PATH. */
export function isGitMissing(error: unknown): boolean {
  return hasErrorCode(error, 'ENOENT', 'EACCES')
}

/** @param ask gives what `git --version` prints */
export async function checkGit(ask = () => gitText(['--version'])): Promise<Finding> {
  try {
    return makeFinding('git', 'ok', (await ask()).trim().replace(/^git version /, ''))
  } catch (error) {
    if (!isGitMissing(error)) throw error
    return makeFinding('git', 'fail', 'git is not installed: no task can clone a repository', INSTALL_GIT)
  }
}
