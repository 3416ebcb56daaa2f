import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Terminal, parsePage, renderPage } from './page.ts'
import { type RunningServer, findFreePort, startServer } from './server.ts'
import { type Shell, openShell } from './shell.ts'
import { shorten } from './shorten.ts'
import { nameCommits, toHere, toPage } from './stand-ins.ts'

const START = 'npm start -- '

export interface Recording {
  /** The checkout that the commands run in; it is built. */
  readonly root: string
  /** Told of each command before it runs. */
  readonly onCommand?: (command: string) => void
}

/** What a reader's machine is while a page is recorded: a folder of its own, a shell, and the server once started. */
interface Stage {
  readonly folder: string
  readonly metricsPort: number
  readonly shell: Shell
  readonly env: NodeJS.ProcessEnv
  server?: RunningServer
}

/**
 * Runs every command of a page for real and gives the page with what they printed.
 *
 * `npm start -- …` starts the built program, in the place of the one that runs, on a free port; everything else is run
 * by bash. The page's folder and ports stand for those of the recording, in commands and in what they print.
 */
export async function recordPage(markdown: string, recording: Recording): Promise<string> {
  const parts = parsePage(markdown)
  const printed = new Map<Terminal, string[]>()
  const stage = await openStage(recording)
  const withNames = nameCommits()
  try {
    for (const part of parts) {
      if (part.kind === 'prose') continue
      const outputs: string[] = []
      for (const command of part.commands) {
        recording.onCommand?.(command)
        outputs.push(withNames(shorten(await perform(command, stage, recording), part.shown)))
      }
      printed.set(part, outputs)
    }
  } finally {
    await closeStage(stage)
  }
  return renderPage(parts, printed)
}

async function openStage({ root }: Recording): Promise<Stage> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'slipway-tour-')))
  // Nothing of the caller's settings, logins or git identity may show in the page.
  const env = {
    PATH: process.env['PATH'],
    HOME: folder,
    LANG: 'C.UTF-8',
    TMPDIR: process.env['TMPDIR'],
    TZ: 'UTC',
  }
  const shell = openShell(root, env, `--- end of ${folder} ---`)
  return { folder, metricsPort: await findFreePort(), shell, env }
}

async function closeStage({ shell, server, folder }: Stage): Promise<void> {
  await shell.close()
  await server?.stop()
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}

async function perform(command: string, stage: Stage, { root }: Recording): Promise<string> {
  if (command.startsWith(START)) return start(command, stage, root)
  const places = placesOf(stage)
  return toPage(await stage.shell.run(toHere(command, places)), places)
}

/** Bash takes the arguments apart, as it does for the reader. */
async function start(command: string, stage: Stage, root: string): Promise<string> {
  await stage.server?.stop()
  const given = toHere(command.slice(START.length), placesOf(stage))
  const args = (await stage.shell.run(`printf '%s\\0' ${given}`)).split('\0').slice(0, -1)
  const program = join(root, 'dist', 'bin', 'slipway.js')
  stage.server = await startServer(program, ['--listen', '127.0.0.1:0', ...args], stage.env)
  return toPage(`ready ${stage.server.url.origin}`, placesOf(stage))
}

function placesOf({ folder, metricsPort, server }: Stage): { folder: string; metricsPort: number; port: number } {
  return { folder, metricsPort, port: Number(server?.url.port ?? 0) }
}
