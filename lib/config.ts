/**
 * One configuration: defaults, then the YAML file, then `SLIPWAY_…` variables, then flags; the later wins.
 *
 * The schema below is the only list of settings: flags, variables, `slipway config`, `--help` and docs/configuration.md
 * come from it. A key that nobody knows is an error that names it, because a misspelt `token` would leave a server open.
 */
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Static, TSchema } from 'typebox'
import { Type } from 'typebox'
import { parse } from 'yaml'
import { ExecutionPods, findVariableProblem } from '../core/execution/pod-settings.ts'
import { asRecord } from '../core/json.ts'
import { BRANCH_PREFIX, ownBranch } from '../core/names.ts'
import { findBranchNameProblem } from '../core/story/branch-name.ts'
import { storyBranch } from '../core/story/branch.ts'
import { SCOPES } from '../core/rest/route.ts'
import { isConfig } from './config-validator.ts'
import { findReadRisk, findWriteFault } from './file-mode.ts'
import { hasErrorCode } from './files.ts'
import { GIT_HOST_PATTERN } from './git-host.ts'
import { LOG_FORMATS, LOG_LEVELS } from './log.ts'
import { UNPROVEN_NAMES } from '../core/decision.ts'
import { findOidcProblem, OidcSettings } from './oidc-config.ts'
import { compileCheck } from './validate.ts'

const choice = <const T extends string>(values: readonly T[], description: string, fallback: T) =>
  Type.Enum([...values], { description, default: fallback })

/** A token of its own for each person or program; see docs/access.md. */
const TokenEntry = Type.Object(
  {
    name: Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9_.@-]{0,62}$' }),
    token: Type.Optional(Type.String({ minLength: 8, writeOnly: true })),
    tokenFile: Type.Optional(Type.String({ pattern: '^/' })),
    scopes: Type.Array(Type.Enum([...SCOPES]), { minItems: 1, uniqueItems: true }),
  },
  { additionalProperties: false },
)

/** Of a git host that projects without a Secret of their own, and tasks without a project, are cloned from. */
const GitCredentials = Type.Object(
  { host: Type.String({ pattern: GIT_HOST_PATTERN }), secretName: Type.String({ minLength: 1, maxLength: 253 }) },
  { additionalProperties: false },
)

export type GitCredentials = Static<typeof GitCredentials>

/** Ways to sign in beside tokens of our own; see docs/access.md. */
const Identity = Type.Object(
  {
    kubernetes: Type.Optional(
      Type.Object({ audience: Type.String({ minLength: 1, maxLength: 253 }) }, { additionalProperties: false }),
    ),
    oidc: Type.Optional(OidcSettings),
  },
  { additionalProperties: false },
)

const days = (description: string, minimum = 1) =>
  Type.Optional(Type.Integer({ minimum, maximum: 36_500, description }))
const count = (description: string) => Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000, description }))

/** What stays of finished tasks, in the cluster and in the archive; see docs/operate/history.md. */
const Retention = Type.Object(
  {
    closedDays: days('Of tasks that are COMPLETED or CANCELLED; default 30'),
    closedCount: count('The same, at most so many of a namespace; default 5000'),
    failedDays: days('Of tasks that FAILED, TIMED_OUT or exceeded their budget; default 90'),
    failedCount: count('The same, at most so many of a namespace; default 5000'),
    archiveDays: days('Of records in the archive, with logs and diffs; default for ever', 31),
    archiveCount: count('The same, at most so many of a namespace; default all'),
  },
  { additionalProperties: false },
)

/** `host:port`, an IPv6 address in brackets. */
const LISTEN_PATTERN = '^(\\[[0-9a-fA-F:]+\\]|[^:\\s]+):[0-9]{1,5}$'

