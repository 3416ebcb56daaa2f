/**
 * Fetches the submodules of a fresh clone, as `git submodule update --init --recursive` leaves them: each at the commit that
 * the repository records, with its repository in `.git/modules`.
 *
 * That command would obey what repositories say. Here every name, path and URL is judged first (gitmodules.ts), and git runs
 * with settings of ours alone, in repositories that nobody else has written. A submodule on the repository's own host that
 * people have merged is fetched with the same credentials, any other without: an agent that pushes a .gitmodules chooses no
 * repository to read. One that cannot be fetched stays an empty folder, unless the disk is
 * full: the agent could do nothing then.
 */
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import type { RunSpec } from '../../core/execution/run-spec.ts'
import { countOf } from '../../core/sentences/amounts.ts'
import { UnsafePath, inFolderNoFollow, readNames } from '../../lib/files.ts'
import { formatGitFailureMessage, isGitOutOfSpace } from '../../lib/git-failure-message.ts'
import { type GitLimit, type GitOptions, git, GitFailed, GitTimedOut, withGitLimit } from '../../lib/git.ts'
import { initBare } from '../../lib/git-untrusted.ts'
import { type GitUrl, parseGitUrl } from '../../lib/git-url.ts'
import { removeTree } from '../../lib/remove-tree.ts'
import type { StepContext } from '../context.ts'
import { StepFailed } from '../failure.ts'
import { isVolumeFull } from '../full-volume.ts'
import { type GitAccess, openGitAccess } from './access.ts'
import { checkOutFiles } from './check-out.ts'
import { type MergedSubmodules, type Submodule, findSubmodules } from './gitmodules.ts'
import { requireListable } from './listable.ts'
import { hasCommit } from './scratch-repository.ts'

/** A repository that is checked out. */
export interface CheckedOut {
  readonly folder: string
  readonly gitDir: string
  /** URL that it came from. */
  readonly url: string
  /** How it was reached; absent where it was fetched without the credentials of the task's repository. */
  readonly access?: GitAccess
  /** Whether people have merged this commit of it, so that its own submodules are people's words too. */
  readonly isMerged?: boolean
}

/** Whether the project wants submodules in its clones. */
export function wantsSubmodules({ checkout: { submodules = 'None' } = {} }: RunSpec): boolean {
  return submodules !== 'None'
}

const MAX_DEPTH = 10
const MAX_IN_ALL = 500

/**
 * @returns the repositories of submodules that are checked out now
 */
export async function checkOutSubmodules(
  context: StepContext,
  top: CheckedOut,
  limit: GitLimit,
  merged: MergedSubmodules,
): Promise<CheckedOut[]> {
  const done: CheckedOut[] = []
  const silent = new Set<string>()
  let level: readonly CheckedOut[] = [top]
  for (let depth = 0; level.length > 0; depth++) {
    const next: CheckedOut[] = []
    for (const parent of level)
      next.push(
        ...(await checkOutIn(
          { context, top, limit, signal: limit.signal, silent, merged },
          parent,
          done.length + next.length,
        )),
      )
    done.push(...next)
    level = next
    if (depth + 1 < MAX_DEPTH || level.length === 0) continue
    context.say(`submodules more than ${MAX_DEPTH} levels deep stay empty`)
    break
  }
  if (done.length > 0) context.say(`checked out ${countOf(done.length, 'submodule')}`)
  return done
}

interface Job {
  readonly context: StepContext
  readonly top: CheckedOut
  readonly limit: GitLimit
  readonly signal: AbortSignal
  /** Hosts that nothing came from. Each further wait for one would take minutes from the time that the clone has in all. */
  readonly silent: Set<string>
  readonly merged: MergedSubmodules
}

/** What git says of a host that nothing comes from. */
const SILENCE =
  /operation too slow|^timeout, server |failed to connect|couldn't connect|connection timed out|could not resolve host/im

async function checkOutIn(job: Job, parent: CheckedOut, count: number): Promise<CheckedOut[]> {
  const { say } = job.context
  const { found, refused } = await findSubmodules({ gitDir: parent.gitDir, signal: job.signal }, parent.url)
  const shown = (path: string): string => relative(job.top.folder, join(parent.folder, path))
  for (const { path, reason } of refused) say(`submodule ${shown(path)} stays empty: ${reason}`)
  const done: CheckedOut[] = []
  for (const submodule of found) {
    if (count + done.length >= MAX_IN_ALL) {
      say(`submodules beyond the first ${MAX_IN_ALL} stay empty`)
      break
    }
    const end = await checkOut(job, parent, submodule)
    if (typeof end !== 'string') done.push(end)
    else say(`submodule ${shown(submodule.path)} stays empty: ${end}`)
  }
  return done
}

/**
 * Checks one submodule out, or says why it stays empty. It has half of the time that is left, so that a slow one takes
 * neither the others nor the clone with it.
 */
async function checkOut(job: Job, parent: CheckedOut, submodule: Submodule): Promise<CheckedOut | string> {
  const { limit, context } = job
  const wholeSeconds = Math.floor(limit.leftMs() / 2000)
  return withGitLimit(wholeSeconds * 1000, limit.signal, context.clock, (signal) =>
    checkOutWithin({ ...job, signal }, parent, submodule),
  )
}

