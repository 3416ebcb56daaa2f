/** What the CI of a repository's host says of a commit, by the API of each kind of host. */
import type { CiRun, CiState, HostType } from '../core/crd/types.ts'
import { withoutAbsent } from '../core/omit.ts'
import {
  callHost,
  type FailureScope,
  type HostAccess,
  type HostAnswer,
  type HostApi,
  itemsOf,
  textOf,
} from './host-api.ts'
import { parseUrl } from './url.ts'

/** A host that answered, but not with what it was asked for. */
export class HostRefused extends Error {
  readonly code = 'HOST_REFUSED'
  override readonly name = 'HostRefused'
  /** Whether the next question may be answered all the same: a limit, or a fault of the host. */
  readonly isPassing: boolean
  readonly scope: FailureScope
  constructor(url: string, { status, limitEnds }: HostAnswer) {
    // Without its words: nobody has redacted them.
    super(`${new URL(url).host} answered ${status}${limitEnds === undefined ? '' : ` (rate limit${limitEnds})`}`)
    this.isPassing = limitEnds !== undefined || status >= 500
    this.scope = limitEnds !== undefined ? 'login' : status >= 500 ? 'host' : 'repository'
  }
}

type Ask = (path: string) => Promise<unknown>

/** Longest address of a run's page (its schema). */
const URL_LENGTH = 2048
/** What hosts give in one page at most; a Gitea gives fifty unless its operator says otherwise. */
const PAGE_SIZES = { GitHub: 100, GitLab: 100, Gitea: 50 } as const satisfies Record<HostType, number>
const MAX_PAGES = 10

const READ = { GitHub: ofGitHub, GitLab: ofGitLab, Gitea: ofGitea } as const satisfies Record<
  HostType,
  (ask: Ask, path: string, commit: string) => Promise<readonly FoundRun[]>
>

interface FoundRun {
  readonly name: string | undefined
  readonly state: CiState
  readonly page: string | undefined
}

/**
 * Reads how the runs for a commit stand, of each kind ten pages at most.
 *
 * @throws HostUnanswered; HostRefused; the signal's reason
 */
export async function readRuns(api: HostApi, commit: string, access: HostAccess): Promise<readonly CiRun[]> {
  const ask: Ask = async (path) => {
    const url = `${api.apiUrl}${path}`
    const answer = await callHost({ method: 'GET', url }, access)
    if (answer.status !== 200 || typeof answer.body === 'string') throw new HostRefused(url, answer)
    return answer.body
  }
  const found = await READ[api.type](ask, api.path, encodeURIComponent(commit))
  return found.map(({ name = '', state, page }) => ({ name, state, ...withoutAbsent({ url: toPage(page, api) }) }))
}

/** The items of all pages: one that is not seen may be the one that failed. */
async function askAll(ask: Ask, path: string, size: number, ...at: readonly string[]): Promise<readonly unknown[]> {
  const found: unknown[] = []
  for (let page = 1; page <= MAX_PAGES; page++) {
    const items = itemsOf(await ask(page === 1 ? path : `${path}&page=${page}`), ...at)
    found.push(...items)
    if (items.length < size) break
  }
  return found
}

/** A link in the browser must be an http or https URL. Gitea's own runs have one without a host. */
function toPage(page: string | undefined, { apiUrl }: HostApi): string | undefined {
  const url = page === undefined || page === '' ? undefined : parseUrl(page, new URL(apiUrl))
  const isPage = url !== undefined && /^https?:$/.test(url.protocol) && url.username === '' && url.password === ''
  return isPage && url.href.length <= URL_LENGTH ? url.href : undefined
}

/**
 * Commit statuses and check runs: Actions make the latter alone. Tokens may have a right to one of the two only.
 * docs.github.com/rest/commits/statuses, docs.github.com/rest/checks/runs
 */
async function ofGitHub(ask: Ask, path: string, commit: string): Promise<readonly FoundRun[]> {
  const of = `/repos/${encodePath(path)}/commits/${commit}`
  const size = PAGE_SIZES.GitHub
  const [statuses, runs] = await Promise.allSettled([
    askAll(ask, `${of}/status?per_page=${size}`, size, 'statuses'),
    askAll(ask, `${of}/check-runs?per_page=${size}`, size, 'check_runs'),
  ])
  const refused = [statuses, runs].flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []))
  const isPartly = refused.every((reason) => reason instanceof HostRefused && !reason.isPassing)
  if (refused.length === 2 || !isPartly) throw refused[0]
  return [
    ...(statuses.status === 'fulfilled' ? statuses.value : []).map((item) => ({
      name: textOf(item, 'context'),
      state: toState(textOf(item, 'state')),
      page: textOf(item, 'target_url'),
    })),
    ...(runs.status === 'fulfilled' ? runs.value : []).map((item) => ({
      name: textOf(item, 'name'),
      state: textOf(item, 'status') === 'completed' ? toState(textOf(item, 'conclusion')) : 'Pending',
      page: textOf(item, 'html_url'),
    })),
  ]
}

/** The last job of each name, and statuses of others. docs.gitlab.com/api/commits */
async function ofGitLab(ask: Ask, path: string, commit: string): Promise<readonly FoundRun[]> {
  const size = PAGE_SIZES.GitLab
  const of = `/projects/${encodeURIComponent(path)}/repository/commits/${commit}/statuses?per_page=${size}`
  return (await askAll(ask, of, size)).map((item) => {
    const mayFail = Object.entries(Object(item)).some(([key, value]) => key === 'allow_failure' && value === true)
    const state = toState(textOf(item, 'status'))
    return {
      name: textOf(item, 'name'),
      state: mayFail && state === 'Failed' ? 'Passed' : state,
      page: textOf(item, 'target_url'),
    }
  })
}

/** The last status of each context; its own Actions make such too. docs.gitea.com/api, repoGetCombinedStatusByRef */
async function ofGitea(ask: Ask, path: string, commit: string): Promise<readonly FoundRun[]> {
  const size = PAGE_SIZES.Gitea
  const of = `/repos/${encodePath(path)}/commits/${commit}/status?limit=${size}`
  return (await askAll(ask, of, size, 'statuses')).map((item) => ({
    name: textOf(item, 'context'),
    state: toState(textOf(item, 'status')),
    page: textOf(item, 'target_url'),
  }))
}

const PASSED = ['success', 'neutral', 'skipped', 'warning', 'manual']
const FAILED = [
  'failure',
  'failed',
  'error',
  'timed_out',
  'cancelled',
  'canceled',
  'action_required',
  'startup_failure',
  'stale',
]

/** A word that is not known stands for a state on the way. */
function toState(word: string | undefined): CiState {
  if (word !== undefined && PASSED.includes(word)) return 'Passed'
  return word !== undefined && FAILED.includes(word) ? 'Failed' : 'Pending'
}

function encodePath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/')
}
