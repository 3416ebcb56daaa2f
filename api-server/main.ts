import { setMaxListeners } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { hostname } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { MIRRORS_PATH } from '../core/execution/layout.ts'
import { makeId as createId, readableId } from '../core/ids.ts'
import { SIGN_IN_COOKIE } from '../core/names.ts'
import type { VersionRecord } from '../core/rest/records/server.ts'
import { createEventRecorder } from '../kube/events.ts'
import { createOutageLog } from '../kube/outage.ts'
import { watchReachability } from '../kube/reachability.ts'
import { AGENTS } from '../kube/resources.ts'
import type { SharedObjects } from '../kube/shared-objects.ts'
import type { KubeClient } from '../kube/types.ts'
import { watchRights } from '../kube/watch-rights.ts'
import { type Clock, delay } from '../lib/clock.ts'
import { type ConnectionBudget, createConnectionBudget } from '../lib/connection-budget.ts'
import { requireLoopback } from '../lib/address-rule.ts'
import type { GitUser } from '../lib/git-session.ts'
import { listeningUrl } from '../lib/listen.ts'
import { openArchive } from '../lib/archive/archive.ts'
import type { Logger } from '../lib/log.ts'
import type { OidcSettings } from '../lib/oidc-config.ts'
import { NO_METRICS } from '../lib/metrics.ts'
import { proxyVariables } from '../lib/proxy-variables.ts'
import { createAccess } from './auth/access.ts'
import { type Authorization, createAuthorization } from './auth/authorization.ts'
import { createCookie } from './auth/cookies.ts'
import { type Oidc, createOidc } from './auth/oidc.ts'
import { createApp } from './app.ts'
import { type ApprovalOptions, type Approvals, createApprovals } from './approval/approvals.ts'
import { createQueries } from './queries/queries.ts'
import { type Caches, createCaches } from './cache/caches.ts'
import { createArchivePages } from './records/archive-pages.ts'
import { createStatistics } from './cache/statistics.ts'
import { createClientAddress } from './http/client-address.ts'
import { type Deployments, createDeployments } from './deployment/deployment.ts'
import type { Reach } from './deployment/remote.ts'
import { createRepositoryTrials } from './deployment/try-repository.ts'
import { type HttpLimits, HTTP_LIMITS } from './http/server.ts'
import { createDropFolder } from './drops/folder.ts'
import { createFreshness } from './cache/freshness.ts'
import type { FindPrograms } from './handlers/agents-status.ts'
import { createHandlers } from './handlers/all.ts'
import { createHub } from './live/hub.ts'
import { type PublishRecordsOptions, publishRecords } from './live/publish-records.ts'
import { type PublishTasksOptions, publishTasks } from './live/publish-tasks.ts'
import { createLogs } from './logs/logs.ts'
import { createStreams } from './streams/streams.ts'
import { createLiveConnections } from './live/websocket.ts'
import { closeServer, listen, ownUrl } from './http/listening.ts'
import { type ApiMetrics, createApiMetrics } from './metrics.ts'
import { createPreconditions } from './records/preconditions.ts'
import type { PushOutcome } from './push/delivery.ts'
import { type Push, type PushOptions, type PushSettings, createPush } from './push/push.ts'
import { createSessions } from './auth/sessions.ts'
import { createStoryView } from './records/story-view.ts'
import { createScripts } from './scripts/runner.ts'
import { createTaskView } from './records/task-view.ts'
import { createWebhookSignature } from './webhook/signature.ts'
import { type TokenSource, createTokens } from './auth/tokens.ts'
import { createTokenReviews } from './auth/token-reviews.ts'