const SETTINGS = {
  listen: Type.Optional(
    Type.String({
      description:
        'Address and port of the API server; default 127.0.0.1:8080, or the next free port when that one is taken',
      pattern: LISTEN_PATTERN,
    }),
  ),
  metricsListen: Type.Optional(
    Type.String({
      description: 'Address and port of the Prometheus metrics, which ask for no token; default none are shown',
      pattern: LISTEN_PATTERN,
    }),
  ),
  healthListen: Type.String({
    default: '0.0.0.0:8081',
    description: 'Address and port of /healthz and /readyz of `slipway operator`, which ask for no token; off: none',
    pattern: `^(off|0)$|${LISTEN_PATTERN}`,
  }),
  dataDir: Type.String({
    default: '.slipway',
    description: 'Folder of everything that Slipway keeps on this machine',
    minLength: 1,
  }),
  token: Type.Optional(
    Type.String({
      description: 'Bearer token that API and WebSocket clients must present; none: open on loopback',
      minLength: 8,
      writeOnly: true,
    }),
  ),
  webhookSecret: Type.Optional(
    Type.String({
      description: 'Key of the signature that incoming webhooks must carry; none: they need the token where one is set',
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
  admissionPolicies: Type.Boolean({
    default: false,
    description:
      "The chart's admission policies are in force in the namespace: names in slipway.dev/by are proven and recorded",
  }),
  fourEyes: Type.Boolean({
    default: false,
    description: 'Who authored a task or story may not accept it; needs admissionPolicies',
  }),
  branchPrefix: Type.String({
    default: BRANCH_PREFIX,
    description:
      'What the branch of a task without a story begins with, before the name of the task; tasks that have pushed keep theirs',
    minLength: 1,
    maxLength: 100,
  }),
  insecure: Type.Boolean({ default: false, description: 'Listen beyond loopback although no token is set' }),
  publicUrl: Type.Optional(
    Type.String({ description: 'URL that people reach the server under', pattern: '^https?://' }),
  ),
  allowedHosts: Type.Array(Type.String(), {
    default: [],
    description: 'Host names accepted besides loopback and publicUrl; *.example.com: every name below example.com',
  }),
  trustedProxies: Type.Array(Type.String(), {
    default: [],
    description: 'Addresses and CIDR ranges of reverse proxies whose X-Forwarded-For is believed',
  }),
  allowPrivateAddresses: Type.Optional(
    Type.Boolean({
      description:
        'Let deployment status read commit URLs and public repositories on this machine and private networks; default true embedded, false in a cluster',
    }),
  ),
  workspaceRoot: Type.Optional(
    Type.String({
      description:
        'Folder whose sub-folders GET /api/workspaces lists; default /workspace, embedded <dataDir>/workspace',
    }),
  ),
  scriptsDir: Type.Optional(
    Type.String({
      description: 'Folder with the scripts that POST /api/scripts/{name} runs; none: the built-in ones only',
    }),
  ),
  deployCommand: Type.Optional(
    Type.String({ description: 'Shell command that the script deploy runs; none: 409', minLength: 1 }),
  ),
  runtime: choice(
    ['auto', 'bwrap', 'process'],
    'How the embedded node runs containers: in a bubblewrap sandbox, or as plain processes that isolate nothing. auto takes bubblewrap where it works, else plain processes for the script agent only',
    'auto',
  ),
  toolFolders: Type.Array(Type.String({ pattern: '^/' }), {
    default: [],
    description:
      'Folders with tools, such as ~/.cargo/bin as an absolute path, that sandboxes of the embedded node show read-only; slipway doctor says which are missing',
  }),
  namespace: Type.Optional(
    Type.String({ description: 'Namespace to serve; default that of the kubeconfig context, else default' }),
  ),
  kubeconfig: Type.Optional(
    Type.String({ description: 'Use the cluster of this kubeconfig in place of the embedded control plane' }),
  ),
  image: Type.String({
    default: 'slipway:latest',
    description: 'Image of Slipway that Jobs on a cluster run',
    minLength: 1,
  }),
  volumeRoot: Type.String({
    default: '/slipway',
    description: 'Where the data volume is mounted in a cluster',
    pattern: '^/',
  }),
  volumeClaim: Type.String({
    default: 'slipway-data',
    description: 'PersistentVolumeClaim of the namespace that is the data volume in a cluster',
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
  maxPushSize: Type.String({
    default: '1Gi',
    description: 'Most that one push of an execution may send, and that one file in it may hold, such as 500Mi',
    pattern: '^[1-9][0-9]{0,11}(k|Ki|M|Mi|G|Gi)?$',
  }),
  retention: Type.Object(Retention.properties, {
    additionalProperties: false,
    default: {},
    description:
      'When finished tasks leave the cluster for the archive on the data volume, as YAML or JSON: {closedDays: 30, closedCount: 5000, failedDays: 90, failedCount: 5000}, and, with archiveDays and archiveCount, the archive for good',
  }),
  vapidPrivateKey: Type.Optional(
    Type.String({
      description:
        'Private key that push services know this server by (32 bytes, base64url); made at the first start and stored here or, in a cluster, in a Secret',
      pattern: '^[A-Za-z0-9_-]{43}$',
      writeOnly: true,
    }),
  ),
  vapidSubject: Type.Optional(
    Type.String({
      description:
        'How operators of push services can reach you, a mailto: or https: URL; default publicUrl where it is https',
      pattern: '^(mailto:[^@\\s]+@[^@\\s]+|https://\\S+)$',
    }),
  ),
  pushPrivateEndpoints: Type.Boolean({
    default: false,
    description: 'Accept push endpoints at private addresses and over plain http, for a push service of your own',
  }),
  logLevel: choice(LOG_LEVELS, 'Least severe log line that is written, on stderr', 'warn'),
  logFormat: choice(
    LOG_FORMATS,
    'Form of log lines: for people (pretty) or programs (json); auto takes pretty on a terminal',
    'auto',
  ),
} as const satisfies Record<string, TSchema>

/** The schema of the whole; `npm run generate` makes the check of it (config-validator.ts). */
export const Config = Type.Object(SETTINGS, { additionalProperties: false })

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

/** A setting that cannot be used; the message names the key and where it came from. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

const CONFIG_FILE = 'config.yaml'

/** Forms that people type, for those to whom a pattern says nothing. */
const FORMS: ReadonlyMap<string, string> = new Map([
  ['listen', 'an address and a port, such as 127.0.0.1:8080'],
  ['metricsListen', 'an address and a port, such as 127.0.0.1:9464'],
  ['healthListen', 'an address and a port, such as 0.0.0.0:8081, or off'],
  ['maxPushSize', 'a size such as 500Mi or 2Gi'],
  ['toolFolders', 'an absolute path, such as /home/me/.cargo/bin'],
  ['publicUrl', 'a URL that begins with http:// or https://'],
])

function inWords(field: string, message: string): string {
  const form = message.startsWith('must match pattern') ? FORMS.get(field.replace(/\[\d+\]$/, '')) : undefined
  return form === undefined ? message : `must be ${form}`
}

/** Where settings come from, strongest last. A flag that was not given is undefined. */
export interface ConfigSources {
  readonly flags: Readonly<Record<string, unknown>>
  readonly env: Readonly<Record<string, string | undefined>>
  /** Path given with `--config`; absent: `<dataDir>/config.yaml` when it exists. */
  readonly file?: string
}

const check = compileCheck(Config, isConfig)

/** Where the configuration file is, whether or not there is one. */
export function configPath(config: Config, file: string | undefined): string {
  return resolve(file ?? join(config.dataDir, CONFIG_FILE))
}

/**
 * Merges the sources into one configuration with absolute paths.
 *
 * @throws ConfigError for an unknown key, a value of the wrong form, or a file that cannot be read or that everybody can
 *   change
 */
export function loadConfig(sources: ConfigSources): Config {
  const strong = { ...fromEnvironment(sources.env), ...fromFlags(sources.flags) }
  const dataDir = resolve(String(strong['dataDir'] ?? CONFIG_SETTINGS.find(({ key }) => key === 'dataDir')?.default))
  const merged = { ...defaults(), ...fromFile(sources.file, join(dataDir, CONFIG_FILE)), ...strong }
  const checked = check(merged)
  if (!checked.ok) {
    throw new ConfigError(
      checked.problems.map(({ field, message }) => `configuration: ${field}: ${inWords(field, message)}`).join('\n'),
    )
  }
  checkTokens(checked.value)
  checkBranchPrefix(checked.value)
  const podProblem = findVariableProblem(checked.value.executionPods)
  const problem = podProblem === undefined ? findOidcProblem(checked.value) : `executionPods.${podProblem}`
  if (problem !== undefined) throw new ConfigError(`configuration: ${problem}`)
  return { ...checked.value, dataDir: resolve(checked.value.dataDir) }
}

/**
 * The keys that whoever runs the program has set: by flag, by variable, and in a file or data folder that they named. What
 * stands in a file that was only found may be somebody else's, as a clone of a repository is.
 */
export function chosenSettings({ flags, env, file }: ConfigSources): ReadonlySet<string> {
  const strong = { ...fromEnvironment(env), ...fromFlags(flags) }
  const folder = strong['dataDir']
  const isNamed = file !== undefined || folder !== undefined
  const written = isNamed ? fromFile(file, join(resolve(String(folder)), CONFIG_FILE)) : {}
  return new Set(Object.keys({ ...written, ...strong }))
}

/** The configuration as people may see it: secrets replaced. */
export function redactConfig(config: Config): Record<string, unknown> {
  const secrets = new Set(CONFIG_SETTINGS.filter(({ secret }) => secret).map(({ key }) => key))
  const tokens = config.tokens.map((entry) => (entry.token === undefined ? entry : { ...entry, token: REDACTED }))
  return Object.fromEntries(
    Object.entries({ ...config, tokens }).map(([key, value]) => [key, secrets.has(key) ? REDACTED : value]),
  )
}

const REDACTED = '[redacted]'

/** @throws ConfigError for what the schema cannot judge: two texts for one token, a name that says nothing */
function checkTokens({ tokens }: Config): void {
  for (const [index, { name, token, tokenFile }] of tokens.entries()) {
    const where = `configuration: tokens[${index}]`
    if ((token === undefined) === (tokenFile === undefined))
      throw new ConfigError(`${where}: give either token or tokenFile`)
    const isTaken = UNPROVEN_NAMES.includes(name) || tokens.findIndex((other) => other.name === name) !== index
    if (isTaken) throw new ConfigError(`${where}.name: ${name} is taken; each token needs a name of its own`)
  }
}

/** @throws ConfigError for one that git refuses, or that stories without a branch of their own would have */
function checkBranchPrefix({ branchPrefix }: Config): void {
  const stories = storyBranch('', undefined)
  const isOfStories = branchPrefix.startsWith(stories) || stories.startsWith(branchPrefix)
  const problem = isOfStories
    ? `must not be ${branchPrefix}: branches of stories begin with ${stories}`
    : findBranchNameProblem(ownBranch('task', branchPrefix))
  if (problem !== undefined) throw new ConfigError(`configuration: branchPrefix: ${problem}`)
}

function defaults(): Record<string, unknown> {
  return Object.fromEntries(
    CONFIG_SETTINGS.flatMap(({ key, default: value }) => (value === undefined ? [] : [[key, value]])),
  )
}

function fromEnvironment(env: ConfigSources['env']): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  for (const { key, variable, kind } of CONFIG_SETTINGS) {
    const text = env[variable]
    if (text === undefined || text === '') continue
    if (kind === 'boolean' && text !== 'true' && text !== 'false') {
      throw new ConfigError(`configuration: ${variable} must be true or false, not ${JSON.stringify(text)}`)
    }
    values[key] = readText(kind, text, variable)
  }
  return values
}

function fromFlags(flags: ConfigSources['flags']): Record<string, unknown> {
  const given = Object.entries(flags).filter(([, value]) => value !== undefined)
  const structured = new Map(CONFIG_SETTINGS.filter(({ kind }) => kind === 'yaml').map(({ key, flag }) => [key, flag]))
  return Object.fromEntries(
    given.map(([key, value]) => {
      const flag = structured.get(key)
      return [key, flag !== undefined && typeof value === 'string' ? parseYaml(value, `--${flag}`) : value]
    }),
  )
}

function readText(kind: Setting['kind'], text: string, variable: string): unknown {
  switch (kind) {
    case 'boolean':
      return text === 'true'
    case 'list':
      return text.split(',').map((item) => item.trim())
    case 'yaml':
      return parseYaml(text, variable)
    case 'text':
      return text
    default:
      return kind satisfies never
  }
}

function fromFile(given: string | undefined, usual: string): Record<string, unknown> {
  const text = readConfigFile(given ?? usual, given !== undefined)
  if (text === undefined) return {}
  const content: unknown = parseYaml(text, given ?? usual)
  if (content === null) return {}
  if (typeof content !== 'object' || Array.isArray(content)) {
    throw new ConfigError(
      `configuration: ${given ?? usual} must hold keys and values, such as "listen: 127.0.0.1:8080"`,
    )
  }
  return Object.fromEntries(Object.entries(content).map(([key, value]) => [key, asText(key, value)]))
}

/** YAML reads `0` as a number; where a setting is a text it is that text. */
function asText(key: string, value: unknown): unknown {
  const isText = CONFIG_SETTINGS.some((setting) => setting.key === key && setting.kind === 'text')
  return isText && Number.isSafeInteger(value) ? String(value) : value
}

function parseYaml(text: string, path: string): unknown {
  try {
    return parse(text)
  } catch (error) {
    // The first line says what and where; those behind it show the text, which may hold a token.
    const [what = ''] = (error instanceof Error ? error.message : String(error)).split('\n')
    throw new ConfigError(`configuration: ${path} is not YAML: ${what}`)
  }
}

/** What to tell of a configuration file, behind its name, that shows everybody a secret; undefined where it shows none. */
export function findConfigRisk(path: string): string | undefined {
  const text = readConfigFile(path, false)
  const content = text === undefined ? {} : asRecord(parseYaml(text, path))
  const secrets = CONFIG_SETTINGS.filter(({ key, secret }) => secret && content[key] !== undefined)
  const entries = Array.isArray(content['tokens']) ? content['tokens'].map(asRecord) : []
  const isSecret = secrets.length > 0 || entries.some(({ token }) => token !== undefined)
  return isSecret ? findReadRisk(path) : undefined
}

/** @throws ConfigError, also for a file that everybody can change */
function readConfigFile(path: string, required: boolean): string | undefined {
  try {
    const fault = findWriteFault(path)
    if (fault !== undefined) throw new ConfigError(`configuration: ${path} ${fault}`)
    return readFileSync(path, 'utf8')
  } catch (error) {
    // ENOTDIR: a file stands where the data folder should be, and whoever makes that folder says so.
    const isAbsent = hasErrorCode(error, 'ENOENT', 'ENOTDIR')
    if (isAbsent && !required) return undefined
    if (error instanceof ConfigError) throw error
    throw new ConfigError(
      `configuration: cannot read ${path}: ${error instanceof Error ? error.message : String(error)}`,
      { cause: error },
    )
  }
}
