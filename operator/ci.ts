/**
 * Asks the hosts of repositories what their CI says of work that waits for a person, or that a pull request was opened
 * of, and keeps it in the status of the task.
 *
 * It stands beside the controllers: a host that hangs holds no reconcile. At most four hosts are asked at once, each for
 * ten seconds; one that fails is left alone for longer each time. A host is asked only with the token of a git Secret
 * that is for it, so whoever may write a project alone cannot have us call an address of theirs; the token goes into
 * the request and nowhere else.
 */
import { type CiSubject, ciAgeMs, ciOf, findCiSubject, nextCiLookMs, toCiReport } from '../core/task/ci.ts'
import type { Task } from '../core/crd/types.ts'
import { SECRETS } from '../kube/resources.ts'
import { isConflict, type KubeObject } from '../kube/types.ts'
import { forEachAtOnce } from '../lib/async.ts'
import { allAuthorities } from '../lib/authorities.ts'
import { delay } from '../lib/clock.ts'
import { findHostApi, type HostApi, HostUnanswered, mayReceiveToken } from '../lib/host-api.ts'
import { HostRefused, readRuns } from '../lib/host-runs.ts'
import { findGitUrl, isSameRepository, parseGitUrl } from '../lib/git-url.ts'
import type { Logger } from '../lib/log.ts'
import type { WayOut } from '../lib/outbound.ts'
import { proxyVariables } from '../lib/proxy-variables.ts'
import { parseUrl } from '../lib/url.ts'
import { applyStep } from './apply.ts'
import type { OperatorContext, ServedNamespace } from './context.ts'
import { findGitSource } from './execution/git-source.ts'

export interface CiWatchOptions {
  readonly served: readonly ServedNamespace[]
  readonly clock: OperatorContext['clock']
  readonly logger: Logger
  /** Environment that names proxies and certificates for requests to hosts. */
  readonly env: Readonly<Record<string, string | undefined>>
}

const PASS_MS = 10_000
const MAX_AT_ONCE = 4
const TIMEOUT_MS = 10_000
/** For how long a host that failed is left alone: the first time, the second, and from then on. */
const PAUSES_MS = [60_000, 300_000, 1_200_000]
/** The part of a token's limit that is left to whoever delivers with it. */
const KEPT_QUOTA = 0.5

interface Look {
  readonly commit: string
  readonly at: number
}

interface Pause {
  readonly until: number
  readonly failures: number
}

/** What is remembered between passes; a restart begins anew, and the age of a commit bounds that. */
interface Memory {
  /** When each task is asked about next, by uid. */
  readonly looks: Map<string, Look>
  /** By host, by token where its limit is reached, or by repository where that alone is refused. */
  readonly pauses: Map<string, Pause>
  /** By project, the malformed URL of an API that was told of. */
  readonly malformed: Map<string, string>
}

/** Until `ended` aborts; for the operator that leads, whose caches are filled. */
export async function runCiWatch(options: CiWatchOptions, ended: AbortSignal): Promise<void> {
  const pass = createCiPass(options)
  while (!ended.aborted) {
    await pass(ended)
    await delay(options.clock, PASS_MS, ended)
  }
}

/** Asks about each task whose time has come, once for each call; ends within some ten seconds for every four that are asked about. */
export function createCiPass(options: CiWatchOptions): (ended: AbortSignal) => Promise<void> {
  const { served, logger } = options
  const memory: Memory = { looks: new Map(), pauses: new Map(), malformed: new Map() }
  return async (ended) => {
    forget(memory, served)
    const due = served.flatMap(({ namespace, context }) => findDue(memory, namespace, context))
    await forEachAtOnce(due, MAX_AT_ONCE, async (one) => {
      if (ended.aborted) return
      try {
        await lookAt(one, memory, options, ended)
      } catch (error) {
        if (!ended.aborted) logger.warn({ error, task: one.task.metadata.name }, 'the CI of a task is not known')
      }
    })
  }
}

interface Due {
  readonly context: OperatorContext
  readonly task: Task
  readonly subject: CiSubject
}

function findDue({ looks }: Memory, namespace: string, context: OperatorContext): readonly Due[] {
  const now = context.clock.now()
  const concerned = context.views.tasks.list(namespace).flatMap((task) => {
    const subject = task.spec.project === undefined ? undefined : findCiSubject(task)
    const isOver = subject === undefined || nextCiLookMs(ciAgeMs(subject, now), ciOf(task)?.state) === undefined
    return isOver ? [] : [{ context, task, subject }]
  })
  return concerned.filter(({ task, subject }) => {
    const look = looks.get(task.metadata.uid ?? '')
    return look === undefined || look.commit !== subject.commit || look.at <= now.getTime()
  })
}

/** Forgets tasks and projects that are gone. */
function forget({ looks, malformed }: Memory, served: CiWatchOptions['served']): void {
  const keep = (map: Map<string, unknown>, found: readonly KubeObject[]): void => {
    const uids = new Set(found.map(({ metadata }) => metadata.uid))
    for (const uid of map.keys()) if (!uids.has(uid)) map.delete(uid)
  }
  const listAll = (kind: 'tasks' | 'projects') =>
    served.flatMap(({ namespace, context }): readonly KubeObject[] => context.views[kind].list(namespace))
  keep(looks, listAll('tasks'))
  keep(malformed, listAll('projects'))
}