/** What an API server is given; it reads no environment and no configuration of its own. */
export interface ApiServerOptions {
  readonly client: KubeClient
  /** With the other caches of this process; absent: with none. */
  readonly shared?: SharedObjects | undefined
  /** The one namespace that this server serves. */
  readonly namespace: string
  /** Absolute path of the data volume. */
  readonly volumeRoot: string
  readonly workspaceRoot: string
  readonly host: string
  /** 0: any free port. */
  readonly port: number
  /** A token that may do everything. */
  readonly token?: string | undefined
  /** Key of the signatures of incoming webhooks. */
  readonly webhookSecret?: string | undefined
  /** Folder of scripts; none: the built-in ones only. */
  readonly scriptsDir?: string | undefined
  readonly deployCommand?: string | undefined
  /** Five minutes unless given. */
  readonly scriptTimeoutMs?: number
  /** PATH of scripts; the system's usual folders unless given. */
  readonly path?: string | undefined
  /** Tokens with names and scopes. */
  readonly tokens?: readonly TokenSource[] | undefined
  /** Absent: nobody is known by what Kubernetes says of them. */
  readonly identity?: IdentityOptions | undefined
  readonly publicUrl?: string | undefined
  readonly allowedHosts?: readonly string[] | undefined
  /** Addresses and ranges whose `X-Forwarded-For` is believed. */
  readonly trustedProxies?: readonly string[] | undefined
  /** How much and how slowly clients may send; left out: {@link HTTP_LIMITS}. */
  readonly httpLimits?: HttpLimits
  /** An accept needs somebody else than the author; absent: it does not. */
  readonly fourEyes?: boolean
  /** What branches of tasks without a story begin with; absent: the usual. */
  readonly branchPrefix?: string
  /** True: serve beyond loopback even without a token. */
  readonly insecure: boolean
  readonly version: VersionRecord
  /** Absolute path of the files of the page at /api/docs, as the build put them together. */
  readonly apiDocsFolder: string
  /** Absolute path of the browser UI, as the build put it together. */
  readonly uiFolder: string
  readonly embedded: boolean
  /** Why the control plane takes no writes now, for /readyz; undefined when it does. Absent: it cannot be asked. */
  readonly writeProblem?: (() => Promise<string | undefined>) | undefined
  /** What waits for a person though everything is served, for /readyz; absent: nothing can. */
  readonly heldReason?: (() => string | undefined) | undefined
  /** Why no task starts, whatever stands in the queues; absent: it is not known. */
  readonly idleReason?: (() => string | undefined) | undefined
  /** Whose git configuration and credentials may be used to read repositories; embedded only. */
  readonly gitUser?: GitUser | undefined
  /** Why no setup of a project runs here; absent: they do. */
  readonly environmentProblem?: string | undefined
  /** Absent: agents run where images bring their programs. */
  readonly findPrograms?: FindPrograms | undefined
  /** Environment that names proxies and certificates for requests to other servers. Absent: neither. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined
  /** Whether what deployment status reads may be on this machine or a private network; default: embedded only. */
  readonly allowPrivateAddresses?: boolean | undefined
  readonly clock: Clock
  readonly logger: Logger
  /** Where it measures itself; absent: nowhere. */
  readonly metrics?: ApiMetrics | undefined
  readonly randomBytes: (size: number) => Uint8Array
  /** Absent: the usual, with the key in a Secret. */
  readonly push?: PushSettings | undefined
  /** Text that the UI shows, such as the isolation in force. */
  readonly notice?: string | undefined
  /** Image of the agents that name none (core/environment/choose.ts); absent: there are no prepared environments. */
  readonly environmentImage?: string | undefined
  /** Largest drop file in bytes; 512 MiB unless given. */
  readonly maxDropBytes?: number
  /** True in tests and development: every response is checked against the route table, a misfit is a 500. */
  readonly checkResponses?: boolean
}

/** Ways to sign in beside our own tokens. */
export interface IdentityOptions {
  /** Tokens of the cluster, if they are for this audience. */
  readonly kubernetes?: { readonly audience: string } | undefined
  /** People of an OpenID provider; needs `publicUrl`. */
  readonly oidc?: OidcSettings | undefined
}

export interface ApiServer {
  /** Base URL without a slash at the end. */
  readonly url: string
  /** True once every cache holds the state of the control plane. */
  isReady(): boolean
  /** Refuses new requests, ends streams and WebSockets, waits for the requests under way. */
  stop(): Promise<void>
}

/** How long a start waits for the caches; after that it serves what needs none, and isReady says so. */
const SYNC_TIMEOUT_MS = 10_000

/**
 * Starts serving, and resolves when the caches are filled or after ten seconds without that.
 *
 * @throws Error EADDRINUSE when the port is taken; UnprotectedListen beyond loopback without token and `insecure`;
 *   TokenUnreadable; OidcFileUnreadable
 */
