import { createHash } from 'node:crypto'
import { realpath } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Project } from '../../core/crd/types.ts'
import type { ExecutionError } from '../../core/execution/result.ts'
import { ANNOTATIONS, LABELS } from '../../core/names.ts'
import type { Secret } from '../../kube/builtin.ts'
import { SECRETS } from '../../kube/resources.ts'
import { findBorrowedFolders } from '../../lib/borrowed-folders.ts'
import { findBundleProblem } from '../../lib/certificates.ts'
import type { GitCredentials } from '../../lib/config-schema.ts'
import { hasErrorCode } from '../../lib/files.ts'
import { findPortFault, mayReceiveCredentials } from '../../lib/git-host.ts'
import { secretOf } from '../../lib/git-login.ts'
import { type OwnGit, findOwnGit } from '../../lib/git-session.ts'
import { type GitUrl, parseGitUrl, UnusableGitUrl } from '../../lib/git-url.ts'
import type { OperatorContext } from '../context.ts'

/** Where an execution clones from and what it shows there, or why it cannot. */
export type GitSource =
  | {
      readonly kind: 'usable'
      readonly url: string
      /** Secret whose credentials prepare and deliver use, and the one host that they are sent to. */
      readonly secret?: GitSecret
      /** Absolute paths of a repository on this machine, and of what it has elsewhere. */
      readonly localPaths?: readonly string[]
      /** The user's own git, used because there is no Secret; embedded only. */
      readonly own?: OwnGit
      /** PEM certificates of authorities to trust at the repository's host beside the usual ones. */
      readonly caBundle?: string
    }
  | { readonly kind: 'refused'; readonly error: ExecutionError }

interface GitSecret {
  readonly name: string
  readonly host: string
  /** Its uid and version. */
  readonly version: string
}

/** What a task, or a project by itself, says about its repository. */
export interface WantedRepository {
  readonly namespace: string | undefined
  /** The task's own. */
  readonly url: string | undefined
  readonly project: Project | undefined
}

/**
 * Finds the repository of a task, and the credentials for it: of its project, else, embedded only, of a project with that
 * URL, else those that the configuration names for the host, else, embedded only, the first Secret labelled for the host.
 * Without any of them git goes without; embedded, the user's own git configuration helps then.
 *
 * Source: specification §1.1, §3.15.
 */
export async function findGitSource(context: OperatorContext, wanted: WantedRepository): Promise<GitSource> {
  const url = wanted.url ?? wanted.project?.spec.remoteUrl
  if (url === undefined) return refuse('no_repository', 'task has no repository_url')
  try {
    const remote = parseGitUrl(url)
    if (remote.protocol === 'file') return await findLocal(context, url)
    return await findRemote(context, wanted, url, remote)
  } catch (error) {
    if (error instanceof UnusableGitUrl) return refuse('git', error.message)
    throw error
  }
}

/**
 * Which mirrors (layout.ts) a clone of a repository may borrow from; undefined for none: whoever has a password or a
 * token in the URL could not be told from others.
 *
 * A Secret that has changed is another reader, since the former one may have read what this one may not. Without one the
 * network decides what can be read, and namespaces that share a volume need not see the same of it.
 */
export function mirrorKey(
  { url, secret, own }: Extract<GitSource, { kind: 'usable' }>,
  namespace: string | undefined,
): string | undefined {
  if (url === '') return undefined
  const parsed = parseGitUrl(url)
  if (secretOf(parsed) !== '') return undefined
  const reader = own !== undefined ? ['own'] : secret === undefined ? ['none', namespace] : ['secret', secret.version]
  const hash = createHash('sha256').update(JSON.stringify([parsed.clean, ...reader]))
  return hash.digest('hex').slice(0, 32)
}

async function findLocal({ settings }: OperatorContext, url: string): Promise<GitSource> {
  if (!settings.embedded)
    return refuse('git', `repository ${url} is a local path, which only one machine's own server has`)
  try {
    // A mount must name the folder itself: a link on the way would be another folder inside the sandbox.
    const localPath = await realpath(url.startsWith('file:') ? fileURLToPath(url) : url)
    return { kind: 'usable', url: localPath, localPaths: [localPath, ...(await findBorrowedFolders(localPath))] }
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT', 'ENOTDIR')) return refuse('git', `repository ${url} does not exist`)
    if (hasErrorCode(error, 'EACCES')) return refuse('git', `repository ${url} cannot be read`)
    if (hasErrorCode(error, 'ERR_INVALID_FILE_URL_HOST'))
      return refuse('git', `repository ${url} names another machine`)
    throw error
  }
}

async function findRemote(
  context: OperatorContext,
  { namespace, project }: WantedRepository,
  url: string,
  remote: GitUrl,
): Promise<GitSource> {
  const owner = project ?? (context.settings.embedded ? findProjectOf(context, namespace, url) : undefined)
  const caBundle = bundleFor(owner, remote.host)
  const problem = caBundle === undefined ? undefined : findBundleProblem(caBundle)
  if (problem !== undefined) return refuse('git', `git.caBundle of project ${owner?.metadata.name ?? ''} ${problem}`)
  const named = owner?.spec.git?.secretName
  const source = await (named === undefined
    ? useDefault(context, namespace, url, remote)
    : useNamed(context, namespace, { name: named, url, remote }))
  return source.kind === 'usable' && caBundle !== undefined ? { ...source, caBundle } : source
}

