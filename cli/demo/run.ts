/** The demo: what a person would do over REST, and what they would see. */
import { formatChanges } from '../../core/sentences/amounts.ts'
import { packageFolder } from '../installation.ts'
import type { ApiClient } from '../../core/rest/client/client.ts'
import { ApiFailure } from '../../core/rest/client/call.ts'
import { DEFAULT_SERVER } from '../client/session.ts'
import type { Terminal } from '../command.ts'
import { makeDemoRepository } from './repository.ts'
import { DEMO_TASKS } from './tasks.ts'

export interface DemoOptions {
  readonly api: ApiClient
  readonly url: string
  /** What a person types before a command: `slipway`, or `npx slipway` in a clone. */
  readonly program: string
  /** Path of the bare repository to make. */
  readonly repository: string
  readonly hasToken: boolean
  readonly terminal: Terminal
  readonly signal: AbortSignal
}

const LAST = DEMO_TASKS[DEMO_TASKS.length - 1]?.id ?? ''

/**
 * Registers the repository, queues the tasks, follows each to its end, shows the last one's diff, accepts all but that one.
 *
 * @throws Error when a task ends in another state than READY
 */
export async function runDemo(options: DemoOptions): Promise<void> {
  const { api, terminal } = options
  await makeDemoRepository(packageFolder(), options.repository)
  const project = { id: 'demo', name: 'Slipway itself', remote_url: options.repository }
  await once(() => api.createProject({ body: project }))
  terminal.out(`project demo: ${options.repository}\n`)
  for (const task of DEMO_TASKS) await once(() => api.createTask({ body: task }))
  for (const { id } of DEMO_TASKS) await runIfPending(api, id)
  for (const { id, name } of DEMO_TASKS) {
    if (options.signal.aborted) return
    await followTask(options, id, name)
  }
  if (!options.signal.aborted) await showLastTask(options)
}

/** Ignores that a record exists already: an earlier start of the demo made it. */
async function once(create: () => Promise<unknown>): Promise<void> {
  try {
    await create()
  } catch (error) {
    if (!(error instanceof ApiFailure && error.status === 409)) throw error
  }
}

async function runIfPending(api: ApiClient, id: string): Promise<void> {
  const { state } = await api.getTask({ params: { id } })
  if (state === 'PENDING') await api.runTask({ params: { id } })
}

async function followTask({ api, terminal, signal }: DemoOptions, id: string, name: string): Promise<void> {
  const before = await api.getTask({ params: { id } })
  const waits = before.waiting_for === undefined ? '' : ` (waits: ${before.waiting_for})`
  terminal.out(`\n${id}: ${name}${waits}\n`)
  try {
    for await (const { event, data } of api.streamTaskLogs({ params: { id } }, { signal })) {
      if (event === 'log') terminal.out(`  | ${String(data['line'])}\n`)
    }
  } catch (error) {
    if (signal.aborted) return
    throw error
  }
  const task = await api.getTask({ params: { id } })
  terminal.out(
    `${id}: ${task.state}${task.changes === undefined ? '' : ` (${formatChanges(task.changes)})`}, branch ${String(task.branch)}\n`,
  )
  if (task.state !== 'READY' && task.state !== 'COMPLETED') {
    throw new Error(`task ${id} ended ${task.state}: ${String(task.error)}`)
  }
  if (id !== LAST && task.state === 'READY') {
    await api.acceptTask({ params: { id } })
    terminal.out(`${id}: accepted\n`)
  }
}

async function showLastTask({ api, terminal, url, hasToken, program }: DemoOptions): Promise<void> {
  const task = await api.getTask({ params: { id: LAST } })
  const diff = await api.getExecutionDiff({ params: { id: task.execution_id ?? '' } })
  terminal.out(`\nThe diff of ${LAST}:\n\n${diff}\n`)
  if (task.state !== 'READY') {
    terminal.out(`${LAST} is ${task.state}: nothing left to accept.\n`)
    return
  }
  terminal.out(nextSteps({ task: LAST, url, hasToken, program }))
}

/** What a person can do now, the browser first: one per line. */
export function nextSteps({
  task,
  url,
  hasToken,
  program,
}: Pick<DemoOptions, 'url' | 'hasToken' | 'program'> & { readonly task: string }): string {
  const server = url === DEFAULT_SERVER ? '' : ` --server ${url}`
  const token = hasToken ? ', with the token in SLIPWAY_TOKEN' : ''
  return [
    `${task} is READY and waits for you. Look at it and accept it in the browser:`,
    `  ${url}/tasks/${task}`,
    `or in another terminal, in this folder${token}:`,
    `  ${program}${server} diff ${task}`,
    `  ${program}${server} accept ${task}`,
    'Then use a repository of your own (script runs the prompt itself; slipway agents says which others can work):',
    `  ${program}${server} add-project mine <path or URL>`,
    `  ${program}${server} run 'echo hello > hello.txt' --project mine --agent script -f`,
    '',
  ].join('\n')
}
