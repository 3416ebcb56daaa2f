import { appendFileSync, chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'

export interface GitCounter {
  /** The arguments of every git that this process has started since. */
  calls(): readonly string[]
  stop(): void
}

/** Puts a git first on PATH that notes how it was called and then is the real one. */
export function countGit(folder: string): GitCounter {
  const real = execFileSync('bash', ['-c', 'command -v git'], { encoding: 'utf8' }).trim()
  const [bin, list, path] = [join(folder, 'counted'), join(folder, 'git-calls'), process.env['PATH'] ?? '']
  mkdirSync(bin)
  appendFileSync(list, '')
  writeFileSync(join(bin, 'git'), `#!/bin/sh\necho "$*" >> '${list}'\nPATH='${path}' exec '${real}' "$@"\n`)
  chmodSync(join(bin, 'git'), 0o755)
  process.env['PATH'] = `${bin}:${path}`
  return {
    calls: () => readFileSync(list, 'utf8').split('\n').slice(0, -1),
    stop: () => (process.env['PATH'] = path),
  }
}
