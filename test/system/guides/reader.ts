/** Somebody who follows a guide: a home and a folder of their own, nothing but what the guide asks for. */
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import process from 'node:process'
import { createInterface } from 'node:readline'
import { openShell } from '../../../tools/api-page/shell.ts'
import { PROGRAM } from '../../helpers/slipway.ts'
import { endLeftovers } from '../installation.ts'
import type { Block } from './page.ts'
import type { Stage } from './stand-ins.ts'

const FAKE_CLAUDE = join(PROGRAM, '..', '..', '..', 'test', 'fixtures', 'agents', 'claude.mjs')
const MARK = '--- the block has ended ---'

export interface Ran {
  readonly exitCode: number
  readonly output: string
}

export interface Reader {
  readonly home: string
  /** Runs a block in the second terminal; its exit code is that of the last command that failed. */
  run(block: Block): Promise<Ran>
  /** Runs a block that starts a server, ending the one before, and gives what it printed until it served. */
  serve(block: Block): Promise<string>
  leave(): Promise<void>
}

/** Somebody in a new home, on the stage that their guide needs. */
export function aReader({ places = new Map(), ...stage }: Stage): Reader {
  const home = mkdtempSync(join(tmpdir(), 'slipway-guide-'))
  const env = { ...settle(home), ...stage.env }
  const shell = openShell(home, env, MARK)
  let server: Serving | undefined
  const here = (code: string): string =>
    [...places, ...(server === undefined ? [] : [['localhost:8080', server.host] as const])].reduce(
      (text, [name, place]) => text.replaceAll(name, place),
      code,
    )
  return {
    home,
    async run({ code }) {
      const output = await shell.run(`code=0; trap 'code=$?' ERR\n${here(code)}\ntrap - ERR; printf '\\n%s' "$code"`)
      const end = output.lastIndexOf('\n')
      return { exitCode: Number(output.slice(end + 1)), output: output.slice(0, end) }
    },
    async serve({ code }) {
      await server?.stop()
      server = await startServing(here(code), home, env)
      await shell.run(`export SLIPWAY_SERVER=http://${server.host}`)
      await stage.served?.(`http://${server.host}`, home)
      return server.output()
    },
    async leave() {
      await shell.close()
      await server?.stop()
      // Executions outlive their server.
      await endLeftovers(join(home, 'slipway', '.slipway'))
      await rm(home, { recursive: true, force: true, maxRetries: 10 })
    },
  }
}

/** What a reader has before the first line: a shell, git that knows their name, and the programs. */
function settle(home: string): NodeJS.ProcessEnv {
  const bin = join(home, '.local', 'bin')
  mkdirSync(bin, { recursive: true })
  const slipway = join(bin, 'slipway')
  writeFileSync(slipway, `#!/bin/sh\nexec '${process.execPath}' '${PROGRAM}' "$@"\n`)
  chmodSync(slipway, 0o755)
  // The model costs money. One file, because a sandbox shows nothing else of a home.
  copyFileSync(FAKE_CLAUDE, join(bin, 'claude'))
  chmodSync(join(bin, 'claude'), 0o755)
  writeFileSync(join(home, '.gitconfig'), '[user]\n\tname = Ada\n\temail = ada@example.com\n')
  const PATH = [bin, process.env['PATH'] ?? ''].join(delimiter)
  // Port 8080 may be somebody else's: each server takes a free one, and the blocks are told which.
  return { HOME: home, PATH, LANG: 'C.UTF-8', TMPDIR: tmpdir(), SLIPWAY_LISTEN: '127.0.0.1:0' }
}

interface Serving {
  /** `127.0.0.1:<port>` */
  readonly host: string
  output(): string
  stop(): Promise<void>
}

async function startServing(code: string, cwd: string, env: NodeJS.ProcessEnv): Promise<Serving> {
  // The group gets the Ctrl-C, as that of a terminal does.
  const bash = spawn('bash', ['-e', '-c', code], { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = once(bash, 'close')
  let printed = ''
  for (const stream of [bash.stdout, bash.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (printed += text))
  }
  const url = await new Promise<string>((resolve, reject) => {
    createInterface({ input: bash.stdout }).on('line', (line) => {
      if (line.startsWith('ready ')) resolve(line.slice('ready '.length))
    })
    bash.once('close', (exitCode) => reject(new Error(`the server ended with ${exitCode}:\n${printed}`)))
  })
  return {
    host: new URL(url).host,
    output: () => printed,
    async stop() {
      if (bash.exitCode === null && bash.pid !== undefined) process.kill(-bash.pid, 'SIGINT')
      await ended
    },
  }
}
