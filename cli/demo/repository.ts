/** The demo's repository: a bare one with a small shop of a few files, which agents work on. */
import { existsSync } from 'node:fs'
import { cp, mkdir, rename, rm } from 'node:fs/promises'
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

const IDENTITY = ['-c', 'user.name=Slipway', '-c', 'user.email=slipway@localhost']

/** Makes the bare repository at `target` from the files at `source`. An existing repository stays. */
export async function makeDemoRepository(source: string, target: string): Promise<void> {
  if (existsSync(target)) return
  const [work, draft] = [`${target}.files`, `${target}.draft`]
  for (const left of [work, draft]) await rm(left, { recursive: true, force: true })
  await mkdir(work, { recursive: true })
  await cp(source, work, { recursive: true })
  const git = (...args: string[]) => run('git', args, { cwd: work })
  await git('init', '--quiet', '--initial-branch=main')
  await git('add', '--all')
  await git(...IDENTITY, 'commit', '--quiet', '--message=A small shop')
  await git('clone', '--quiet', '--bare', '--no-hardlinks', '--', work, draft)
  await git('--git-dir', draft, 'remote', 'remove', 'origin')
  await rename(draft, target)
  await rm(work, { recursive: true })
}
