/** Makes the working copy in which a person goes on with a task: a worktree of a clone that they have, else a clone. */
import { mkdir, mkdtemp, readdir, rm, rmdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { omit, withoutAbsent } from '../../core/omit.ts'
import { shellWord } from '../../core/shell.ts'
import { shortCommit } from '../../core/text.ts'
import { hasErrorCode, ifThere } from '../../lib/files.ts'
import { type GitOptions, GitFailed, git, gitText, isAncestor } from '../../lib/git.ts'
import { parseRemote } from '../../lib/git-remote.ts'
import { isSameRepository } from '../../lib/git-url.ts'
import { UsageError } from '../command.ts'
import { findLeftOut } from './left-out.ts'
import type { CheckoutNote } from './note-schema.ts'
import { findCheckout, markUnfinished, writeNote } from './note.ts'
import { withoutFilters } from './person-git.ts'

/** What the server says of the work. */
export interface Work {
  readonly task: string
  readonly url: string
  readonly branch: string
  readonly isShared: boolean
  /** Whether the branch has all commits of the kept clone; undefined: none is kept. */
  readonly isPushed: boolean | undefined
  /** Downloads the bundle of the kept clone, without the history of commits that are there already. */
  readonly getBundle: (have: readonly string[]) => Promise<ArrayBuffer>
}

export interface Place {
  /** Of the clone that gets a worktree; absent: a clone is made. */
  readonly base?: string
  readonly target: string
  /** What was checked out there before, which is gone on with. */
  readonly made?: CheckoutNote
}

/**
 * Where the working copy goes: beside a clone of the repository, or below the working folder.
 *
 * @param heldAt since when the task was held already: what was made since then is gone on with
 * @throws UsageError if there is something else
 */
export async function choosePlace(
  options: GitOptions,
  { url, task }: Pick<Work, 'url' | 'task'>,
  {
    cwd,
    folder,
    heldAt,
  }: { readonly cwd: string; readonly folder: string | undefined; readonly heldAt?: string | undefined },
): Promise<Place> {
  const named = folder === undefined ? undefined : resolve(cwd, folder)
  const given = named === undefined ? undefined : await findClone(options, named, url)
  const base = given ?? (await findClone(options, cwd, url))
  const isTarget = named !== undefined && given === undefined
  const beside = base === undefined ? join(cwd, task) : join(dirname(base), `${basename(base)}-${task}`)
  const target = isTarget ? named : beside
  const found = await ifThere(readdir(target), 'ENOENT')
  const place = { target, ...(base === undefined ? {} : { base }) }
  if (found === undefined || found.length === 0) return place
  const made = await findCheckout(options, target)
  if (made?.note !== undefined && made.note.task === task && heldAt !== undefined && made.note.heldAt === heldAt)
    return { ...place, made: made.note }
  const another = `name another folder, slipway checkout ${task} <folder>`
  if (made === undefined || made.note !== undefined)
    throw new UsageError(`checkout: ${target} is there already: ${another}`)
  const removal = base === undefined ? `rm -rf` : `git -C ${shellWord(base)} worktree remove --force`
  throw new UsageError(
    `checkout: ${target} is left from a checkout that did not end: remove it, ${removal} ${shellWord(target)}, or ${another}`,
  )
}

/** The top of the clone of that repository in which a folder lies. */
async function findClone(options: GitOptions, folder: string, url: string): Promise<string | undefined> {
  const there = { ...options, cwd: folder }
  try {
    const top = await gitText(['rev-parse', '--show-toplevel'], there)
    if (top === '') return undefined
    const { stdout } = await git(['config', '--null', '--get-regexp', String.raw`^remote\..*\.url$`], {
      ...there,
      answers: [1],
    })
    const entries = stdout.toString('utf8').split('\0')
    const urls = [top, ...entries.map((entry) => entry.slice(entry.indexOf('\n') + 1))]
    return urls.some((known) => isSameRepository(known, url)) ? top : undefined
  } catch (error) {
    // No folder, or no repository.
    if (error instanceof GitFailed || (error instanceof Error && 'code' in error && error.code === 'ENOENT'))
      return undefined
    throw error
  }
}

/**
 * Makes it, or leaves nothing.
 *
 * @returns for people: what is not as they might expect
 * @throws UsageError where the work is nowhere to be had; GitFailed
 */
export async function makeWorkingCopy(
  options: GitOptions,
  work: Work,
  place: Place,
  heldAt?: string,
): Promise<readonly string[]> {
  const { task, branch } = work
  const remarks: string[] = []
  const repository = place.base ?? place.target
  const remote = await listRemote(options, work)
  if (typeof remote === 'string')
    remarks.push(`the repository is out of reach, so the work comes from the server: ${remote}`)
  const tip = typeof remote === 'string' ? undefined : remote.commits.get(branch)
  const isNew = place.base === undefined
  const refs = `refs/slipway/${task}`
  const added: Added = {}
  try {
    if (isNew) {
      await claim(place.target, task)
      added.hasFolder = true
      await git(['init', '--quiet', '--template=', '--', place.target], options)
    }
    const inRepository = { ...options, cwd: repository }
    if (isNew) await markUnfinished(inRepository)
    if (isNew) await git(['remote', 'add', '--', 'origin', work.url], inRepository)
    if (typeof remote !== 'string') await fetchRemote(inRepository, work, { isNew, tip, refs })
    const have = await known(inRepository, [tip, remote, isNew ? undefined : 'HEAD'])
    const kept = work.isPushed === undefined ? undefined : await fetchKept(inRepository, work, { refs, have, remarks })
    const start = work.isPushed === false ? (kept?.head ?? tip) : (tip ?? kept?.head)
    if (start === undefined)
      throw new UsageError(
        `checkout: the work of ${task} is nowhere to be had: branch ${branch} is out of reach, and the server keeps no clone of it`,
      )
    const hasTip = tip === undefined || (await isAncestor(inRepository, tip, start))
    if (!hasTip)
      remarks.push(
        `branch ${branch} has commits that this work lacks: git rebase ${refs}/branch before you hand it back`,
      )
    await checkOut(options, place, { branch, start, added })
    if (kept !== undefined) remarks.push(...(await applyUncommitted(options, place.target, { kept, start })))
    const inTarget = { ...options, cwd: place.target }
    remarks.push(...(await findLeftOut(inTarget, work.url)))
    const note = { task, url: work.url, branch, isShared: work.isShared, hasTip, ...withoutAbsent({ tip, heldAt }) }
    await writeNote(inTarget, note)
    return remarks
  } catch (error) {
    // It was made here, and nobody has had it yet.
    await undo(options, place, added)
    throw error
  }
}

/** Takes a folder for this checkout alone: since it was looked at, something may have come into it. */
async function claim(target: string, task: string): Promise<void> {
  const gitDir = join(target, '.git')
  const taken = () =>
    new UsageError(
      `checkout: something was put into ${target} meanwhile: name another folder, slipway checkout ${task} <folder>`,
    )
  await mkdir(target, { recursive: true })
  try {
    await mkdir(gitDir)
  } catch (error) {
    throw hasErrorCode(error, 'EEXIST') ? taken() : error
  }
  if ((await readdir(target)).length === 1) return
  await rmdir(gitDir)
  throw taken()
}

/** What is to be taken back. */
interface Added {
  /** The folder of a new clone. */
  hasFolder?: boolean
  /** In a clone of the person's. */
  hasWorktree?: boolean
  branch?: string
}

/** After Ctrl-C too, so without its signal. */
async function undo(options: GitOptions, { base, target }: Place, added: Added): Promise<void> {
  if (added.hasFolder === true) await rm(target, { recursive: true, force: true })
  if (base === undefined) return
  const inBase = { ...omit(options, ['signal']), cwd: base, answers: [1, 128] }
  if (added.hasWorktree === true) await git(['worktree', 'remove', '--force', '--', target], inBase)
  if (added.branch !== undefined) await git(['update-ref', '-d', `refs/heads/${added.branch}`], inBase)
}

/** In words why it cannot be reached. */
async function listRemote(options: GitOptions, { url, branch }: Work) {
  try {
    const args = ['ls-remote', '--symref', '--', url, 'HEAD', `refs/heads/${branch}`]
    return parseRemote(await gitText(args, options))
  } catch (error) {
    if (!(error instanceof GitFailed)) throw error
    return error.stderr.trim().split('\n').at(-1) ?? error.message
  }
}

const FETCH = ['fetch', '--quiet', '--no-tags', '--no-write-fetch-head', '--no-recurse-submodules']

async function fetchRemote(
  options: GitOptions,
  { url, branch }: Work,
  { isNew, tip, refs }: { readonly isNew: boolean; readonly tip: string | undefined; readonly refs: string },
): Promise<void> {
  const all = isNew ? ['+refs/heads/*:refs/remotes/origin/*'] : []
  const own = tip === undefined ? [] : [`+refs/heads/${branch}:${refs}/branch`]
  if (all.length + own.length > 0) await git([...FETCH, '--', url, ...all, ...own], options)
}

/** Commits that the repository has, for the server to leave out. */
async function known(
  options: GitOptions,
  [tip, remote, head]: readonly [string | undefined, Awaited<ReturnType<typeof listRemote>>, string | undefined],
): Promise<string[]> {
  const others = typeof remote === 'string' ? [] : [...remote.commits.values()]
  const found: string[] = []
  for (const name of [tip, ...others.slice(0, 5), head].filter((one) => one !== undefined)) {
    const args = ['rev-parse', '--quiet', '--verify', '--end-of-options', `${name}^{commit}`]
    const { stdout, exitCode } = await git(args, { ...options, answers: [1, 128] })
    if (exitCode === 0) found.push(stdout.toString('utf8').trim())
  }
  return [...new Set(found)]
}

interface Kept {
  readonly head: string
  /** A commit of all that was not committed, on top of it. */
  readonly uncommitted: string
}

/** What the bundle of the kept clone brings; its objects are checked. */
async function fetchKept(
  options: GitOptions,
  work: Work,
  { refs, have, remarks }: { readonly refs: string; readonly have: readonly string[]; readonly remarks: string[] },
): Promise<Kept | undefined> {
  const tmp = await mkdtemp(join(tmpdir(), 'slipway-checkout-'))
  try {
    const bundle = join(tmp, 'work.bundle')
    await writeFile(bundle, Buffer.from(await work.getBundle(have)))
    const ref = `${refs}/uncommitted`
    const config = [...(options.config ?? []), ['fetch.fsckObjects', 'true'] as const]
    await git([...FETCH, '--', bundle, `+refs/slipway/uncommitted:${ref}`], { ...options, config })
    const [uncommitted = '', head = ''] = (await gitText(['rev-parse', ref, `${ref}^1`], options)).split('\n')
    return { uncommitted, head }
  } catch (error) {
    if (work.isPushed !== true) throw error
    const reason =
      error instanceof GitFailed ? error.stderr.trim() : String(error instanceof Error ? error.message : error)
    remarks.push(`what the agent had not committed could not be taken: ${reason}`)
    return undefined
  } finally {
    await rm(tmp, { recursive: true, force: true })
  }
}

async function checkOut(
  options: GitOptions,
  { base, target }: Place,
  { branch, start, added }: { readonly branch: string; readonly start: string; readonly added: Added },
): Promise<void> {
  if (base !== undefined) {
    await mkdir(dirname(target), { recursive: true })
    const args = ['worktree', 'add', '--quiet', '--no-checkout', '--detach', '--', target, start]
    await git(args, { ...options, cwd: base })
    added.hasWorktree = true
    await markUnfinished({ ...options, cwd: target })
  }
  const inTarget = await withoutFilters(options, target)
  const local = await makeBranch(inTarget, branch, start)
  added.branch = local
  await git(['symbolic-ref', 'HEAD', `refs/heads/${local}`], inTarget)
  await git(['reset', '--hard', '--quiet'], inTarget)
}

/** A branch of the person's repository that is new, so that none of theirs is moved. */
async function makeBranch(options: GitOptions, branch: string, start: string): Promise<string> {
  for (let n = 1; ; n++) {
    const name = n === 1 ? branch : `${branch}-${n}`
    const { stdout } = await git(['for-each-ref', '--format=%(refname)', `refs/heads/${name}`], options)
    if (stdout.length > 0) continue
    await git(['update-ref', `refs/heads/${name}`, start, '0'.repeat(start.length)], options)
    return name
  }
}

/** Puts what was not committed into the working tree, uncommitted. @returns remarks for people */
async function applyUncommitted(
  options: GitOptions,
  target: string,
  { kept, start }: { readonly kept: Kept; readonly start: string },
): Promise<string[]> {
  const inTarget = await withoutFilters(options, target)
  const trees = await gitText(['rev-parse', `${kept.head}^{tree}`, `${kept.uncommitted}^{tree}`], inTarget)
  const [before, after] = trees.split('\n')
  if (before === after) return []
  if (kept.head !== start)
    return [
      `the agent left uncommitted changes on other commits: git cherry-pick --no-commit ${shortCommit(kept.uncommitted)} brings them here`,
    ]
  await git(['read-tree', '-m', '-u', 'HEAD', kept.uncommitted], inTarget)
  await git(['reset', '--quiet'], { ...inTarget, answers: [1] })
  return ['what the agent had not committed is in the folder, not committed']
}
