import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { ANNOTATIONS, LABELS } from '../../core/names.ts'
import type { Secret } from '../../kube/builtin.ts'
import { namespaceOf } from '../../kube/config.ts'
import { SECRETS } from '../../kube/resources.ts'
import { GIT_HOST_PATTERN } from '../../lib/git-host.ts'
import { type LocalCommand, type LocalInvocation, OF_KUBECTL } from '../client-command.ts'
import { print } from '../client/output.ts'
import { UsageError } from '../command.ts'
import { readBuild } from '../installation.ts'
import { openKubeconfig } from '../kubeconfig.ts'
import { messageOf } from '../../lib/error-message.ts'

export const secretCommand: LocalCommand = {
  kind: 'local',
  name: 'secret',
  summary: 'Keep a token, a key or a password in a Secret that git, an agent or the setup of a project may use',
  details: [
    'The value is asked for at a terminal, or read from stdin; it is never an argument. Without --kubeconfig and KUBECONFIG it goes to',
    'the control plane of the data folder (.slipway here, or SLIPWAY_DATA_DIR), while slipway serve runs. A Secret that is there is',
    'changed: of an agent or a setup the named key alone.',
  ].join('\n'),
  examples: [
    'slipway secret git shop-git --host git.example.com --username ada < token.txt',
    'slipway secret agent claude-key --key ANTHROPIC_API_KEY < key.txt',
    'slipway secret setup registry --key NPM_TOKEN < token.txt',
  ],
  words: [{ name: 'git|agent|setup' }, { name: 'name' }],
  flags: [
    { name: 'host', value: 'host', description: 'git: the one host that it is sent to, host:port if unusual' },
    { name: 'username', value: 'name', description: 'git: beside a token; most hosts ignore it' },
    { name: 'ssh-key', value: 'file', description: 'git: a private key in place of a token' },
    { name: 'known-hosts', value: 'file', description: 'git: with --ssh-key, the lines of ssh-keyscan' },
    { name: 'key', value: 'name', description: 'agent, setup: key of the value, such as ANTHROPIC_API_KEY' },
    ...OF_KUBECTL,
  ],
  async run(invocation) {
    const { words, terminal, form, values } = invocation
    const [purpose = '', name = ''] = words
    if (purpose !== 'git' && purpose !== 'agent' && purpose !== 'setup')
      throw new UsageError(`secret: git, agent or setup, not ${JSON.stringify(purpose)}`)
    checkFlags(purpose, values)
    const wanted = purpose === 'git' ? await readForGit(name, invocation) : await readOne(purpose, name, invocation)
    const written = await writeSecret(wanted, purpose, invocation)
    const { namespace = '' } = written.secret.metadata
    const keys = Object.keys(written.secret.data ?? {})
    print(terminal, form, { name, namespace, keys }, () => `${describe(written, wanted, purpose)}\n`)
    return 0
  },
}

const FLAGS_OF = { git: ['host', 'username', 'ssh-key', 'known-hosts'], agent: ['key'], setup: ['key'] } as const
type Purpose = keyof typeof FLAGS_OF

function checkFlags(purpose: Purpose, values: LocalInvocation['values']): void {
  const other = purpose === 'git' ? 'agent' : 'git'
  const wrong = FLAGS_OF[other].find((flag) => values.has(flag))
  if (wrong !== undefined) throw new UsageError(`secret ${purpose}: --${wrong} is for secret ${other}`)
}

const HOST = new RegExp(GIT_HOST_PATTERN)
/** A key of a Secret (Kubernetes, validation of ConfigMap keys). */
const KEY = /^[A-Za-z0-9._-]{1,253}$/

async function readForGit(name: string, invocation: LocalInvocation): Promise<Secret> {
  const { values } = invocation
  const host = values.get('host')
  if (host === undefined || !HOST.test(host.toLowerCase()))
    throw new UsageError(
      host === undefined
        ? 'secret git: --host is missing: the one host that the Secret is sent to'
        : `secret git: --host is a name such as git.example.com or git.example.com:8443, not ${JSON.stringify(host)}`,
    )
  const of = { name, labels: { [LABELS.usableBy]: 'git' }, annotations: { [ANNOTATIONS.gitHost]: host.toLowerCase() } }
  const [keyFile, hostsFile] = [values.get('ssh-key'), values.get('known-hosts')]
  if (keyFile === undefined && hostsFile === undefined) {
    const password = await readValue(`Token or password for ${host}: `, invocation)
    const username = values.get('username')
    return makeSecret(of, 'kubernetes.io/basic-auth', { ...(username !== undefined && { username }), password })
  }
  if (keyFile === undefined || hostsFile === undefined)
    throw new UsageError('secret git: --ssh-key and --known-hosts go together (ssh-keyscan prints the lines of a host)')
  const data = {
    'ssh-privatekey': await readFlagFile('ssh-key', keyFile),
    known_hosts: await readFlagFile('known-hosts', hostsFile),
  }
  if (!data['ssh-privatekey'].includes('PRIVATE KEY'))
    throw new UsageError(`--ssh-key: ${keyFile} holds no private key`)
  return makeSecret(of, 'kubernetes.io/ssh-auth', data)
}

