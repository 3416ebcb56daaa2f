/** The only list of settings: flags, variables, `slipway config`, `--help` and docs/configuration.md come from it. */
import { type Static, type TSchema, type TStringOptions, Type } from 'typebox'
import { ExecutionPods } from '../core/execution/pod-settings.ts'
import { asRecord } from '../core/json.ts'
import { BRANCH_PREFIX } from '../core/names.ts'
import { SCOPES } from '../core/rest/route.ts'
import { closed, maybe } from '../core/schema/fields.ts'
import { DEFAULT_DATA_DIR } from './config-place.ts'
import { GIT_HOST_PATTERN } from './git-host.ts'
import { LOG_FORMATS, LOG_LEVELS } from './log.ts'
import { OidcSettings } from './oidc-config.ts'

const choice = <const T extends string>(values: readonly T[], description: string, fallback: T) =>
  Type.Enum([...values], { description, default: fallback })

/** A token of its own for each person or program; see docs/access.md. */
const TokenEntry = closed({
  name: Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9_.@-]{0,62}$' }),
  token: maybe(Type.String({ minLength: 8, writeOnly: true })),
  tokenFile: maybe(Type.String({ pattern: '^/' })),
  scopes: Type.Array(Type.Enum([...SCOPES]), { minItems: 1, uniqueItems: true }),
})

/** For a git host from which projects without a Secret of their own, and tasks without a project, are cloned. */
const GitCredentials = closed({
  host: Type.String({ pattern: GIT_HOST_PATTERN }),
  secretName: Type.String({ minLength: 1, maxLength: 253 }),
})

export type GitCredentials = Static<typeof GitCredentials>

/** Ways to sign in beside tokens of our own; see docs/access.md. */
const Identity = closed({
  kubernetes: maybe(closed({ audience: Type.String({ minLength: 1, maxLength: 253 }) })),
  oidc: maybe(OidcSettings),
})

const text = (description: string, options: TStringOptions = {}) => Type.String({ description, ...options })
const flag = (description: string, fallback: boolean) => Type.Boolean({ description, default: fallback })
const days = (description: string, minimum = 1) => maybe(Type.Integer({ minimum, maximum: 36_500, description }))
const count = (description: string) => maybe(Type.Integer({ minimum: 0, maximum: 1_000_000, description }))

const QUANTITY_PATTERN = '^[1-9][0-9]{0,11}(k|Ki|M|Mi|G|Gi|T|Ti)?$'
const room = (description: string) => maybe(Type.String({ pattern: QUANTITY_PATTERN, description }))

/** What stays of finished tasks, in the cluster and in the archive; see docs/operate/history.md. */
const Retention = closed({
  closedDays: days('Of tasks that are COMPLETED or CANCELLED; default 30'),
  closedCount: count('The same, at most so many of a namespace; default 5000'),
  failedDays: days('Of tasks that FAILED, TIMED_OUT or exceeded their budget; default 90'),
  failedCount: count('The same, at most so many of a namespace; default 5000'),
  archiveDays: days('Of records in the archive, with logs and diffs; default for ever', 31),
  archiveCount: count('The same, at most so many of a namespace; default all'),
  reviewDays: days('Of clones and homes of READY tasks; default 14'),
  workspaceBytes: room('Of all clones and homes together, such as 50Gi; default half of the volume, 100Gi at most'),
  mirrorBytes: room(
    'Of all mirrors that clones borrow from, such as 20Gi; default a fifth of the volume, 20Gi at most',
  ),
  environmentDays: days('Of prepared environments that nobody uses; default 14'),
  environmentBytes: room('Of all prepared environments, such as 20Gi; default a tenth of the volume, 20Gi at most'),
})

/** `host:port`, an IPv6 address in brackets, the port at most 65535. */
const LISTEN_PATTERN = String.raw`^(\[[0-9a-fA-F:]+\]|[^:\s]+):0*([1-5]?[0-9]{1,4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5])$`

