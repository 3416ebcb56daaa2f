/** The demo: what a person would do over REST, and what they would see. */
import { formatChanges } from '../../core/sentences/amounts.ts'
import { taskStateLabel } from '../../core/sentences/states.ts'
import type { ApiClient, Story, Task } from '../../core/rest/client/client.ts'
import { ApiFailure } from '../../core/rest/client/call.ts'
import { parseTimestamp } from '../../core/time.ts'
import { delay, systemClock } from '../../lib/clock.ts'
import { conversationPrinter } from '../client/conversation.ts'
import { goesOn } from '../../core/attention.ts'
import { DEFAULT_SERVER } from '../client/session.ts'
import type { Terminal } from '../command.ts'
import { demoFolder, replayCommand } from '../installation.ts'
import { makeDemoRepository } from './repository.ts'
import { LIMIT, PRICES, PROJECT, QUESTION, RECORDED_AGENTS, REVIEW, saysRecording, STORY, VERDICTS } from './tasks.ts'

export interface DemoOptions {
  readonly api: ApiClient
  readonly url: string
  /** What a person types before a command: `slipway`, or `npx slipway` in a clone. */
  readonly program: string
  /** Path of the bare repository to make. */
  readonly repository: string
  readonly hasToken: boolean
  /** True: nobody is to look at it in the browser, so a task that fails ends it. */
  readonly isWatchedHere: boolean
  readonly terminal: Terminal
  readonly signal: AbortSignal
}

const POLL_MS = 200

/**
 * Registers the shop and the recorded agents, starts all tasks, and follows them until each waits for a person: one asks,
 * one has met a limit and gone on, one is to be reviewed, and a story is to be judged.
 *
 * @throws Error when a task fails and nobody would see it in the browser
 */
export async function runDemo(options: DemoOptions): Promise<void> {
  const { api, terminal, signal, url } = options
  await makeDemoRepository(demoFolder('shop'), options.repository)
  await register(options)
  terminal.out(`Watch it at ${url}/ while it runs.\n`)
  for (const { id } of [PRICES, REVIEW, LIMIT, QUESTION]) await runIfPending(api, id)
  await follow(options, PRICES.id, showOutput)
  await judgeStory(options)
  await follow(options, REVIEW.id, showConversation)
  for (const { id } of [LIMIT, QUESTION]) await follow(options, id, showStates)
  if (signal.aborted) return
  const [question, review] = await Promise.all([QUESTION, REVIEW].map(({ id }) => api.getTask({ params: { id } })))
  const story = await api.getStory({ params: { id: STORY.id } })
  terminal.out(nextSteps(options, { question: question?.state, review: review?.state, story: story.status }))
}

async function register({ api, repository, terminal }: DemoOptions): Promise<void> {
  const project = { id: PROJECT, name: 'Corner shop (demo)', remote_url: repository, on_accept: 'merge' } as const
  // Agents that were asked to judge the story could only play a recording, and a person's own would cost money.
  await once(() => api.createProject({ body: { ...project, evaluation: { enabled: false } } }))
  terminal.out(`project ${PROJECT}: ${repository}, a small shop; accepted work is merged there\n`)
  for (const { id, cli, name, ...rest } of RECORDED_AGENTS) {
    const body = { ...rest, command: [...replayCommand(), cli] }
    const classifier = { enabled: false, hint: saysRecording(name) }
    await once(
      () => api.createAgent({ body: { id, adapter: cli, classifier, ...body } }),
      // The program may stand elsewhere by now.
      () => api.updateAgent({ params: { id }, body }),
    )
    terminal.out(`agent ${id}: ${saysRecording(name)}\n`)
  }
  await once(() => api.createEpic({ body: { id: STORY.epic_id, name: 'Opening day (demo)' } }))
  await once(() => api.createStory({ body: { ...STORY, acceptance_criteria: [...STORY.acceptance_criteria] } }))
  for (const body of [PRICES, REVIEW, LIMIT, QUESTION]) await once(() => api.createTask({ body }))
}

/** If a record exists already, an earlier start of the demo made it. */
async function once(create: () => Promise<unknown>, otherwise?: () => Promise<unknown>): Promise<void> {
  try {
    await create()
  } catch (error) {
    if (!(error instanceof ApiFailure && error.status === 409)) throw error
    await otherwise?.()
  }
}

async function runIfPending(api: ApiClient, id: string): Promise<void> {
  const { state, rejection_comment } = await api.getTask({ params: { id } })
  if (state === 'PENDING' && rejection_comment === undefined) await api.runTask({ params: { id } })
}

type Show = (options: DemoOptions, id: string) => Promise<void>

