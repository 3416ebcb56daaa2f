/**
 * Commits what an agent left uncommitted.
 *
 * Git uses a GIT_DIR and an index of our own, and the clone as working tree. So no hook, filter, monitor or setting of the
 * clone runs; only its ignore rules and end-of-line attributes count. New objects go into the clone's object store; then
 * HEAD's branch and the index are replaced as files. Repositories inside the clone, such as an initialised submodule, are
 * left as they are, because looking into one would run git with its settings.
 */
import { mkdtemp, readFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { inFolderNoFollow, writeFileAtomic } from '../../lib/files.ts'
import { removeTree } from '../../lib/remove-tree.ts'
import type { GitOptions } from '../../lib/git.ts'
import { git, gitText } from '../../lib/git.ts'
import { initBare, readHead, vetObjects } from '../../lib/git-untrusted.ts'
import type { CloneHead } from '../../lib/git-untrusted.ts'
import type { StepContext } from '../context.ts'

/** Author of the runner's commits; agents that commit themselves bring their own identity. */
const IDENTITY = { name: 'Slipway', email: 'slipway@localhost' }

/**
 * Commits everything that is neither committed nor ignored, with the task's title as subject.
 *
 * @throws UntrustedClone, UnsafePath or GitFailed when the clone is damaged: its work is then not committed.
 */
export async function commitUncommitted(context: StepContext, signal: AbortSignal): Promise<void> {
  const { paths } = context
  const head = await readHead(paths.clone)
  const objects = await vetObjects(paths.clone)
  // The step's own folder is the agent's TMPDIR: what the agent put there would become our repository's settings.
  const own = await mkdtemp(join(dirname(context.tmp), 'slipway-commit-'))
  try {
    await commitWith(context, { head, objects, gitDir: join(own, 'commit.git') }, signal)
  } finally {
    await removeTree(own)
  }
}

interface Stores {
  readonly head: CloneHead
  /** The clone's objects. */
  readonly objects: string
  readonly gitDir: string
}

async function commitWith(context: StepContext, { head, objects, gitDir }: Stores, signal: AbortSignal): Promise<void> {
  const { paths, say } = context
  await initBare(gitDir, head.commit, signal)
  const variables = { GIT_OBJECT_DIRECTORY: objects, GIT_WORK_TREE: paths.clone }
  const tree = await stageAll({ gitDir, cwd: paths.clone, env: variables, signal }, head.commit, say)
  if (tree === undefined) return
  const commit = await commitTree(context, { gitDir, env: { ...variables, ...identity(context) }, signal }, head, tree)
  await replaceFile(paths.clone, `.git/${head.ref ?? 'HEAD'}`, `${commit}\n`)
  await replaceFile(paths.clone, '.git/index', await readFile(join(gitDir, 'index')))
  say(`committed what was left uncommitted as ${commit.slice(0, 12)}`)
}

/** The tree of the whole working tree; undefined when it is HEAD's own. */
async function stageAll(options: GitOptions, head: string, say: StepContext['say']): Promise<string | undefined> {
  await git(['read-tree', head], options)
  // Exit code 1 says that something differs.
  await git(['update-index', '-q', '--refresh'], { ...options, answers: [1] })
  const changed = split(await git(['diff-files', '-z', '--name-status', '--ignore-submodules=all'], options))
  const untracked = split(await git(['ls-files', '-z', '--others', '--exclude-standard'], options))
  const isRepository = (path: string): boolean => path.endsWith('/')
  const added = untracked.filter((path) => !isRepository(path))
  for (const path of untracked.filter(isRepository)) say(`not committed: ${path} is a repository of its own`)
  const paths = changed.filter((_, i) => i % 2 === 1)
  const isDeleted = (_: string, i: number): boolean => changed[2 * i] === 'D'
  const deleted = paths.filter(isDeleted)
  const modified = paths.filter((path, i) => !isDeleted(path, i))
  if (paths.length + added.length === 0) return undefined
  await git(['update-index', '-z', '--force-remove', '--stdin'], { ...options, input: join0(deleted) })
  const add = ['update-index', '-z', '--add', '--remove', '--replace', '--stdin']
  await git(add, { ...options, input: join0([...modified, ...added]) })
  const tree = await gitText(['write-tree'], options)
  const before = await gitText(['rev-parse', `${head}^{tree}`], options)
  return tree === before ? undefined : tree
}

function split({ stdout }: { readonly stdout: Buffer }): string[] {
  // latin1 keeps every byte of a name that is not UTF-8.
  return stdout.toString('latin1').split('\0').slice(0, -1)
}

function join0(paths: readonly string[]): Buffer {
  return Buffer.from(paths.map((path) => `${path}\0`).join(''), 'latin1')
}

function commitTree({ run }: StepContext, options: GitOptions, head: CloneHead, tree: string): Promise<string> {
  const subject = run.title.replaceAll(/\s+/g, ' ').trim() || run.task
  const message = `${subject}\n\nSlipway-Task: ${run.task}\n`
  return gitText(['commit-tree', '-p', head.commit, '-F', '-', tree], { ...options, input: message })
}

/** Author, committer and date of a commit of the runner. */
export function identity({ clock }: Pick<StepContext, 'clock'>): Record<string, string> {
  const date = clock.now().toISOString()
  return {
    GIT_AUTHOR_NAME: IDENTITY.name,
    GIT_AUTHOR_EMAIL: IDENTITY.email,
    GIT_AUTHOR_DATE: date,
    GIT_COMMITTER_NAME: IDENTITY.name,
    GIT_COMMITTER_EMAIL: IDENTITY.email,
    GIT_COMMITTER_DATE: date,
  }
}

function replaceFile(clone: string, file: string, content: string | Buffer): Promise<void> {
  const folders = dirname(file).split('/')
  return inFolderNoFollow(clone, folders, (folder) => writeFileAtomic(join(folder, basename(file)), content), {
    create: true,
  })
}
