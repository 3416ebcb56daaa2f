/**
 * Events of a code-hosting service, as far as a fix-up task needs them: GitHub's `check_run` and `workflow_run`, which
 * others (Gitea, Forgejo) send in the same shape. Whatever is read here was written by strangers: names, texts and
 * URLs are data, and nothing is taken for granted but what this file looks at.
 *
 * Source: GitHub's webhook reference, "check_run" and "workflow_run"; specification §8.31.
 */
import { type JsonObject, isJsonObject } from '../json.ts'
import { trimEndOf } from '../trim.ts'

/** A run that failed, with what its event tells about it. */
export interface CiFailure {
  readonly kind: 'check_run' | 'workflow_run'
  /** Decimal digits. */
  readonly id: string
  readonly attempt: number
  /** The check, or the workflow. */
  readonly name: string
  readonly conclusion: string
  readonly commit: string
  readonly repository: CiRepository
  /** Lines of facts for people, label first; only those that the event carries. */
  readonly facts: readonly (readonly [label: string, value: string])[]
  /** What the failing step reported, in its own words. */
  readonly report?: string
  readonly branch?: string
  /** The code is a fork's, or nobody can tell whose it is; its repository as far as the event names it. */
  readonly fork?: string
}

export interface CiRepository {
  /** Last segment of its path. */
  readonly name: string
  /** Where it can be cloned from, best first; never checked yet. */
  readonly urls: readonly string[]
  readonly defaultBranch?: string
}

export type CiEvent =
  | { readonly kind: 'ignored' }
  | { readonly kind: 'failed'; readonly failure: CiFailure }
  /** Not such an event, or one without a part that is needed. */
  | { readonly kind: 'unreadable'; readonly message: string }

/** Conclusions that somebody must look at; any other (success, skipped, neutral, cancelled, stale) is none. */
const FAILURES: readonly string[] = ['failure', 'timed_out', 'startup_failure', 'action_required']

const KINDS = ['check_run', 'workflow_run'] as const

/**
 * What an event means.
 *
 * @param name of `X-GitHub-Event`; without one the body's shape decides
 */
export function readCiEvent(name: string | undefined, body: unknown): CiEvent {
  if (!isJsonObject(body)) return { kind: 'unreadable', message: 'the body must be a JSON object' }
  const kind = KINDS.find((known) => (name === undefined ? isJsonObject(body[known]) : name === known))
  if (kind === undefined)
    return name !== undefined || isPing(body) ? { kind: 'ignored' } : unreadable('check_run or workflow_run')
  const run = body[kind]
  if (!isJsonObject(run)) return unreadable(kind)
  const isCompleted = body['action'] === 'completed' && (run['status'] ?? 'completed') === 'completed'
  const conclusion = text(run['conclusion'])
  if (!isCompleted || conclusion === undefined || !FAILURES.includes(conclusion)) return { kind: 'ignored' }
  return readFailure(kind, conclusion, run, body)
}

function isPing(body: JsonObject): boolean {
  return typeof body['zen'] === 'string' && body['hook_id'] !== undefined
}

function readFailure(kind: CiFailure['kind'], conclusion: string, run: JsonObject, body: JsonObject): CiEvent {
  const id = digits(run['id'])
  const commit = text(run['head_sha'])
  const repository = readRepository(body['repository'])
  if (id === undefined) return unreadable(`${kind}.id`)
  if (commit === undefined || !/^[0-9a-f]{7,64}$/i.test(commit)) return unreadable(`${kind}.head_sha`)
  if (repository === undefined) return unreadable('repository.name')
  const branch = line(kind === 'check_run' ? at(run, 'check_suite', 'head_branch') : run['head_branch'])
  const fork = findFork(kind, run, body['repository'])
  const optional = { ...(branch && { branch }), ...(fork && { fork }) }
  const common = { kind, id, conclusion, commit: commit.toLowerCase(), repository, ...optional }
  const failure = kind === 'check_run' ? readCheckRun(run) : readWorkflowRun(run)
  const whoSent = fact('Sent by', at(body, 'sender', 'login'))
  return { kind: 'failed', failure: { ...common, ...failure, facts: [...failure.facts, ...whoSent] } }
}

const UNKNOWN_FORK = 'a repository that the event does not name'

/**
 * The fork whose code a run was of. A workflow run names its head repository. Of a check run only its pull requests and
 * its branch tell: GitHub names no branch for the code of a fork. What nobody can tell counts as a fork's.
 */