const SETTINGS = {
  listen: maybe(
    text('Address and port of the API server; default 127.0.0.1:8080, or the next free port when that one is taken', {
      pattern: LISTEN_PATTERN,
    }),
  ),
  metricsListen: maybe(
    text('Address and port of the Prometheus metrics, which ask for no token; default none are shown', {
      pattern: LISTEN_PATTERN,
    }),
  ),
  healthListen: text(
    'Address and port of /healthz and /readyz of `slipway operator`, which ask for no token; off: none',
    { default: '0.0.0.0:8081', pattern: `^(off|0)$|${LISTEN_PATTERN}` },
  ),
  dataDir: text('Folder of everything that Slipway keeps on this machine', { default: DEFAULT_DATA_DIR, minLength: 1 }),
  token: maybe(
    text('Bearer token that API and WebSocket clients must present; none: open on loopback', {
      minLength: 8,
      writeOnly: true,
    }),
  ),
  webhookSecret: maybe(
    text('Key of the signature that incoming webhooks must carry; none: they need the token where one is set', {
      minLength: 8,
      writeOnly: true,
    }),
  ),
  tokens: Type.Array(TokenEntry, {
    default: [],
    description: 'Tokens with names and scopes, as YAML or JSON: [{name, token or tokenFile, scopes}]',
  }),
  identity: Type.Object(Identity.properties, {
    additionalProperties: false,
    default: {},
    description:
      'Ways to sign in beside tokens, as YAML or JSON: {kubernetes: {audience}} accepts tokens of the cluster for that audience, {oidc: {issuer, clientId, …}} lets people sign in with OpenID Connect',
  }),
  admissionPolicies: flag(
    "The chart's admission policies are in force in the namespace: names in slipway.dev/by are proven and recorded",
    false,
  ),
  fourEyes: flag('Who authored a task or story may not accept it; needs admissionPolicies', false),
  branchPrefix: text(
    'What the branch of a task without a story begins with, before the name of the task; tasks that have pushed keep theirs',
    { default: BRANCH_PREFIX, minLength: 1, maxLength: 100 },
  ),
  hostCi: flag('Ask git hosts with the token of the git Secret how the CI of delivered work stands', true),
  insecure: flag('Listen beyond loopback although no token is set', false),
  publicUrl: maybe(text('URL that people reach the server under', { pattern: '^https?://' })),
  allowedHosts: Type.Array(Type.String(), {
    default: [],
    description: 'Host names accepted besides loopback and publicUrl; *.example.com: every name below example.com',
  }),
  trustedProxies: Type.Array(Type.String(), {
    default: [],
    description: 'Addresses and CIDR ranges of reverse proxies whose X-Forwarded-For is believed',
  }),
  allowPrivateAddresses: maybe(
    Type.Boolean({
      description:
        'Let deployment status read commit URLs and public repositories on this machine and private networks; default true embedded, false in a cluster',
    }),
  ),
  workspaceRoot: maybe(
    text('Folder whose sub-folders GET /api/workspaces lists; default /workspace, embedded <dataDir>/workspace'),
  ),
  scriptsDir: maybe(text('Folder with the scripts that POST /api/scripts/{name} runs; none: the built-in ones only')),
  deployCommand: maybe(text('Shell command that the script deploy runs; none: 409', { minLength: 1 })),
  runtime: choice(
    ['auto', 'bwrap', 'process'],
    'How the embedded node runs containers: in a bubblewrap sandbox, or as plain processes that isolate nothing. auto takes bubblewrap where it works, else plain processes for scripts and recordings only',
    'auto',
  ),
  toolFolders: Type.Array(Type.String({ pattern: '^/' }), {
    default: [],
    description:
      'Folders with tools, such as ~/.cargo/bin as an absolute path, that sandboxes of the embedded node show read-only; slipway doctor says which are missing',
  }),
  namespace: maybe(text('Namespace to serve; default that of the kubeconfig context, else default')),
  kubeconfig: maybe(text('Use the cluster of this kubeconfig in place of the embedded control plane')),
  image: text('Image of Slipway that Jobs on a cluster run', { default: 'slipway:latest', minLength: 1 }),
  volumeRoot: text('Where the data volume is mounted in a cluster', { default: '/slipway', pattern: '^/' }),
  volumeClaim: text('PersistentVolumeClaim of the namespace that is the data volume in a cluster', {
    default: 'slipway-data',
    minLength: 1,
    maxLength: 253,
  }),
  executionPods: Type.Object(ExecutionPods.properties, {
    additionalProperties: false,
    default: {},
    description:
      'Resources, user, variables, certificates, labels and placement of the pods that executions run in, as YAML or JSON; on one machine env and caBundle count',
  }),
  gitCredentials: Type.Array(GitCredentials, {
    default: [],
    description:
      'Secrets with the credentials of git hosts, for repositories whose project names none, as YAML or JSON: [{host, secretName}]',
  }),
  maxPushSize: text('Most that one push of an execution may send, and that one file in it may hold, such as 500Mi', {
    default: '1Gi',
    pattern: '^[1-9][0-9]{0,11}(k|Ki|M|Mi|G|Gi)?$',
  }),
  retention: Type.Object(Retention.properties, {
    additionalProperties: false,
    default: {},
    description:
      'When finished tasks leave the cluster for the archive on the data volume, as YAML or JSON: {closedDays: 30, closedCount: 5000, failedDays: 90, failedCount: 5000}, and, with archiveDays and archiveCount, the archive for good; reviewDays, workspaceBytes and mirrorBytes bound clones and mirrors, environmentDays and environmentBytes what setups have prepared',
  }),
  vapidPrivateKey: maybe(
    text(
      'Private key that push services know this server by (32 bytes, base64url); made at the first start and stored here or, in a cluster, in a Secret',
      { pattern: '^[A-Za-z0-9_-]{43}$', writeOnly: true },
    ),
  ),
  vapidSubject: maybe(
    text('How operators of push services can reach you, a mailto: or https: URL; default publicUrl where it is https', {
      pattern: '^(mailto:[^@\\s]+@[^@\\s]+|https://\\S+)$',
    }),
  ),
  pushPrivateEndpoints: flag(
    'Accept push endpoints at private addresses and over plain http, for a push service of your own',
    false,
  ),
  logLevel: choice(LOG_LEVELS, 'Least severe log line that is written, on stderr', 'warn'),
  logFormat: choice(
    LOG_FORMATS,
    'Form of log lines: for people (pretty) or programs (json); auto takes pretty on a terminal',
    'auto',
  ),
} as const satisfies Record<string, TSchema>