async function lookAt(due: Due, memory: Memory, options: CiWatchOptions, ended: AbortSignal): Promise<void> {
  const { context, task, subject } = due
  const { clock, logger } = options
  const plan = (state = ciOf(task)?.state): void => {
    const now = clock.now()
    const waitMs = nextCiLookMs(ciAgeMs(subject, now), state) ?? PAUSES_MS[2] ?? 0
    memory.looks.set(task.metadata.uid ?? '', { commit: subject.commit, at: now.getTime() + waitMs })
  }
  plan()
  const host = await findHost(context, task, options, memory)
  if (host === undefined) return
  const { api, login } = host
  const origin = new URL(api.apiUrl).origin
  // What one login is refused says nothing of another one.
  const keys = { host: origin, login: `${origin} ${login}`, repository: `${api.apiUrl} ${api.path} ${login}` }
  if (Object.values(keys).some((key) => isPaused(memory, key, clock.now()))) return
  const timer = new AbortController()
  const cancel = clock.schedule(TIMEOUT_MS, () => timer.abort(new HostUnanswered(`no answer within ${TIMEOUT_MS} ms`)))
  try {
    const signal = AbortSignal.any([ended, timer.signal])
    let left = 1
    const onQuota = (share: number): void => void (left = Math.min(left, share))
    const runs = await readRuns(api, subject.commit, { token: host.token, signal, way: host.way, onQuota })
    const isScarce = left < KEPT_QUOTA
    for (const key of Object.values(keys)) if (!isScarce || key !== keys.login) memory.pauses.delete(key)
    if (isScarce && !isPaused(memory, keys.login, clock.now())) pauseAfter(memory, keys.login, clock.now())
    const report = await keep(due, runs, ended)
    plan(report?.state)
  } catch (error) {
    const isKnown = error instanceof HostUnanswered || error instanceof HostRefused
    if (ended.aborted || !isKnown) throw error
    // Of those that were asked at the same time the first one counts: the others say the same.
    const key = keys[error.scope]
    if (isPaused(memory, key, clock.now())) return
    // No warning: work goes on as it does without a CI.
    if (pauseAfter(memory, key, clock.now()).failures === 1)
      logger.info({ error, host: origin, repository: api.path }, 'a host was asked for its CI in vain')
  } finally {
    cancel()
  }
}

function isPaused({ pauses }: Memory, key: string, now: Date): boolean {
  return (pauses.get(key)?.until ?? 0) > now.getTime()
}

function pauseAfter({ pauses }: Memory, key: string, now: Date): Pause {
  const failures = (pauses.get(key)?.failures ?? 0) + 1
  const waitMs = PAUSES_MS[Math.min(failures, PAUSES_MS.length) - 1] ?? 0
  const pause = { failures, until: now.getTime() + waitMs }
  pauses.set(key, pause)
  return pause
}

const MALFORMED = 'the CI of a project is asked of nobody: its host.apiUrl is malformed; correct it'

interface UsableHost {
  readonly api: HostApi
  readonly token: string
  /** Names the Secret that the token is of. */
  readonly login: string
  readonly way: WayOut
}

/** The host of a task's repository and the token for it; undefined where one of them is missing: then nobody is asked. */
async function findHost(
  context: OperatorContext,
  task: Task,
  { env, logger }: CiWatchOptions,
  { malformed }: Memory,
): Promise<UsableHost | undefined> {
  const { namespace } = task.metadata
  const project = context.views.projects.get({ namespace, name: task.spec.project ?? '' })
  const url = task.spec.repositoryUrl ?? project?.spec.remoteUrl
  if (project === undefined || url === undefined) return undefined
  const source = await findGitSource(context, { namespace, url: task.spec.repositoryUrl, project })
  if (source.kind === 'refused' || source.secret === undefined) return undefined
  // A task may name a repository elsewhere, of which the project's API knows nothing.
  const api = findHostApi(url, isSameRepository(url, project.spec.remoteUrl) ? project.spec.host : {})
  if (api === undefined) return undefined
  const { name, uid = '' } = project.metadata
  if (parseUrl(api.apiUrl) === undefined || findGitUrl(api.apiUrl) === undefined) {
    // The definition of projects refuses most of them; an older one did not.
    if (malformed.get(uid) !== api.apiUrl) logger.warn({ namespace, project: name }, MALFORMED)
    malformed.set(uid, api.apiUrl)
    return undefined
  }
  if (!mayReceiveToken(api.apiUrl, source.secret.host)) return undefined
  const secret = await context.client.find(SECRETS, { namespace, name: source.secret.name })
  const password = secret?.data?.['password']
  if (password === undefined) return undefined
  const token = Buffer.from(password, 'base64').toString('utf8').trim()
  // Node refuses a header with such characters, and its words would hold the token.
  if (!/^[\x21-\x7e]+$/.test(token)) return undefined
  const isOwnHost = new URL(api.apiUrl).hostname === parseGitUrl(url).host.replace(/:\d+$/, '')
  const bundle = isOwnHost ? source.caBundle : undefined
  const ca = bundle === undefined ? undefined : await allAuthorities({ env }, bundle)
  return { api, token, login: `${namespace ?? ''}/${source.secret.name}`, way: { proxies: proxyVariables(env), ca } }
}

/** Writes what has changed, unless the task is at another commit by now. What a conflict prevents is written the next time. */
async function keep(
  { context, task, subject }: Due,
  runs: Parameters<typeof toCiReport>[1],
  ended: AbortSignal,
): Promise<ReturnType<typeof toCiReport>> {
  const { namespace, name } = task.metadata
  const current = context.views.tasks.get({ namespace, name })
  if (current === undefined || findCiSubject(current)?.commit !== subject.commit) return undefined
  const before = ciOf(current)
  const ci = toCiReport(subject.commit, runs, before, context.clock.now())
  if (ci === undefined || ci === before) return ci
  try {
    await applyStep(context, [{ kind: 'writeTask', task: current, status: { ...current.status, ci } }], ended)
  } catch (error) {
    if (!isConflict(error)) throw error
  }
  return ci
}
