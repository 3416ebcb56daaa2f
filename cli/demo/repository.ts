/** The demo's repository: a bare one with a small shop of a few files, which agents work on. */
import { existsSync } from 'node:fs'
import { cp, mkdir, rename, rm } from 'node:fs/promises'
import { execFile } from 'node:child_process'
import { devNull } from 'node:os'
import process from 'node:process'
import { promisify } from 'node:util'

const IDENTITY = ['-c', 'user.name=Slipway', '-c', 'user.email=slipway@localhost']

/** Makes the bare repository at `target` from the files at `source`. An existing repository stays. */
export async function makeDemoRepository(source: string, target: string): Promise<void> {
  if (existsSync(target)) return
  const [work, draft] = [`${target}.files`, `${target}.draft`]
  for (const left of [work, draft]) await rm(left, { recursive: true, force: true })
  await mkdir(work, { recursive: true })
  await cp(source, work, { recursive: true })
  // Neither hooks nor signatures of the person: it is no work of theirs.
  const env = { ...process.env, GIT_CONFIG_GLOBAL: devNull, GIT_CONFIG_NOSYSTEM: '1' }
  const run = (...args: string[]) => promisify(execFile)('git', args, { cwd: work, env })
  await run('init', '--quiet', '--initial-branch=main')
  await run('add', '--all')
  await run(...IDENTITY, 'commit', '--quiet', '--message=A small shop')
  await run('clone', '--quiet', '--bare', '--no-hardlinks', '--', work, draft)
  await run('--git-dir', draft, 'remote', 'remove', 'origin')
  await rename(draft, target)
  await rm(work, { recursive: true })
}
