/** Accepting the work of one task, of several, or of all that wait for it. */
import type { Project, Task } from '../../core/rest/client/client.ts'
import { ApiFailure } from '../../core/rest/client/call.ts'
import type { ClientCommand, ClientInvocation } from '../client-command.ts'
import { formatMerge } from '../client/merge.ts'
import { print } from '../client/output.ts'
import { printable } from '../client/text.ts'
import { UsageError } from '../command.ts'

/** As many as one page of the list holds. */
const MOST = 1000

export const acceptCommand: ClientCommand = {
  kind: 'client',
  name: 'accept',
  summary: 'Accept the work of READY tasks',
  details: [
    'Accepts each of the tasks, also when another one cannot be accepted, and says where the work is and how it gets merged.',
    'With --all it shows which tasks are READY and asks first; one that has run again meanwhile is not accepted. Ends with',
    '1 when a task could not be accepted.',
  ].join('\n'),
  examples: ['slipway accept add-login', 'slipway accept --all --project shop --yes'],
  words: [{ name: 'task', isOptional: true, isRepeated: true, mayBeShort: true }],
  flags: [
    { name: 'all', kind: 'boolean', description: 'Accept all tasks that are READY' },
    { name: 'project', short: 'p', kind: 'text', value: 'name', description: 'With --all: only those of that project' },
    { name: 'yes', short: 'y', kind: 'boolean', description: 'With --all: do not ask' },
  ],
  async run(invocation) {
    const chosen = await chooseTasks(invocation)
    if (chosen === undefined) return 1
    const { session, terminal, switches } = invocation
    const accepted: { message: string; task_id: string }[] = []
    for (const one of chosen) {
      const message = await accept(invocation, one, chosen.length === 1)
      if (message !== undefined) accepted.push({ message, task_id: one.id })
    }
    const [only] = accepted
    const answer = chosen.length === 1 && !switches.has('all') && only !== undefined ? only : accepted
    const lines = accepted.map(({ task_id, message }) => `${task_id}: ${message}\n`).join('')
    const merges = session.form === 'table' ? await mergesOf(invocation, accepted) : ''
    print(terminal, session.form, answer, () => `${lines}${merges}`)
    return accepted.length === chosen.length ? 0 : 1
  },
}

/** A task to accept, and its execution where the person was shown one. */
type Chosen = Pick<Task, 'id' | 'execution_id'> & { readonly isShown: boolean }

/** Undefined: the person does not want it. */
async function chooseTasks(invocation: ClientInvocation): Promise<readonly Chosen[] | undefined> {
  const { words, switches, values, terminal, signal } = invocation
  if (!switches.has('all')) {
    if (words.length === 0) throw new UsageError('accept: name a task, or give --all\nSee: slipway accept --help')
    if (values.has('project')) throw new UsageError('accept: --project goes with --all')
    return [...new Set(words)].map((id) => ({ id, isShown: false }))
  }
  if (words.length > 0) throw new UsageError('accept: give tasks or --all, not both')
  const tasks = await listReady(invocation)
  const chosen = tasks.map((task) => ({ ...task, isShown: true }))
  if (switches.has('yes') || chosen.length === 0) return chosen
  if (terminal.ask === undefined)
    throw new UsageError('accept: nobody can be asked here; --yes accepts without a question')
  terminal.err(tasks.map(({ id, name }) => `  ${id}  ${printable(name)}\n`).join(''))
  const answer = await terminal.ask(
    `Accept ${chosen.length === 1 ? 'this task' : `these ${chosen.length} tasks`}? [y/N] `,
    signal,
  )
  return /^y(es)?$/i.test(answer?.trim() ?? '') ? chosen : undefined
}

async function listReady({ session, values, signal, terminal }: ClientInvocation): Promise<readonly Task[]> {
  const project = values.get('project')
  let hasMore = false
  const onHeaders = (headers: Headers): void => {
    hasMore = headers.has('Link')
  }
  const tasks = await session.api.listTasks({ query: { state: 'READY', limit: MOST } }, { signal, onHeaders })
  if (hasMore)
    terminal.err(`Only the newest ${MOST} READY tasks are looked at; give the command again for the others.\n`)
  const found = tasks.filter((task) => project === undefined || task.project === project)
  if (found.length === 0) terminal.err(`No task ${project === undefined ? '' : `of project ${project} `}is READY.\n`)
  return found
}

/** @returns the server's words; undefined when it refused, which is told. @throws ApiFailure if nothing else is to be accepted */
async function accept(
  { session, terminal, signal }: ClientInvocation,
  { id, execution_id, isShown }: Chosen,
  isOnly: boolean,
): Promise<string | undefined> {
  let etag: string | null = null
  const onHeaders = (headers: Headers): void => {
    etag = headers.get('ETag')
  }
  try {
    const now = isShown ? await session.api.getTask({ params: { id } }, { signal, onHeaders }) : { execution_id }
    if (now.execution_id !== execution_id) {
      terminal.err(`${id}: has run again since it was shown, and is not accepted. See: slipway diff ${id}\n`)
      return undefined
    }
    return (await session.api.acceptTask({ params: { id }, ifMatch: etag ?? undefined }, { signal })).message
  } catch (error) {
    if (isOnly || !(error instanceof ApiFailure)) throw error
    terminal.err(`${id}: ${printable(error.message)}\n`)
    return undefined
  }
}

async function mergesOf(
  { session, signal }: ClientInvocation,
  accepted: readonly { readonly task_id: string }[],
): Promise<string> {
  const projects = new Map<string, Project | undefined>()
  const lines: string[] = []
  for (const { task_id: id } of accepted) {
    const task = await ifFound(session.api.getTask({ params: { id } }, { signal }))
    const name = task?.project
    if (name !== undefined && !projects.has(name))
      projects.set(name, await ifFound(session.api.getProject({ params: { id: name } }, { signal })))
    const line = task && formatMerge(task, name === undefined ? undefined : projects.get(name))
    if (line !== undefined) lines.push(`${line}\n`)
  }
  return lines.length === 0 ? '' : `\n${lines.join('')}`
}

/** Somebody may have deleted it meanwhile. */
async function ifFound<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked
  } catch (error) {
    if (error instanceof ApiFailure && error.status === 404) return undefined
    throw error
  }
}
