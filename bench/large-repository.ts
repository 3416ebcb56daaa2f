/** A repository of a given size, the same at each call: what a team's product may have after years. */
import { spawn } from 'node:child_process'
import { createCipheriv } from 'node:crypto'
import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import type { Writable } from 'node:stream'

export interface RepositorySize {
  /** Each changes one file. */
  readonly commits: number
  readonly files: number
  /** Of one file, in bytes of text. */
  readonly fileBytes: number
}

const FOLDERS = 200
const FIRST_SECOND = 1_600_000_000

/** Makes a bare repository whose `main` has that many commits. Its text does not compress well, as that of a history does not. */
export async function makeLargeRepository(target: string, size: RepositorySize): Promise<void> {
  await mkdir(target, { recursive: true })
  await runGit(target, ['init', '--quiet', '--bare', '--initial-branch=main'])
  await runGit(target, ['fast-import', '--quiet', '--big-file-threshold=1g'], (input) => writeHistory(input, size))
  await runGit(target, ['pack-refs', '--all'])
}

async function runGit(cwd: string, args: readonly string[], write?: (input: Writable) => Promise<void>): Promise<void> {
  const child = spawn('git', args, { cwd, stdio: ['pipe', 'ignore', 'inherit'] })
  const ended = once(child, 'exit')
  await write?.(child.stdin)
  child.stdin.end()
  const [code] = await ended
  if (code !== 0) throw new Error(`git ${args[0] ?? ''} ended with ${String(code)}`)
}

/** git-fast-import(1), "Input Format". */
async function writeHistory(input: Writable, { commits, files, fileBytes }: RepositorySize): Promise<void> {
  const random = createCipheriv('aes-128-ctr', Buffer.alloc(16, 'slipway'), Buffer.alloc(16))
  const text = (): string => {
    const bytes = random.update(Buffer.alloc(Math.ceil((fileBytes * 3) / 4)))
    return bytes.toString('base64').replaceAll(/.{76}/g, '$&\n')
  }
  for (let commit = 0; commit < commits; commit++) {
    const message = `Change ${commit}`
    const changed = commit === 0 ? Array.from({ length: files }, (_, n) => n) : [(commit * 7919) % files]
    const head = [
      'commit refs/heads/main',
      `committer A Person <person@example.com> ${FIRST_SECOND + commit * 60} +0000`,
      `data ${message.length}`,
      message,
    ]
    await put(input, `${head.join('\n')}\n`)
    for (const n of changed) {
      const content = text()
      await put(input, `M 100644 inline ${pathOf(n)}\ndata ${content.length}\n${content}\n`)
    }
  }
}

async function put(input: Writable, text: string): Promise<void> {
  if (!input.write(text)) await once(input, 'drain')
}

function pathOf(n: number): string {
  return `src/part-${n % FOLDERS}/file-${n}.txt`
}
