import { spawn } from 'node:child_process'
import { once } from 'node:events'
import process from 'node:process'
import { lstat } from 'node:fs/promises'
import { ifThere } from '../../lib/files.ts'
import type { ClientCommand, ClientInvocation } from '../client-command.ts'
import { findFolderEditor, runEditor } from '../client/editor.ts'
import { print } from '../client/output.ts'
import type { Session } from '../client/session.ts'
import { findTaskWorkspace } from '../client/workspace.ts'
import { UsageError } from '../command.ts'

export const openCommand: ClientCommand = {
  kind: 'client',
  name: 'open',
  summary: 'Open the page of a task, or the UI, in the browser; or its workspace in your editor',
  details: [
    'Prints the address, and opens it where there is a screen. BROWSER names the program; the address holds no token.',
    'With --editor it prints the folder of the kept workspace and opens that in VISUAL, EDITOR or code, for servers on this',
    'machine. Nobody has checked what the agent left there, and your editor runs with your rights: in VS Code stay in',
    'Restricted Mode, and see slipway shell for a look without that risk.',
  ].join('\n'),
  examples: ['slipway open add-login', 'slipway open --story checkout', 'slipway open add-login --editor'],
  words: [{ name: 'task', isOptional: true, mayBeShort: true }],
  flags: [
    { name: 'story', value: 'id', description: 'The page of that story' },
    { name: 'editor', description: 'The workspace of the task in your editor, in place of its page' },
  ],
  async run(invocation) {
    const { session, terminal, signal, style, values, switches, words } = invocation
    const [task] = words
    if (switches.has('editor')) return openWorkspace(invocation, task)
    const url = `${addressOf(session)}${await findPage(session, task, values.get('story'), signal)}`
    print(terminal, session.form, { url }, () => `${url}\n`)
    const browser = style.isTerminal ? findBrowser(process.env, process.platform) : undefined
    if (browser !== undefined && !(await start(browser, url)))
      terminal.err(`${browser} could not be started: open the address yourself\n`)
    return 0
  },
}

/** What no editor can be asked to leave alone: git alone runs what the settings of a clone name. */
async function openWorkspace(
  { session, terminal, signal, values }: ClientInvocation,
  id: string | undefined,
): Promise<number> {
  if (id === undefined || values.has('story')) throw new UsageError('open: --editor takes a task')
  const { clone, isAtWork, state } = await findTaskWorkspace(session, { command: 'open', id }, signal)
  if (isAtWork)
    throw new UsageError(
      `open: ${id} is ${state}, and its agent alone writes in ${clone}: look with slipway shell ${id}`,
    )
  if ((await ifThere(lstat(clone)))?.isDirectory() !== true)
    throw new UsageError(
      `open: there is no workspace ${clone} on this machine: it is removed once the work is accepted`,
    )
  print(terminal, session.form, { workspace: clone }, () => `${clone}\n`)
  terminal.err(
    `An agent wrote what is there: git, tasks, tests and extensions that your editor starts may run what it left, with your rights. In VS Code stay in Restricted Mode, and trust no folder above it. A look without that risk: slipway shell ${id}\n`,
  )
  await runEditor(findFolderEditor(process.env), clone)
  return 0
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
