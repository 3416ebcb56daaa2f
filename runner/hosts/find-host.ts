import type { HostType } from '../../core/crd/types.ts'
import type { RunSpec } from '../../core/execution/run-spec.ts'
import { mayReceiveCredentials } from '../../lib/git-host.ts'
import { parseGitUrl, repositoryPath } from '../../lib/git-url.ts'
import { StepFailed } from '../failure.ts'
import { findPassword } from '../git/access.ts'
import { gitea } from './gitea.ts'
import { github } from './github.ts'
import { gitlab } from './gitlab.ts'
import type { HostAdapter } from './host.ts'
import { trimEndOf } from '../../core/trim.ts'

const ADAPTERS = { GitHub: github, GitLab: gitlab, Gitea: gitea } as const satisfies Record<HostType, HostAdapter>

/** Where each kind of host has its API, on the repository's own host. */
const API_PATHS = { GitHub: '/api/v3', GitLab: '/api/v4', Gitea: '/api/v1' } as const satisfies Record<HostType, string>

const GITHUB_API = 'https://api.github.com'

const KNOWN: ReadonlyMap<string, HostType> = new Map([
  ['github.com', 'GitHub'],
  ['gitlab.com', 'GitLab'],
  ['codeberg.org', 'Gitea'],
])

export interface Host {
  readonly adapter: HostAdapter
  readonly apiUrl: string
  readonly path: string
}

/**
 * Finds the host of a repository: the one that the project names, or the one that its host name stands for.
 *
 * @throws StepFailed when neither is known
 */
export function findHost(repositoryUrl: string, named: { type?: HostType; apiUrl?: string } = {}): Host {
  const { host, protocol } = parseGitUrl(repositoryUrl)
  const name = host.replace(/:\d+$/, '')
  const type = named.type ?? KNOWN.get(name)
  if (type === undefined || (protocol === 'file' && named.apiUrl === undefined)) {
    const what = name === '' ? 'a local repository' : `host ${name}`
    throw new StepFailed('git', `how ${what} takes pull requests is not known: set host.type of the project`)
  }
  // The API does not listen at the port of ssh.
  const authority = protocol === 'ssh' ? name : host
  const own = type === 'GitHub' && name === 'github.com' ? GITHUB_API : `https://${authority}${API_PATHS[type]}`
  const apiUrl = trimEndOf(named.apiUrl ?? own, '/')
  return { adapter: ADAPTERS[type], apiUrl, path: repositoryPath(repositoryUrl) }
}

/**
 * Gets the password of the git Secret if it may be sent to this API: only the Secret's own host gets it. GitHub's API has
 * another host name, which counts as github.com.
 *
 * @throws StepFailed when there is none, or it is another host's
 */
export async function getToken(run: RunSpec, apiUrl: string): Promise<string> {
  const url = parseGitUrl(apiUrl)
  const host = apiUrl === GITHUB_API ? 'github.com' : url.host
  const token = run.gitCredentialsDir === undefined ? undefined : await findPassword(run.gitCredentialsDir)
  if (token === undefined || token === '') {
    throw new StepFailed(
      'credentials',
      'a pull request needs a token: name a kubernetes.io/basic-auth Secret with one as password in the project (git.secretName)',
    )
  }
  if (mayReceiveCredentials({ ...url, host }, run.gitHost)) return token
  throw new StepFailed(
    'credentials',
    `the git Secret is for ${run.gitHost ?? 'no host'}, so its token is not sent to ${host}: correct host.apiUrl of the project, or the Secret's annotation slipway.dev/git-host`,
  )
}
