import { spawn } from 'node:child_process'
import { once } from 'node:events'

const DEADLINE_MS = 100_000

/** One bash, as a reader has one terminal: variables of one command are there in the next. */
export interface Shell {
  /** Everything the command prints, on stdout and stderr. @throws Error when it does not end within 100 seconds */
  run(command: string): Promise<string>
  close(): Promise<void>
}

/** @param mark ends what a command prints; must not occur in it */
export function openShell(cwd: string, env: NodeJS.ProcessEnv, mark: string): Shell {
  const bash = spawn('bash', ['--noprofile', '--norc'], { cwd, env, stdio: ['pipe', 'pipe', 'inherit'] })
  let printed = ''
  let whenEnded: () => void = () => undefined
  bash.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text
    if (printed.includes(mark)) whenEnded()
  })
  return {
    async run(command) {
      printed = ''
      const ended = new Promise<void>((resolve) => (whenEnded = resolve))
      bash.stdin.write(`eval ${quote(command)} </dev/null 2>&1; printf '%s' ${quote(mark)}\n`)
      try {
        await withDeadline(ended, () => `${command}\nhas not ended; it printed:\n${printed}`)
      } catch (error) {
        // What it runs may hold the pipe for ever: nobody waits for that.
        bash.kill('SIGKILL')
        bash.stdout.destroy()
        throw error
      }
      return printed.slice(0, printed.indexOf(mark))
    },
    async close() {
      if (bash.killed) return
      const ended = once(bash, 'close')
      bash.stdin.end()
      await ended
    },
  }
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

async function withDeadline(ended: Promise<void>, describe: () => string): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(describe())), DEADLINE_MS)
  })
  try {
    await Promise.race([ended, late])
  } finally {
    clearTimeout(timer)
  }
}
