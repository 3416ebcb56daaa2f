import { spawn } from 'node:child_process'
import { once } from 'node:events'
import process from 'node:process'
import type { ClientCommand } from '../client-command.ts'
import { print } from '../client/output.ts'
import type { Session } from '../client/session.ts'
import { UsageError } from '../command.ts'

export const openCommand: ClientCommand = {
  kind: 'client',
  name: 'open',
  summary: 'Open the page of a task, or the UI, in the browser',
  details:
    'Prints the address, and opens it where there is a screen. BROWSER names the program; the address holds no token.',
  examples: ['slipway open add-login', 'slipway open --story checkout'],
  words: [{ name: 'task', isOptional: true, mayBeShort: true }],
  flags: [{ name: 'story', kind: 'text', value: 'id', description: 'The page of that story' }],
  async run({ session, terminal, signal, style, values, words: [task] }) {
    const url = `${addressOf(session)}${await findPage(session, task, values.get('story'), signal)}`
    print(terminal, session.form, { url }, () => `${url}\n`)
    const browser = style.isTerminal ? findBrowser(process.env, process.platform) : undefined
    if (browser !== undefined && !(await start(browser, url)))
      terminal.err(`${browser} could not be started: open the address yourself\n`)
    return 0
  },
}

function addressOf({ server }: Session): string {
  if (/^https?:/.test(server)) return server
  throw new UsageError(
    `open: the server is reached through ${server}, where no browser can follow: give its address with --server, or forward a port of it`,
  )
}

/** Only pages that are there, so that a slip of the pen is told here. */
async function findPage(
  { api }: Session,
  task: string | undefined,
  story: string | undefined,
  signal: AbortSignal,
): Promise<string> {
  if (task !== undefined && story !== undefined) throw new UsageError('open: give either a task or --story')
  if (story !== undefined) return `/stories/${(await api.getStory({ params: { id: story } }, { signal })).id}`
  return task === undefined ? '/' : `/tasks/${(await api.getTask({ params: { id: task } }, { signal })).id}`
}

/** The program that shows a page; undefined where there is no screen to show it on. */
export function findBrowser(
  { BROWSER: chosen, DISPLAY: x11, WAYLAND_DISPLAY: wayland }: Readonly<Record<string, string | undefined>>,
  platform: string,
): string | undefined {
  if (chosen !== undefined && chosen !== '') return chosen
  if (platform === 'darwin') return 'open'
  return (x11 ?? wayland ?? '') === '' ? undefined : 'xdg-open'
}

/** Leaves it running; false when it is not installed. */
async function start(browser: string, url: string): Promise<boolean> {
  const child = spawn(browser, [url], { stdio: 'ignore', detached: true })
  const hasStarted = once(child, 'spawn').then(
    () => true,
    () => false,
  )
  child.unref()
  return hasStarted
}
