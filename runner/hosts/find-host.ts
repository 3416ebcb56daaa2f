import type { HostType } from '../../core/crd/types.ts'
import type { RunSpec } from '../../core/execution/run-spec.ts'
import { parseGitUrl } from '../../lib/git-url.ts'
import { findHostApi, type HostApi, mayReceiveToken, tokenOrigin } from '../../lib/host-api.ts'
import { StepFailed } from '../failure.ts'
import { findPassword } from '../git/access.ts'
import { gitea } from './gitea.ts'
import { github } from './github.ts'
import { gitlab } from './gitlab.ts'
import type { HostAdapter } from './host.ts'

const ADAPTERS = { GitHub: github, GitLab: gitlab, Gitea: gitea } as const satisfies Record<HostType, HostAdapter>

export interface Host extends HostApi {
  readonly adapter: HostAdapter
}

/**
 * Finds the host of a repository: the one that the project names, or the one that its host name stands for.
 *
 * @throws StepFailed when neither is known
 */
export function findHost(repositoryUrl: string, named: { type?: HostType; apiUrl?: string } = {}): Host {
  const found = findHostApi(repositoryUrl, named)
  if (found === undefined) {
    const name = parseGitUrl(repositoryUrl).host.replace(/:\d+$/, '')
    const what = name === '' ? 'a local repository' : `host ${name}`
    throw new StepFailed('git', `how ${what} takes pull requests is not known: set host.type of the project`)
  }
  return { ...found, adapter: ADAPTERS[found.type] }
}

/**
 * Gets the password of the git Secret if it may be sent to this API: only the Secret's own host gets it.
 *
 * @throws StepFailed when there is none, or it is another host's
 */
export async function getToken(run: RunSpec, apiUrl: string): Promise<string> {
  const token = run.gitCredentialsDir === undefined ? undefined : await findPassword(run.gitCredentialsDir)
  if (token === undefined || token === '') {
    throw new StepFailed(
      'credentials',
      'a pull request needs a token: name a kubernetes.io/basic-auth Secret with one as password in the project (git.secretName)',
    )
  }
  if (mayReceiveToken(apiUrl, run.gitHost)) return token
  throw new StepFailed(
    'credentials',
    `the git Secret is for ${run.gitHost ?? 'no host'}, so its token is not sent to ${tokenOrigin(apiUrl)}: correct host.apiUrl of the project, or the Secret's annotation slipway.dev/git-host`,
  )
}
