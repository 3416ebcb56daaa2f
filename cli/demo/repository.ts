/** The demo's repository: a bare one with this project's own files. */
import { existsSync } from 'node:fs'
import { cp, mkdir, rename, rm } from 'node:fs/promises'
import { execFile } from 'node:child_process'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

const IDENTITY = ['-c', 'user.name=Slipway', '-c', 'user.email=slipway@localhost']

/**
 * Makes the bare repository at `target` from the project at `source`, once; a repository that is there stays.
 *
 * A full checkout is cloned with its history. A shallow checkout, or a folder that is no checkout, gives one commit with the
 * same files: a bare repository without its history's parents could not be pushed to safely.
 */
export async function makeDemoRepository(source: string, target: string): Promise<void> {
  if (existsSync(target)) return
  const draft = `${target}.draft`
  await rm(draft, { recursive: true, force: true })
  await mkdir(dirname(target), { recursive: true })
  if (await isFullCheckout(source)) await cloneBare(source, draft)
  else await commitFiles(source, draft)
  await rename(draft, target)
}

async function git(args: readonly string[], cwd: string): Promise<string> {
  const { stdout } = await run('git', [...args], { cwd })
  return stdout.trim()
}

async function isFullCheckout(source: string): Promise<boolean> {
  if (!existsSync(join(source, '.git'))) return false
  const [shallow, head] = await Promise.all([
    git(['rev-parse', '--is-shallow-repository'], source),
    git(['rev-list', '--max-count=1', '--all'], source),
  ])
  return shallow === 'false' && head !== ''
}

async function cloneBare(source: string, target: string): Promise<void> {
  await git(['clone', '--quiet', '--bare', '--no-hardlinks', '--', source, target], source)
  const head = await git(['rev-parse', 'HEAD'], source)
  await pointMainAt(target, head)
}

async function commitFiles(source: string, target: string): Promise<void> {
  const work = `${target}.work`
  await rm(work, { recursive: true, force: true })
  const ignored = new Set(['.git', 'node_modules', 'dist', '.slipway'].map((name) => join(source, name)))
  await cp(source, work, { recursive: true, filter: (path) => !ignored.has(path) })
  await git(['init', '--quiet', '--initial-branch=main'], work)
  await git(['add', '--all'], work)
  await git([...IDENTITY, 'commit', '--quiet', '--message=The files of Slipway'], work)
  await git(['clone', '--quiet', '--bare', '--no-hardlinks', '--', work, target], work)
  await rm(work, { recursive: true, force: true })
}

/** Other branches of the checkout, and a detached HEAD, are of no use to the demo. */
async function pointMainAt(repository: string, commit: string): Promise<void> {
  await git(['update-ref', 'refs/heads/main', commit], repository)
  await git(['symbolic-ref', 'HEAD', 'refs/heads/main'], repository)
  await git(['remote', 'remove', 'origin'], repository)
}
