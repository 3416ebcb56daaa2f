/** Accepting the work of one task, of several, or of all that wait for it. */
import type { Project, Task } from '../../core/rest/client/client.ts'
import { ApiFailure } from '../../core/rest/client/call.ts'
import { acceptEffect, acceptQuestion } from '../../core/sentences/accept.ts'
import { shellWord } from '../../core/shell.ts'
import type { ClientCommand, ClientInvocation } from '../client-command.ts'
import { ifFound } from '../client/if-found.ts'
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
    'Accepts each of the tasks, also when another one cannot be accepted, and says what that does with the work: Slipway',
    'merges it, opens a pull request, or leaves it on its branch, as the project says; the work of a story is delivered when',
    'the story is accepted. With --all it shows which tasks are READY and what accepting them does, and asks first; one that',
    'has run again meanwhile is not accepted. Ends with 1 when a task could not be accepted.',
  ].join('\n'),
  examples: ['slipway accept add-login', 'slipway accept --all --project shop --yes'],
  words: [{ name: 'task', isOptional: true, isRepeated: true, mayBeShort: true }],
  flags: [
    { name: 'all', description: 'Accept all tasks that are READY' },
    { name: 'project', short: 'p', value: 'name', description: 'With --all: only those of that project' },
    { name: 'yes', short: 'y', description: 'With --all: do not ask' },
  ],
  async run(invocation) {
    const projectOf = projectReader(invocation)
    const chosen = await chooseTasks(invocation, projectOf)
    if (chosen === undefined) return 1
    const { session, terminal, switches } = invocation
    const accepted: { message: string; task: Task }[] = []
    for (const one of chosen) {
      const answer = await accept(invocation, one, chosen.length === 1)
      if (answer !== undefined) accepted.push(answer)
    }
    const answers = accepted.map(({ message, task }) => ({ message, task_id: task.id }))
    const [only] = answers
    const answer = chosen.length === 1 && !switches.has('all') && only !== undefined ? only : answers
    const lines = answers.map(({ task_id, message }) => `${task_id}: ${message}\n`)
    if (session.form === 'table' && only !== undefined) lines.push('\n')
    if (session.form === 'table')
      for (const { task } of accepted) lines.push(`${formatAccept(task, await projectOf(task))}\n`)
    print(terminal, session.form, answer, () => lines.join(''))
    return accepted.length === chosen.length ? 0 : 1
  },
}

/** A task to accept, as the person was shown it; undefined: it was only named. */
interface Chosen {
  readonly id: string
  readonly shown?: Task
}

type ReadProject = (task: Task) => Promise<Project | undefined>

/** Undefined: the person does not want it. */
async function chooseTasks(
  invocation: ClientInvocation,
  projectOf: ReadProject,
): Promise<readonly Chosen[] | undefined> {
  const { words, switches, values, terminal, signal } = invocation
  if (!switches.has('all')) {
    if (words.length === 0) throw new UsageError('accept: name a task, or give --all\nSee: slipway accept --help')
    if (values.has('project')) throw new UsageError('accept: --project goes with --all')
    return [...new Set(words)].map((id) => ({ id }))
  }
  if (words.length > 0) throw new UsageError('accept: give tasks or --all, not both')
  const tasks = await listReady(invocation)
  const chosen = tasks.map((shown) => ({ id: shown.id, shown }))
  if (switches.has('yes') || chosen.length === 0) return chosen
  if (terminal.ask === undefined)
    throw new UsageError('accept: nobody can be asked here; --yes accepts without a question')
  terminal.err(tasks.map(({ id, name }) => `  ${id}  ${printable(name)}\n`).join(''))
  const effects = []
  for (const task of tasks) effects.push(acceptEffect(task, (await projectOf(task)) ?? 'none'))
  const answer = await terminal.ask(`${acceptQuestion(tasks.length, effects)} [y/N] `, signal)
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
  // A name that is mistyped is not one without work.
  if (found.length === 0 && project !== undefined) await session.api.getProject({ params: { id: project } }, { signal })
  if (found.length === 0) terminal.err(`No task ${project === undefined ? '' : `of project ${project} `}is READY.\n`)
  return found
}

/** @returns the server's words, and the task as it was; undefined when it refused, which is told. @throws ApiFailure if nothing else is to be accepted */
async function accept(
  { session, terminal, signal }: ClientInvocation,
  { id, shown }: Chosen,
  isOnly: boolean,
): Promise<{ message: string; task: Task } | undefined> {
  let etag: string | null = null
  const onHeaders = (headers: Headers): void => {
    etag = headers.get('ETag')
  }
  try {
    const task = await session.api.getTask({ params: { id } }, { signal, onHeaders })
    if (shown !== undefined && task.execution_id !== shown.execution_id) {
      terminal.err(`${id}: has run again since it was shown, and is not accepted. See: slipway diff ${id}\n`)
      return undefined
    }
    const ifMatch = shown === undefined ? undefined : (etag ?? undefined)
    return { task, message: (await session.api.acceptTask({ params: { id }, ifMatch }, { signal })).message }
  } catch (error) {
    if (isOnly || !(error instanceof ApiFailure)) throw error
    terminal.err(`${id}: ${printable(error.message)}\n`)
    return undefined
  }
}

/** Reads each project once; undefined for a task without one, and where somebody has deleted it. */
function projectReader({ session, signal }: ClientInvocation): ReadProject {
  const projects = new Map<string, Promise<Project | undefined>>()
  return async ({ project: id }) => {
    if (id === undefined) return undefined
    const found = projects.get(id) ?? ifFound(session.api.getProject({ params: { id } }, { signal }))
    projects.set(id, found)
    return found
  }
}

/** What accepting the task does, or did; beside work that a person is to merge, where it is and the command. */
export function formatAccept(task: Task, project: Project | undefined): string {
  const { kind, words } = acceptEffect(task, project ?? 'none')
  const said = `${task.id}: Slipway ${printable(words)}`
  if (kind === 'merge' || kind === 'pull_request') return `${said}; see: slipway show ${task.id}`
  if (kind === 'nothing' || task.branch === undefined || task.changes?.files === 0) return said
  const page = task.compare_url === undefined ? '' : ` (${printable(task.compare_url)})`
  return `${said}${page}; merge it with: ${mergeCommand(printable(task.branch), project?.remote_url ?? task.repository_url)}`
}

function mergeCommand(branch: string, repository = ''): string {
  return repository.startsWith('/')
    ? `git -C ${shellWord(printable(repository))} merge ${shellWord(branch)}`
    : `git fetch origin ${shellWord(branch)} && git merge FETCH_HEAD`
}