async function checkOutWithin(job: Job, parent: CheckedOut, submodule: Submodule): Promise<CheckedOut | string> {
  const { name, path, url, commit } = submodule
  const gitDir = join(parent.gitDir, 'modules', name)
  const folder = join(parent.folder, path)
  let access: GitAccess | undefined
  if (job.silent.has(url.host)) return `its host ${url.host} could not be reached before`
  try {
    await requireEmpty(parent.folder, path)
    const isKnown = hasLogin(job, parent, url)
    access = await openAccess(job, url, isKnown)
    await fetchCommit(job, { gitDir, commit, url: access.url }, access)
    await bindTo(folder, gitDir, access.url)
    await requireListable({ gitDir, signal: job.signal }, commit)
    const options = { gitDir, cwd: folder, signal: job.signal, env: { GIT_WORK_TREE: folder } }
    await checkOutFiles(['--detach', commit], options)
    const inParent = { gitDir: parent.gitDir, signal: job.signal }
    await git(['config', `submodule.${name}.active`, 'true'], inParent)
    await git(['config', `submodule.${name}.url`, access.url], inParent)
    const isMerged = isKnown && (parent !== job.top || job.merged.get(url.clean)?.has(commit) === true)
    return { folder, gitDir, url: access.url, isMerged, ...(isKnown ? { access } : {}) }
  } catch (error) {
    const reason = describe(error, url.clean, access)
    if (reason === undefined || job.limit.signal.aborted || isGitOutOfSpace(error)) throw error
    if (await isVolumeFull(job.context)) throw error
    if (error instanceof GitFailed && SILENCE.test(error.stderr)) job.silent.add(url.host)
    await removeTree(gitDir)
    if (!(error instanceof UnsafePath)) await emptyFolder(folder)
    const isUnmerged = isOnHostOf(job.top.url, url) && !hasLogin(job, parent, url)
    return isUnmerged ? `${UNMERGED}: ${reason}` : reason
  }
}

const UNMERGED = 'it is fetched without credentials, because the default branch does not have it'

function describe(error: unknown, url: string, access: GitAccess | undefined): string | undefined {
  if (error instanceof GitFailed) return formatGitFailureMessage(error, url, access?.redact ?? String)
  if (error instanceof GitTimedOut) return `${error.message} at ${url}, half of the time that was left`
  return error instanceof StepFailed || error instanceof UnsafePath ? error.message : undefined
}

/** Git makes an empty folder for a gitlink. @throws UnsafePath where something else has its place */
async function requireEmpty(root: string, path: string): Promise<void> {
  const names = await inFolderNoFollow(root, path.split('/'), (folder) => readNames(folder, 1))
  if (names.length > 0) throw new UnsafePath(`something else is at ${path}`)
}

async function emptyFolder(folder: string): Promise<void> {
  await removeTree(folder)
  await mkdir(folder)
}

/** Whether a submodule is fetched with what the repository is fetched with. */
function hasLogin({ top, merged }: Job, parent: CheckedOut, url: GitUrl): boolean {
  const isMerged = parent === top ? merged.has(url.clean) : parent.isMerged === true
  return isMerged && isOnHostOf(top.url, url)
}

async function openAccess({ context }: Job, url: GitUrl, isKnown: boolean): Promise<GitAccess> {
  // Each writes files of its own.
  const tmp = await mkdtemp(join(context.tmp, 'submodule-'))
  const { gitCredentialsDir: _, gitHost: __, gitCaBundle: ___, gitHome: ____, ...bare } = context.run
  const run: RunSpec = isKnown ? context.run : bare
  return openGitAccess({ run: { ...run, repositoryUrl: url.clean }, tmp, env: context.env })
}

/** Ports do not count: a Secret's own rule says what it is sent to (lib/git-host.ts). */
function isOnHostOf(repository: string, { host }: GitUrl): boolean {
  const name = (text: string): string => text.replace(/:\d+$/, '')
  return name(parseGitUrl(repository).host) === name(host)
}

interface Wanted {
  readonly gitDir: string
  readonly commit: string
  readonly url: string
}

/** Fetches a commit, and what `Full` adds; a host that hands out no single commits gives its branches. */
async function fetchCommit(
  { context, signal }: Job,
  { gitDir, commit, url }: Wanted,
  access: GitAccess,
): Promise<void> {
  await initBare(gitDir, commit, signal)
  const options: GitOptions = { ...access.options, gitDir, signal }
  const fetch = ['fetch', '--quiet', '--no-write-fetch-head']
  if (context.run.checkout?.submodules === 'Shallow') {
    const { exitCode, stderr } = await git([...fetch, '--no-tags', '--depth=1', '--', url, commit], {
      ...options,
      answers: [1, 128],
    })
    if (exitCode === 0) return
    if (SILENCE.test(stderr)) throw new GitFailed('fetch', exitCode, stderr)
  }
  await git([...fetch, '--tags', '--', url, '+refs/heads/*:refs/remotes/origin/*'], options)
  if (!(await hasCommit({ gitDir, signal }, commit))) await git([...fetch, '--no-tags', '--', url, commit], options)
}

/** Ties folder and repository to each other by relative paths, so that both can be moved. */
async function bindTo(folder: string, gitDir: string, url: string): Promise<void> {
  const settings = [
    ['core.bare', 'false'],
    ['core.worktree', relative(gitDir, folder)],
    ['remote.origin.url', url],
    ['remote.origin.fetch', '+refs/heads/*:refs/remotes/origin/*'],
  ]
  for (const [key = '', value = ''] of settings) await git(['config', '--file', join(gitDir, 'config'), key, value])
  await writeFile(join(folder, '.git'), `gitdir: ${relative(folder, gitDir)}\n`, { flag: 'wx' })
}