function findFork(kind: CiFailure['kind'], run: JsonObject, own: unknown): string | undefined {
  const suite = isJsonObject(run['check_suite']) ? run['check_suite'] : undefined
  const pulls = [run['pull_requests'], suite?.['pull_requests']].flatMap((list) => (Array.isArray(list) ? list : []))
  const heads = pulls.filter(isJsonObject).map((pull) => at(pull, 'head', 'repo'))
  const isPull = kind === 'workflow_run' && String(run['event']).startsWith('pull_request')
  const named = run['head_repository'] === undefined ? heads : [run['head_repository']]
  const foreign = named.find((repository) => !isSameRepository(repository, own))
  if (foreign !== undefined) return repositoryName(foreign)
  const isUnknown = kind === 'check_run' ? suite !== undefined && !line(suite['head_branch']) : isPull && !named.length
  return isUnknown ? UNKNOWN_FORK : undefined
}

function isSameRepository(one: unknown, other: unknown): boolean {
  if (!isJsonObject(one) || !isJsonObject(other)) return false
  const key = ['id', 'full_name'].find((name) => one[name] !== undefined && other[name] !== undefined)
  return key !== undefined && String(one[key]).toLowerCase() === String(other[key]).toLowerCase()
}

function repositoryName(repository: unknown): string {
  const { full_name: fullName, name } = isJsonObject(repository) ? repository : {}
  return line(fullName) ?? line(name) ?? UNKNOWN_FORK
}

type Particulars = Pick<CiFailure, 'attempt' | 'name' | 'facts' | 'report'>

/** A check run is made anew when it is run again, so its id alone tells attempts apart. */
function readCheckRun(run: JsonObject): Particulars {
  const output = isJsonObject(run['output']) ? run['output'] : {}
  const report = [output['title'], output['summary'], output['text']].flatMap((part) => text(part) ?? []).join('\n\n')
  const annotations = Number(output['annotations_count'] ?? 0) > 0 ? fact('Annotations', output['annotations_url']) : []
  return {
    attempt: 1,
    name: line(run['name']) ?? 'check',
    facts: [
      ...fact('Job', run['name']),
      ...fact('App', at(run, 'app', 'name')),
      ...fact('Page', run['html_url']),
      ...fact('Details', run['details_url']),
      ...annotations,
      ...fact('Completed', run['completed_at']),
    ],
    ...(report === '' ? {} : { report }),
  }
}

function readWorkflowRun(run: JsonObject): Particulars {
  const attempt = Number(run['run_attempt'] ?? 1)
  const message = text(at(run, 'head_commit', 'message'))
  return {
    attempt: Number.isSafeInteger(attempt) && attempt > 0 ? attempt : 1,
    name: line(run['name']) ?? 'workflow',
    facts: [
      ...fact('Workflow', run['name']),
      ...fact('File', run['path']),
      ...fact('Run', run['run_number']),
      ...fact('Attempt', run['run_attempt']),
      ...fact('Title', run['display_title']),
      ...fact('Caused by', run['event']),
      ...fact('Actor', at(run, 'actor', 'login')),
      ...fact('Head repository', at(run, 'head_repository', 'full_name')),
      ...fact('Commit message', message?.split('\n')[0]),
      ...fact('Page', run['html_url']),
      ...fact('Jobs', run['jobs_url']),
      ...fact('Logs', run['logs_url']),
    ],
  }
}

function readRepository(value: unknown): CiRepository | undefined {
  if (!isJsonObject(value)) return undefined
  const fullName = line(value['full_name'])
  const name = line(value['name']) ?? fullName?.split('/').pop()
  if (name === undefined || name === '') return undefined
  const page = line(value['html_url'])
  const urls = [line(value['clone_url']), line(value['ssh_url']), page && `${trimEndOf(page, '/')}.git`]
  const defaultBranch = line(value['default_branch'])
  const named = urls.flatMap((url) => url || [])
  // Only an event without any URL leaves its host open.
  const guess = /^[\w.-]+\/[\w.-]+$/.test(fullName ?? '') ? [`https://github.com/${fullName}.git`] : []
  return { name, urls: named.length > 0 ? named : guess, ...(defaultBranch && { defaultBranch }) }
}

function at(value: JsonObject, first: string, second: string): unknown {
  const inner = value[first]
  return isJsonObject(inner) ? inner[second] : undefined
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

const MAX_LINE = 500

/** One line that can stand in a list: whatever it was meant to look like. */
function line(value: unknown): string | undefined {
  const shown = typeof value === 'number' ? String(value) : text(value)
  const cleaned = shown
    ?.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
    .slice(0, MAX_LINE)
  return cleaned === '' ? undefined : cleaned
}

function fact(label: string, value: unknown): (readonly [string, string])[] {
  const shown = line(value)
  return shown === undefined ? [] : [[label, shown]]
}

/** An id as digits, given as a number or as text. */
function digits(value: unknown): string | undefined {
  const shown = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : text(value)
  return shown !== undefined && /^\d{1,20}$/.test(shown) ? shown : undefined
}

function unreadable(what: string): CiEvent {
  return { kind: 'unreadable', message: `${what}: is required` }
}
