import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'

/**
 * Starts a process below a parent that never waits for it, as the first process of a container may be: once ended it
 * stays a zombie until `parent` is ended, which the caller does. What it prints is lost.
 */
export async function startUnwaited(
  command: string,
  args: readonly string[] = [],
): Promise<{ parent: ChildProcess; pid: number }> {
  const script = '"$@" >/dev/null 2>&1 & echo $!; exec sleep 600 >/dev/null'
  const parent = spawn('bash', ['-c', script, 'bash', command, ...args], { stdio: ['ignore', 'pipe', 'ignore'] })
  const [line]: unknown[] = await once(parent.stdout, 'data')
  return { parent, pid: Number(String(line)) }
}
