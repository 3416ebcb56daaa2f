/** The demo itself: what a person would do with curl, and what they would see. */
import { packageFolder } from '../installation.ts'
import type { RestClient } from '../client.ts'
import { asRecord, RequestFailed } from '../client.ts'
import type { Terminal } from '../command.ts'
import { makeDemoRepository } from './repository.ts'
import { DEMO_TASKS } from './tasks.ts'

export interface DemoOptions {
  readonly api: RestClient
  readonly url: string
  readonly kubeconfigPath: string
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
  await createOnce(api, '/api/projects', { id: 'demo', name: 'Slipway itself', remote_url: options.repository })
  terminal.out(`project demo: ${options.repository}\n`)
  for (const task of DEMO_TASKS) await createOnce(api, '/api/tasks', task)
  for (const { id } of DEMO_TASKS) await runIfPending(api, id)
  for (const { id, name } of DEMO_TASKS) {
    if (options.signal.aborted) return
    await followTask(options, id, name)
  }
  if (!options.signal.aborted) await showLastTask(options)
}

/** A record that is there already is from an earlier start of the demo. */
async function createOnce(api: RestClient, path: string, record: object): Promise<void> {
  try {
    await api.post(path, record)
  } catch (error) {
    if (!(error instanceof RequestFailed && error.status === 409)) throw error
  }
}

async function runIfPending(api: RestClient, id: string): Promise<void> {
  const { state } = asRecord(await api.get(`/api/tasks/${id}`))
  if (state === 'PENDING') await api.post(`/api/tasks/${id}/run`)
}

async function followTask({ api, terminal, signal }: DemoOptions, id: string, name: string): Promise<void> {
  const before = asRecord(await api.get(`/api/tasks/${id}`))
  const waits = typeof before['waiting_for'] === 'string' ? ` (waits: ${before['waiting_for']})` : ''
  terminal.out(`\n${id}: ${name}${waits}\n`)
  try {
    for await (const { event, data } of api.stream(`/api/tasks/${id}/logs/stream`, signal)) {
      if (event === 'log') terminal.out(`  | ${String(data['line'])}\n`)
    }
  } catch (error) {
    if (signal.aborted) return
    throw error
  }
  const task = asRecord(await api.get(`/api/tasks/${id}`))
  terminal.out(`${id}: ${String(task['state'])}${changesText(task['changes'])}, branch ${String(task['branch'])}\n`)
  if (task['state'] !== 'READY' && task['state'] !== 'COMPLETED') {
    throw new Error(`task ${id} ended ${String(task['state'])}: ${String(task['error'])}`)
  }
  if (id !== LAST && task['state'] === 'READY') {
    await api.post(`/api/tasks/${id}/accept`)
    terminal.out(`${id}: accepted\n`)
  }
}

function changesText(changes: unknown): string {
  const { files, insertions, deletions } = asRecord(changes)
  if (typeof files !== 'number') return ''
  return ` (${files} ${files === 1 ? 'file' : 'files'} changed, +${Number(insertions)} -${Number(deletions)})`
}

async function showLastTask({ api, terminal, url, kubeconfigPath, hasToken }: DemoOptions): Promise<void> {
  const task = asRecord(await api.get(`/api/tasks/${LAST}`))
  const diff = await api.getText(`/api/executions/${String(task['execution_id'])}/diff`)
  terminal.out(`\nThe diff of ${LAST}:\n\n${diff}\n`)
  if (task['state'] !== 'READY') {
    terminal.out(`${LAST} is ${String(task['state'])}: nothing left to accept.\n`)
    return
  }
  const header = hasToken ? " -H 'Authorization: Bearer <token>'" : ''
  terminal.out(
    [
      `${LAST} is READY and waits for you. Accept it with one of:`,
      `  curl -X POST${header} ${url}/api/tasks/${LAST}/accept`,
      `  kubectl --kubeconfig ${kubeconfigPath} annotate tasks.slipway.dev ${LAST} slipway.dev/action=accept`,
      '',
    ].join('\n'),
  )
}