export async function startApiServer(given: ApiServerOptions): Promise<ApiServer> {
  const rights = watchRights(given.client, given.clock)
  const options = { ...given, client: rights.client }
  const hasTokens = options.token !== undefined || (options.tokens ?? []).length > 0
  const isProtected = hasTokens || Object.values(options.identity ?? {}).some((way) => way !== undefined)
  if (!isProtected && !options.insecure) await requireLoopback(options.host)
  const stopping = new AbortController()
  // Every cache listens for the end, and more besides: their number is no leak.
  setMaxListeners(0, stopping.signal)
  const parts = assemble(options, rights.refusal)
  await parts.drops.removeAbandoned()
  const server = await listen(parts, options)
  parts.own.url = ownUrl(server, options.host)
  showCounts(parts)
  const running = Promise.all([
    parts.run(stopping.signal),
    parts.push.run(stopping.signal),
    parts.approvals.run(stopping.signal),
    parts.caches.synced.then(() => parts.publish()),
  ])
  await Promise.race([parts.caches.synced, delay(options.clock, SYNC_TIMEOUT_MS)])
  return {
    url: listeningUrl(server, options.host),
    isReady: () => parts.caches.hasSynced(),
    async stop() {
      parts.streams.close()
      parts.live.close()
      await Promise.all([parts.queries.close(), parts.approvals.close()])
      await closeServer(server, options.clock)
      await parts.events.flush()
      stopping.abort()
      await running
      await parts.deployments.close()
    },
  }
}

function assembleApprovals(
  options: ApiServerOptions,
  parts: Pick<ApprovalOptions, 'caches' | 'events' | 'approver'>,
): Approvals {
  const makeId = (name: string): string => readableId(name, 'story', options.randomBytes(5))
  return createApprovals({ ...options, ...parts, makeId, isAlone: options.embedded })
}

function assemble(options: ApiServerOptions, findRefusal: () => string | undefined) {
  const { client, namespace, clock, logger, volumeRoot, randomBytes, environmentProblem } = options
  const random = (): number => (randomBytes(1)[0] ?? 0) / 256
  const outages = createOutageLog(clock, logger)
  const archive = openArchive(volumeRoot)
  const caches = createCaches({
    client,
    namespace,
    clock,
    logger,
    random,
    outages,
    fourEyes: options.fourEyes ?? false,
    archive,
    shared: options.shared,
  })
  const archivePages = createArchivePages({ archive, namespace, caches, logger })
  const statistics = createStatistics({ caches, archive, namespace, clock, logger })
  const ask = (signal: AbortSignal): Promise<unknown> => client.list(AGENTS, { namespace, limit: 1 }, { signal })
  const freshness = createFreshness({ caches, reachability: watchReachability({ ask, clock }), clock })
  const scheduling = caches.followScheduling(options.environmentImage)
  const deployments = assembleDeployments(options, caches)
  const tasks = createTaskView({ caches, scheduling, deployments, clock, idleReason: options.idleReason })
  const stories = createStoryView(caches)
  const streams = createStreams({ caches, volumeRoot, clock })
  const logs = createLogs({ volumeRoot, clock })
  const makeId = (kind: string): string => createId(kind, clock.now(), randomBytes(10))
  const queries = createQueries({ client, namespace, volumeRoot, caches, clock, logger, makeId })
  const metrics = options.metrics ?? createApiMetrics(NO_METRICS)
  const events = createEventRecorder({ client, component: 'slipway-api-server', clock, logger })
  const { bodiesBytes, connections } = options.httpLimits ?? HTTP_LIMITS
  const budget = assembleBudget(options, connections, metrics)
  const { access, authorization, ...signIn } = assembleAccess(options, budget)
  const epoch = Buffer.from(randomBytes(6)).toString('hex')
  const approvals = assembleApprovals(options, { caches, events, approver: epoch })
  const push = assemblePush(options, { caches, metrics, epoch, random, outages })
  const features = {
    statistics,
    archivePages,
    deployments,
    tasks,
    stories,
    queries,
    approvals,
    streams,
    logs,
    push,
    events,
  }
  const callers = { ...signIn, authorization }
  const intake = assembleIntake(options, authorization)
  const parts = { caches, freshness, scheduling, makeId, ...features, ...callers, ...intake }
  const handlers = createHandlers({ ...options, ...parts, findRefusal, preconditions: createPreconditions(caches) })
  const { hub, publish } = assembleLive({ ...parts, clock, epoch, environmentProblem })
  /** What goes on beside requests, until `signal` aborts. */
  const run = async (signal: AbortSignal): Promise<void> => {
    const following = caches.run(signal)
    await caches.synced
    const fresh = freshness.run(signal, () => hub.publish('resync', {}))
    await Promise.all([following, fresh, deployments.runSweep(signal), statistics.run(signal)])
  }
  const live = createLiveConnections({ access, authorization, hub, clock })
  const app = createApp({
    bodiesBytes,
    handlers,
    access,
    authorization,
    clientAddress: createClientAddress(options.trustedProxies ?? []),
    publicUrl: options.publicUrl,
    clock,
    logger,
    makeRequestId: counter('request', epoch),
    isReady: () => caches.hasSynced(),
    isStale: () => freshness.staleReason() !== undefined,
    checkResponses: options.checkResponses ?? false,
    metrics,
    uiFolder: options.uiFolder,
  })
  return { ...parts, app, budget, publish, run, live, metrics }
}

