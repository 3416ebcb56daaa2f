/** The page of `slipway watch`: drawn each second, and soon after each change. */
import type { Task } from '../../core/rest/client/client.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Screen, Terminal } from '../command.ts'
import type { TaskListener } from './live-tasks.ts'
import { openPage } from './redraw.ts'
import type { Style } from './style.ts'
import { type Connection, pageLines } from './task-table.ts'

const TICK_MS = 1000
/** A busy server sends hundreds of changes a second; all of this time are one drawing. */
const GATHER_MS = 50

export interface TaskPageOptions {
  readonly terminal: Terminal
  readonly screen: Screen
  readonly style: Style
  /** The only state that is wanted. */
  readonly state: Task['state'] | undefined
  readonly clock: Clock
}

export interface TaskPage extends TaskListener {
  /** Gives the terminal back, and leaves the table there as it was last. */
  close(): void
}

export function openTaskPage({ terminal, screen, style, state, clock }: TaskPageOptions): TaskPage {
  const tasks = new Map<string, Task>()
  let connection: Connection = { kind: 'starting' }
  const linesFor = (size: ReturnType<Screen['size']>): string[] =>
    pageLines({ tasks: [...tasks.values()], state, connection }, { style, ...size, now: clock.now() })
  const page = openPage(terminal.out, screen, linesFor)
  let cancel: () => void
  const draw = (): void => {
    isDue = false
    page.redraw()
    cancel = clock.schedule(TICK_MS, draw)
  }
  let isDue = false
  const drawSoon = (): void => {
    if (isDue) return
    isDue = true
    cancel()
    cancel = clock.schedule(GATHER_MS, draw)
  }
  draw()
  return {
    onChange(id, task, isWanted) {
      if (task !== undefined && isWanted) tasks.set(id, task)
      else tasks.delete(id)
      drawSoon()
    },
    onLive() {
      connection = { kind: 'live' }
      drawSoon()
    },
    onLost(why) {
      // When several attempts fail, the table is as old as the first loss.
      connection = { kind: 'lost', at: connection.kind === 'lost' ? connection.at : clock.now(), why }
      drawSoon()
    },
    close() {
      cancel()
      page.close()
      terminal.out(`${linesFor(screen.size()).join('\n')}\n`)
    },
  }
}