/** @throws Error when it has failed and nobody would see that */
async function follow(options: DemoOptions, id: string, show: Show): Promise<void> {
  const { api, terminal, signal } = options
  const { name, agent, waiting_for } = await api.getTask({ params: { id } })
  if (signal.aborted) return
  const waits = waiting_for === undefined ? '' : `, waits: ${waiting_for}`
  terminal.out(`\n${id}: ${name} (${agent?.type ?? 'script'}${waits})\n`)
  try {
    await show(options, id)
  } catch (error) {
    if (signal.aborted) return
    throw error
  }
  const task = await rest(options, id)
  if (signal.aborted) return
  terminal.out(`${[`${id}: ${labelOf(task)}`, formatChanges(task.changes) ?? []].flat().join(', ')}\n`)
  if (task.state !== 'FAILED' && task.state !== 'TIMED_OUT' && task.state !== 'BUDGET_EXCEEDED') return
  const words = `task ${id} ended ${task.state}: ${String(task.error)}`
  if (options.isWatchedHere) throw new Error(words)
  terminal.out(`${words}\n`)
}

/** The task once it waits for a person, or is done. */
async function rest({ api, signal }: DemoOptions, id: string, say?: (task: Task) => void): Promise<Task> {
  for (;;) {
    const task = await api.getTask({ params: { id } })
    say?.(task)
    if (signal.aborted || !goesOn(task)) return task
    await delay(systemClock, POLL_MS, signal)
  }
}

function labelOf(task: Task): string {
  return taskStateLabel(task, (at) => parseTimestamp(at).toTimeString().slice(0, 8))
}

async function showOutput({ api, terminal, signal }: DemoOptions, id: string): Promise<void> {
  for await (const { event, data } of api.streamTaskLogs({ params: { id } }, { signal }))
    if (event === 'log') terminal.out(`  | ${String(data['line'])}\n`)
}

async function showConversation({ api, terminal, signal }: DemoOptions, id: string): Promise<void> {
  const print = conversationPrinter((text) => terminal.out(text))
  for await (const { data } of api.streamTaskEvents({ params: { id } }, { signal })) print(data)
}

async function showStates(options: DemoOptions, id: string): Promise<void> {
  let last = ''
  await rest(options, id, (task) => {
    const label = labelOf(task)
    if (label !== last && goesOn(task)) options.terminal.out(`  ${label}\n`)
    last = label
  })
}

/** Accepts the story's script, and gives the verdicts of a person who has looked at the list. */
async function judgeStory({ api, terminal, signal }: DemoOptions): Promise<void> {
  const [task, story] = [{ params: { id: PRICES.id } }, { params: { id: STORY.id } }]
  if (signal.aborted) return
  if ((await api.getTask(task)).state === 'READY') {
    await api.acceptTask(task)
    while (isAhead(await api.getStory(story)) && !signal.aborted) await delay(systemClock, POLL_MS, signal)
  }
  if ((await api.getStory(story)).status === 'SHIPPABLE')
    await api.moveStory({ ...story, body: { status: 'VALIDATING' } })
  const { status, evaluation } = await api.getStory(story)
  if (status !== 'VALIDATING' || evaluation.passed > 0) return
  for (const payload of VERDICTS) await api.createStoryEvent({ ...story, body: { kind: 'eval_verdict', payload } })
  terminal.out(`story ${STORY.id}: ${VERDICTS.length} of ${STORY.acceptance_criteria.length} criteria hold\n`)
}

/** What follows the acceptance of its only task is yet to come. */
function isAhead({ status }: Story): boolean {
  return status === STORY.status || status === 'IN_PROGRESS'
}

/** Where the demo rests. */
interface Standing {
  readonly question: Task['state'] | undefined
  readonly review: Task['state'] | undefined
  readonly story: Story['status']
}

/** What a person can do now, the browser first: one per line. */
export function nextSteps(
  { url, hasToken, program }: Pick<DemoOptions, 'url' | 'hasToken' | 'program'>,
  standing: Standing,
): string {
  const server = url === DEFAULT_SERVER ? '' : ` --server ${url}`
  const token = hasToken ? ', with the token in SLIPWAY_TOKEN' : ''
  const [question, review] = [QUESTION.id, REVIEW.id]
  const [isAsked, isReady] = [standing.question === 'BLOCKED', standing.review === 'READY']
  const pages = [
    isAsked ? `  ${url}/tasks/${question}    it asks you something: answer, and the same session goes on` : [],
    isReady ? `  ${url}/tasks/${review}      look at its diff and accept it: it is merged` : [],
    standing.story === 'VALIDATING' ? `  ${url}/stories/${STORY.id}    judge its last criterion` : [],
  ].flat()
  const commands = [
    isAsked ? `  ${program}${server} answer ${question} 'This voucher has expired.' -f` : [],
    isReady ? `  ${program}${server} accept ${review}` : [],
  ].flat()
  return [
    pages.length === 0 ? `\nYou have decided everything here; it stands at ${url}/` : '\nNow you, in the browser:',
    ...pages,
    ...(commands.length === 0 ? [] : [`or in another terminal, in this folder${token}:`, ...commands]),
    'Then use a repository of your own (script runs the prompt itself; slipway agents says which others can work):',
    `  ${program}${server} add-project mine <path or URL>`,
    `  ${program}${server} run 'echo hello > hello.txt' --project mine --agent script -f`,
    '',
  ].join('\n')
}
