import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { createInterface } from 'node:readline'

export interface RunningServer {
  readonly url: URL
  stop(): Promise<void>
}

/** Starts the built program and waits until it serves. @throws Error with what it printed when it ends before */
export async function startServer(
  program: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<RunningServer> {
  const child = spawn(process.execPath, [program, 'serve', ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const exited = once(child, 'exit')
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text))
  const url = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (line.startsWith('ready ')) resolve(line.slice('ready '.length))
    })
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}: ${errors}`)))
  })
  return {
    url: new URL(url),
    async stop() {
      child.kill('SIGTERM')
      await exited
    },
  }
}

/** A port of this machine that is free now. */
export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the listener has no port')
  server.close()
  await once(server, 'close')
  return address.port
}