/** The schema of the whole; the build makes the check of it (config-validator.ts). */
export const Config = closed(SETTINGS)

export type Config = Static<typeof Config>

/** Key, flag, variable and text of each setting, for help and documentation. */
export interface Setting {
  readonly key: string
  readonly flag: string
  readonly variable: string
  /** `yaml`: a text that holds YAML, hence JSON too. */
  readonly kind: 'boolean' | 'list' | 'text' | 'yaml'
  readonly description: string
  readonly default?: unknown
  readonly secret: boolean
}

export const CONFIG_SETTINGS: readonly Setting[] = Object.entries<object>(SETTINGS).map(([key, schema]) => {
  const facts = new Map<string, unknown>(Object.entries(schema))
  return {
    key,
    flag: key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
    variable: `SLIPWAY_${key.replaceAll(/[A-Z]/g, '_$&').toUpperCase()}`,
    kind: kindOf(facts),
    description: String(facts.get('description')),
    default: facts.get('default'),
    secret: facts.get('writeOnly') === true,
  }
})

function kindOf(facts: ReadonlyMap<string, unknown>): Setting['kind'] {
  const type = facts.get('type')
  if (type === 'boolean') return 'boolean'
  if (type === 'object' || asRecord(facts.get('items'))['type'] === 'object') return 'yaml'
  return type === 'array' ? 'list' : 'text'
}