function assembleBudget({ clock, logger }: ApiServerOptions, connections: number, metrics: ApiMetrics) {
  return createConnectionBudget({
    connections,
    clock,
    onClosed: (count) => metrics.connectionsClosed.add({}, count),
    onFull: (limit) => logger.warn({ connections: limit }, 'connections are running out: idle ones are being closed'),
  })
}

function reachOf(options: ApiServerOptions): Reach {
  const { gitUser, embedded, allowPrivateAddresses = embedded, env = {}, volumeRoot } = options
  const trust = { env, tmp: join(volumeRoot, MIRRORS_PATH) }
  return { user: gitUser, allowPrivate: allowPrivateAddresses, proxies: proxyVariables(env), trust }
}

function assembleDeployments(options: ApiServerOptions, caches: Caches): Deployments {
  const { version, volumeRoot, clock, logger } = options
  return createDeployments({
    caches,
    ownCommit: version.commit,
    folder: join(volumeRoot, MIRRORS_PATH),
    reach: reachOf(options),
    clock,
    logger,
  })
}

function assembleLive({
  epoch,
  ...sources
}: Omit<PublishRecordsOptions & PublishTasksOptions, 'hub'> & { readonly epoch: string }) {
  const hub = createHub({ clock: sources.clock, epoch })
  const publish = (): void => {
    publishRecords({ ...sources, hub })
    publishTasks({ ...sources, hub })
  }
  return { hub, publish }
}

function assembleAccess(options: ApiServerOptions, budget: ConnectionBudget) {
  const { client, clock, publicUrl, identity } = options
  const tokens = createTokens(options)
  const isSecure = publicUrl?.startsWith('https:') === true
  const oidc = assembleOidc(options)
  const sessions = createSessions({ tokens, clock, isSecure, oidc })
  const flowCookie = createCookie({ name: SIGN_IN_COOKIE, isSecure, sameSite: 'Lax' })
  const onProven = ({ socket }: IncomingMessage): void => budget.trust(socket)
  const reviews = identity?.kubernetes && createTokenReviews({ client, clock, ...identity.kubernetes })
  const access = createAccess({ ...options, tokens, sessions, reviews, oidc, onProven })
  return { tokens, sessions, oidc, flowCookie, access, authorization: createAuthorization(options) }
}

function assembleOidc({ identity, publicUrl, clock, randomBytes, env = {} }: ApiServerOptions): Oidc | undefined {
  const settings = identity?.oidc
  if (settings === undefined || publicUrl === undefined) return undefined
  const hasSubjects = identity?.kubernetes !== undefined
  return createOidc({ settings, publicUrl, hasSubjects, clock, randomBytes, proxies: proxyVariables(env) })
}

/** What takes files, events and orders from outside; `own.url` is filled in once the server listens. */
function assembleIntake(options: ApiServerOptions, authorization: Authorization) {
  const own = { url: '' }
  return {
    own,
    drops: createDropFolder(options),
    webhookSignature: createWebhookSignature(options.webhookSecret, authorization),
    scripts: createScripts(options),
    repositoryTrials: createRepositoryTrials(reachOf(options), options.clock),
    serverUrl: () => own.url,
  }
}

interface PushParts extends Pick<PushOptions, 'caches' | 'random' | 'outages'> {
  readonly metrics: ApiMetrics
  readonly epoch: string
}

function assemblePush(options: ApiServerOptions, { metrics, epoch, ...parts }: PushParts): Push {
  const identity = `${hostname()}-${process.pid}-${epoch}`
  const settings = { onOutcome: (outcome: PushOutcome) => metrics.pushes.add({ outcome }), ...options.push }
  const proxies = proxyVariables(options.env ?? {})
  return createPush({ ...options, ...parts, settings, identity, proxies })
}

/** Once it listens: a start that found its port taken is tried again with the same metrics. */
function showCounts({ metrics, live, streams }: ReturnType<typeof assemble>): void {
  let droppedBefore = 0
  metrics.onScrape(() => {
    const { clients, dropped } = live.counts()
    metrics.liveClients.set({}, clients)
    metrics.liveDropped.add({}, dropped - droppedBefore)
    droppedBefore = dropped
    metrics.streams.set({}, streams.count())
  })
}

/** Ids that are unique to this run of the server, and cheap: every request gets one. */
function counter(kind: string, epoch: string): () => string {
  let count = 0
  return () => `${kind}-${epoch}-${(count += 1)}`
}
