/** What the CI of a repository's host says of a commit, by the API of each kind of host. */
import type { CiRun, CiState, HostType } from '../core/crd/types.ts'
import { withoutAbsent } from '../core/omit.ts'
import { callHost, type HostAccess, type HostAnswer, type HostApi, itemsOf, textOf } from './host-api.ts'
import { parseUrl } from './url.ts'

/** A host that answered, but not with what it was asked for. */
export class HostRefused extends Error {
  readonly code = 'HOST_REFUSED'
  override readonly name = 'HostRefused'
  /** Whether the next question may be answered all the same: a limit, or a fault of the host. */
  readonly isPassing: boolean
  constructor(url: string, { status, limitEnds }: HostAnswer) {
    // Without its words: nobody has redacted them.
    super(`${new URL(url).host} answered ${status}${limitEnds === undefined ? '' : ` (rate limit${limitEnds})`}`)
    this.isPassing = limitEnds !== undefined || status >= 500
  }
}

type Ask = (path: string) => Promise<unknown>

/** Longest address of a run's page (its schema). */
const URL_LENGTH = 2048
const MOST = '100'

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
 * Reads how the runs for a commit stand, the first hundred of each kind.
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
  const [statuses, runs] = await Promise.allSettled([
    ask(`${of}/status?per_page=${MOST}`),
    ask(`${of}/check-runs?per_page=${MOST}`),
  ])
  const refused = [statuses, runs].flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []))
  const isPartly = refused.every((reason) => reason instanceof HostRefused && !reason.isPassing)
  if (refused.length === 2 || !isPartly) throw refused[0]
  return [
    ...(statuses.status === 'fulfilled' ? itemsOf(statuses.value, 'statuses') : []).map((item) => ({
      name: textOf(item, 'context'),
      state: toState(textOf(item, 'state')),
      page: textOf(item, 'target_url'),
    })),
    ...(runs.status === 'fulfilled' ? itemsOf(runs.value, 'check_runs') : []).map((item) => ({
      name: textOf(item, 'name'),
      state: textOf(item, 'status') === 'completed' ? toState(textOf(item, 'conclusion')) : 'Pending',
      page: textOf(item, 'html_url'),
    })),
  ]
}

/** The last job of each name, and statuses of others. docs.gitlab.com/api/commits */
async function ofGitLab(ask: Ask, path: string, commit: string): Promise<readonly FoundRun[]> {
  const body = await ask(`/projects/${encodeURIComponent(path)}/repository/commits/${commit}/statuses?per_page=${MOST}`)
  return itemsOf(body).map((item) => {
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
  const body = await ask(`/repos/${encodePath(path)}/commits/${commit}/status?limit=${MOST}`)
  return itemsOf(body, 'statuses').map((item) => ({
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