async function readFlagFile(flag: string, path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (cause) {
    throw new UsageError(`--${flag}: ${messageOf(cause)}`, { cause })
  }
}

/** One value, for an agent or for a setup. */
async function readOne(purpose: 'agent' | 'setup', name: string, invocation: LocalInvocation): Promise<Secret> {
  const key = invocation.values.get('key')
  if (key === undefined || !KEY.test(key))
    throw new UsageError(`secret ${purpose}: --key names the key of the value, such as --key ${KEY_EXAMPLES[purpose]}`)
  const value = await readValue(`Value of ${key}: `, invocation)
  return makeSecret({ name, labels: { [LABELS.usableBy]: purpose } }, 'Opaque', { [key]: value })
}

const KEY_EXAMPLES = { agent: 'ANTHROPIC_API_KEY', setup: 'NPM_TOKEN' } as const

async function readValue(question: string, { readSecret, signal }: LocalInvocation): Promise<string> {
  const value = await readSecret(question, signal)
  if (value === undefined) throw new UsageError('no value was given: type it when asked, or send it to stdin')
  return value
}

function makeSecret(metadata: Secret['metadata'], type: string, texts: Readonly<Record<string, string>>): Secret {
  const encoded = Object.entries(texts).map(([key, text]) => [key, Buffer.from(text).toString('base64')])
  return { apiVersion: 'v1', kind: 'Secret', metadata, type, data: Object.fromEntries(encoded) }
}

interface Written {
  readonly secret: Secret
  /** Address of its control plane. */
  readonly server: string
}

/** @throws UsageError for a Secret of that name that is for something else: nothing is taken from anybody */
async function writeSecret(wanted: Secret, purpose: Purpose, { values, env }: LocalInvocation): Promise<Written> {
  const path = values.get('kubeconfig') ?? (await ownKubeconfig(values, env))
  const config = await openKubeconfig({ path, context: values.get('context') }, env)
  const [{ createClient }, { currentCluster }] = await Promise.all([
    import('../../kube/client.ts'),
    import('../../kube/credentials.ts'),
  ])
  const userAgent = `slipway-cli/${readBuild().version} (${hostname()}-${process.pid})`
  const client = createClient(config, { userAgent, fieldManager: 'slipway-cli', requestTimeoutMs: 30_000 })
  const namespace = values.get('namespace') ?? namespaceOf(config) ?? 'default'
  const { name } = wanted.metadata
  try {
    const found = await client.find(SECRETS, { namespace, name })
    if (found === undefined) {
      const secret = await client.create(SECRETS, { ...wanted, metadata: { ...wanted.metadata, namespace } })
      return { secret, server: currentCluster(config).server }
    }
    if (found.type !== wanted.type || found.metadata.labels?.[LABELS.usableBy] !== purpose)
      throw new UsageError(`Secret ${name} exists and is for something else (type ${found.type}): choose another name`)
    const { labels, annotations } = found.metadata
    const metadata = {
      ...found.metadata,
      labels: { ...labels, ...wanted.metadata.labels },
      annotations: { ...annotations, ...wanted.metadata.annotations },
    }
    const data = purpose === 'git' ? { ...wanted.data } : { ...found.data, ...wanted.data }
    return {
      secret: await client.replace(SECRETS, { ...found, metadata, data }),
      server: currentCluster(config).server,
    }
  } finally {
    await client.close()
  }
}

/** The kubeconfig of the control plane that serves this folder, unless the person names another one. */
async function ownKubeconfig(
  values: LocalInvocation['values'],
  env: LocalInvocation['env'],
): Promise<string | undefined> {
  const isNamed = (env['KUBECONFIG'] ?? '') !== '' || values.has('context')
  const { loadConfig } = await import('../../lib/config.ts')
  const path = join(loadConfig({ flags: {}, env }).dataDir, 'kubeconfig')
  return !isNamed && existsSync(path) ? path : undefined
}

function describe({ secret, server }: Written, { data }: Secret, purpose: Purpose): string {
  const { name, namespace, annotations } = secret.metadata
  const [key = ''] = Object.keys(data ?? {})
  const use = {
    git: [
      `git sends it to ${annotations?.[ANNOTATIONS.gitHost]} and nowhere else.`,
      'On one machine it is used for every repository there. In a cluster, or if the host has several, a project names it:',
      `slipway add-project … --secret ${name}; or, of one that is there, git.secret_name in slipway edit --project <name>`,
    ],
    agent: [`An Agent names it: spec.credentials: {secretName: ${name}, env: [{name: ${key}, key: ${key}}]}`],
    setup: [
      `A project names it: environment: {env: [{name: ${key}, secret_key: {name: ${name}, key: ${key}}}]} in slipway edit --project <name>`,
      'Setups at commits of the default branch get it, agents never do.',
    ],
  }[purpose]
  return [`secret/${name} in namespace ${namespace} of ${server}`, ...use].join('\n')
}
