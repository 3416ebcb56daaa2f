/** Tasks as they change: a page on a terminal, and a line for each change everywhere else. */
import type { Task } from '../../core/rest/client/client.ts'
import { toTimestamp } from '../../core/time.ts'
import { systemClock } from '../../lib/clock.ts'
import type { ClientCommand, ClientInvocation } from '../client-command.ts'
import type { TaskFilter, TaskListener } from '../client/live-tasks.ts'
import { openTaskPage } from '../client/task-page.ts'
import { print } from '../client/output.ts'
import { escaped, oneLine } from '../client/text.ts'
import { readState } from './tasks.ts'

const MAX_WAIT = 2000

export const watchCommand: ClientCommand = {
  kind: 'client',
  name: 'watch',
  summary: 'Show tasks as they change, until Ctrl-C',
  details: [
    'On a terminal it is a table that fills the screen: tasks that go on first, how long each has run, and what it waits',
    'for; what waits for you is counted at the top. While the server is away, the table is gray and says since when.',
    '',
    'Elsewhere, and with -o, it prints each task that is there and then each change: one line, or with -o json the record',
    'on one line. A task that is deleted is {"id": ..., "deleted": true}. A task that no longer is in the state of --state',
    'is printed once more.',
  ].join('\n'),
  examples: ['slipway watch --project shop', `slipway watch --state READY -o json | jq -r .id`],
  prints: 'task',
  words: [],
  flags: [
    { name: 'project', short: 'p', value: 'name', description: 'Only tasks of that project' },
    { name: 'state', short: 's', value: 'STATE', description: 'Only those in that state, such as READY' },
  ],
  async run(invocation) {
    const { signal } = invocation
    try {
      await watch(invocation)
    } catch (error) {
      // Ctrl-C is how this command ends.
      if (!signal.aborted) throw error
    }
    return 0
  },
}

async function watch(invocation: ClientInvocation): Promise<void> {
  const { session, terminal, signal, values, style } = invocation
  const state = values.get('state')
  const project = values.get('project')
  const filter: TaskFilter = { project, state: state === undefined ? undefined : readState('state', state) }
  // Says what is wrong with the server, the token or the project as every command does.
  if (project === undefined) await session.api.listTasks({ query: { limit: 1 } }, { signal })
  else await session.api.getProject({ params: { id: project } }, { signal })
  const { followTasks } = await import('../client/live-tasks.ts')
  const follow = (listener: TaskListener): Promise<void> =>
    followTasks({ session, filter, clock: systemClock, random: Math.random, signal, listener })
  const screen = session.form === 'table' ? terminal.outScreen : undefined
  if (screen === undefined) return follow(changePrinter(invocation))
  const page = openTaskPage({ terminal, screen, style, state: filter.state, clock: systemClock })
  try {
    await follow(page)
  } finally {
    page.close()
  }
}

/** Prints what a line shows of a task whenever that has changed. */
function changePrinter({ session, terminal }: ClientInvocation): TaskListener {
  const shown = new Map<string, string>()
  let isLost = false
  return {
    onChange(id, task, isWanted) {
      const text = changeText(id, task)
      const isKnown = shown.get(id) === text
      if (isWanted) shown.set(id, text)
      else shown.delete(id)
      if (isKnown && session.form === 'table') return
      const record = task ?? { id, deleted: true }
      if (session.form === 'json') terminal.out(`${escaped(JSON.stringify(record))}\n`)
      else {
        // Each is a document of its own (YAML 1.2, section 9.2).
        if (typeof session.form === 'object') terminal.out('---\n')
        print(terminal, session.form, record, () => `${toTimestamp(systemClock.now())} ${text}\n`)
      }
    },
    onLive() {
      if (isLost) terminal.err('connected again\n')
      isLost = false
    },
    onLost(why) {
      if (!isLost) terminal.err(`the connection is lost (${oneLine(why, MAX_WAIT)}); trying again …\n`)
      isLost = true
    },
  }
}

function changeText(id: string, task: Task | undefined): string {
  if (task === undefined) return `${id} deleted`
  const { state, waiting_for: why } = task
  return `${id} ${state}${why === undefined ? '' : `: ${oneLine(why, MAX_WAIT)}`}`
}
