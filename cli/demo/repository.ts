/** The demo's repository: a bare repository with this project's own files. */
import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { execFile } from 'node:child_process'
import { tmpdir } from 'node:os'
import { dirname, join, relative, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)

const IDENTITY = ['-c', 'user.name=Slipway', '-c', 'user.email=slipway@localhost']

/**
 * Makes the bare repository at `target` from the project at `source`. An existing repository stays.
 *
 * A full checkout is cloned with its history. A shallow checkout, or a folder that is no checkout, becomes one commit with
 * the same files: pushing to a bare repository that lacks parents of its commits would not be safe.
 */
export async function makeDemoRepository(source: string, target: string): Promise<void> {
  if (existsSync(target)) return
  const draft = `${target}.draft`
  await rm(draft, { recursive: true, force: true })
  await mkdir(dirname(target), { recursive: true })
  const kind = await kindOf(source)
  if (kind === 'full') await cloneBare(source, draft)
  else await withTemporaryFolder((work) => makeFromFiles(kind, source, draft, work))
  await rename(draft, target)
}

async function makeFromFiles(kind: 'shallow' | 'files', source: string, target: string, work: string): Promise<void> {
  if (kind === 'shallow') await copyShallow(source, work)
  else await copyFiles(source, target, work)
  await commitFiles(source, target, work)
}

async function withTemporaryFolder(use: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'slipway-demo-'))
  try {
    await use(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function git(args: readonly string[], cwd: string): Promise<string> {
  const { stdout } = await run('git', [...args], { cwd })
  return stdout.trim()
}

async function kindOf(source: string): Promise<'full' | 'shallow' | 'files'> {
  if (!existsSync(join(source, '.git'))) return 'files'
  if ((await git(['rev-list', '--max-count=1', '--all'], source)) === '') return 'files'
  const isShallow = await git(['rev-parse', '--is-shallow-repository'], source)
  return isShallow === 'true' ? 'shallow' : 'full'
}

async function cloneBare(source: string, target: string): Promise<void> {
  await git(['clone', '--quiet', '--bare', '--no-hardlinks', '--', source, target], source)
  const head = await git(['rev-parse', 'HEAD'], source)
  await pointMainAt(target, head)
}

async function commitFiles(source: string, target: string, work: string): Promise<void> {
  await git(['init', '--quiet', '--initial-branch=main'], work)
  await git(['add', '--all'], work)
  await git([...IDENTITY, 'commit', '--quiet', '--message=The files of Slipway'], work)
  await git(['clone', '--quiet', '--bare', '--no-hardlinks', '--', work, target], source)
}

/** Copies the files of HEAD, without history. */
async function copyShallow(source: string, work: string): Promise<void> {
  await git(['clone', '--quiet', '--depth=1', '--', pathToFileURL(source).href, work], source)
  await rm(join(work, '.git'), { recursive: true })
}

/** Copies the files of a folder that is no checkout, without built and installed files and our own data. */
async function copyFiles(source: string, target: string, work: string): Promise<void> {
  const [holdsTarget] = relative(source, target).split(sep)
  const left = new Set(['node_modules', 'dist', '.slipway', holdsTarget])
  for (const name of await readdir(source)) {
    if (!left.has(name)) await cp(join(source, name), join(work, name), { recursive: true })
  }
}

/** The demo needs no other branch of the checkout, and no detached HEAD. */
async function pointMainAt(repository: string, commit: string): Promise<void> {
  await git(['update-ref', 'refs/heads/main', commit], repository)
  await git(['symbolic-ref', 'HEAD', 'refs/heads/main'], repository)
  await git(['remote', 'remove', 'origin'], repository)
}