/** Only on a machine of one's own: in a cluster who may create tasks would choose among the Secrets of all projects. */
function findProjectOf({ views }: OperatorContext, namespace: string | undefined, url: string): Project | undefined {
  return views.projects.list(namespace).find(({ spec }) => spec.remoteUrl === url)
}

/** What a project trusts at its own remote's host; a task may name a repository elsewhere. */
function bundleFor(owner: Project | undefined, host: string): string | undefined {
  const caBundle = owner?.spec.git?.caBundle
  if (owner === undefined || caBundle === undefined) return undefined
  return parseGitUrl(owner.spec.remoteUrl).host === host ? caBundle : undefined
}

async function useDefault(
  context: OperatorContext,
  namespace: string | undefined,
  url: string,
  remote: GitUrl,
): Promise<GitSource> {
  const configured = context.gitCredentials?.find(({ host }) => mayReceiveCredentials(remote, host))
  if (configured !== undefined) return useConfigured(context, namespace, url, remote, configured)
  // In a cluster who may create tasks would have every Secret of the namespace used: there a person names those.
  const secret = context.settings.embedded ? await findForHost(context, namespace, remote) : undefined
  if (secret !== undefined) return { kind: 'usable', url, secret }
  const { gitUser, settings } = context
  if (gitUser === undefined || !settings.embedded) return { kind: 'usable', url }
  return { kind: 'usable', url, own: await findOwnGit(gitUser) }
}

/** @returns refused where Secret and configuration contradict each other: a clone would fail, and say less of the reason */
async function useConfigured(
  context: OperatorContext,
  namespace: string | undefined,
  url: string,
  remote: GitUrl,
  { host, secretName: name }: GitCredentials,
): Promise<GitSource> {
  const source = await useNamed(context, namespace, { name, url, remote })
  if (source.kind === 'refused' || mayReceiveCredentials(remote, source.secret?.host)) return source
  const meant = `${source.secret?.host ?? 'none'} (${ANNOTATIONS.gitHost})`
  return refuse('credentials', `Secret ${name} is for ${meant}, and gitCredentials of the configuration for ${host}`)
}

async function useNamed(
  { client }: OperatorContext,
  namespace: string | undefined,
  { name, url, remote }: { readonly name: string; readonly url: string; readonly remote: GitUrl },
): Promise<GitSource> {
  const secret = await client.find(SECRETS, { namespace, name })
  if (secret === undefined) return refuse('credentials', `Secret ${name} does not exist`)
  if (secret.metadata.labels?.[LABELS.usableBy] !== 'git') {
    return refuse('credentials', `Secret ${name} is not for git: label it ${LABELS.usableBy}=git`)
  }
  const host = hostOf(secret)
  if (host === undefined) {
    return refuse('credentials', `Secret ${name} names no host: annotate it ${ANNOTATIONS.gitHost}=<host>`)
  }
  const missing = missingKeys(secret)
  if (missing !== undefined) return refuse('credentials', `Secret ${name} lacks ${missing}`)
  const problem = findPortFault(remote, host)
  if (problem !== undefined) return refuse('credentials', `Secret ${name} ${problem} (${ANNOTATIONS.gitHost})`)
  return { kind: 'usable', url, secret: toGitSecret(secret, host) }
}

function toGitSecret({ metadata: { name, uid = '', resourceVersion = '' } }: Secret, host: string): GitSecret {
  return { name, host, version: `${uid}/${resourceVersion}` }
}

/** A basic-auth Secret may leave out the name: hosts that take tokens ignore it. */
function missingKeys({ type, data = {} }: Secret): string | undefined {
  const wanted = type === 'kubernetes.io/ssh-auth' ? ['ssh-privatekey', 'known_hosts'] : ['password']
  const missing = wanted.filter((key) => data[key] === undefined)
  return missing.length === 0 ? undefined : missing.join(', ')
}

/** The default of a host: of several the first by name, so that it does not change by chance. */
async function findForHost(
  { client }: OperatorContext,
  namespace: string | undefined,
  remote: GitUrl,
): Promise<GitSecret | undefined> {
  const { items } = await client.list(SECRETS, { namespace, labelSelector: `${LABELS.usableBy}=git` })
  const fitting = items.flatMap((secret) => {
    const host = hostOf(secret)
    const isFit = host !== undefined && mayReceiveCredentials(remote, host) && missingKeys(secret) === undefined
    return isFit ? [toGitSecret(secret, host)] : []
  })
  return fitting.sort((a, b) => (a.name < b.name ? -1 : 1))[0]
}

function hostOf({ metadata }: Secret): string | undefined {
  return metadata.annotations?.[ANNOTATIONS.gitHost]?.toLowerCase()
}

function refuse(category: ExecutionError['category'], message: string): GitSource {
  return { kind: 'refused', error: { category, message } }
}
