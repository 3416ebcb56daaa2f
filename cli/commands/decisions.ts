/** One command for each decision that a person makes about a task. */
import type { ApiClient, Task } from '../../core/rest/client/client.ts'
import type { CallOptions } from '../../core/rest/client/call.ts'
import { systemClock } from '../../lib/clock.ts'
import type { ClientCommand, ClientInvocation, Word } from '../client-command.ts'
import { followTask } from '../client/follow.ts'
import { print } from '../client/output.ts'
import { type Flag, UsageError } from '../command.ts'
import { acceptCommand } from './accept.ts'

interface Decision {
  readonly name: string
  readonly summary: string
  readonly details?: string
  readonly examples: ClientCommand['examples']
  readonly words?: readonly Word[]
  readonly flags?: readonly Flag[]
  /** True if it starts the agent again, so that --follow makes sense. */
  readonly isStart: boolean
  readonly decide: (api: ApiClient, invocation: ClientInvocation, options: CallOptions) => Promise<{ message: string }>
}

const FOLLOW: Flag = { name: 'follow', short: 'f', description: 'Show what happens, until the task comes to rest' }
const taskOf = ({ words }: ClientInvocation): { id: string } => ({ id: words[0] ?? '' })

function decision({
  name,
  summary,
  details,
  examples,
  words = [],
  flags = [],
  isStart,
  decide,
}: Decision): ClientCommand {
  return {
    kind: 'client',
    name,
    summary,
    ...(details === undefined ? {} : { details }),
    examples,
    words: [{ name: 'task', mayBeShort: name !== 'cancel' }, ...words],
    flags: [...(isStart ? [FOLLOW] : []), ...flags],
    async run(invocation) {
      const { session, terminal, signal, switches } = invocation
      const { id } = taskOf(invocation)
      const isFollowed = switches.has('follow')
      const before: Task | undefined = isFollowed
        ? await session.api.getTask({ params: { id } }, { signal })
        : undefined
      const result = await decide(session.api, invocation, { signal })
      if (before === undefined) {
        print(terminal, session.form, result, () => `${id}: ${result.message}\n`)
        return 0
      }
      terminal.err(`${id}: ${result.message}\n`)
      return followTask({ session, terminal, signal, clock: systemClock, shown: before.execution_id }, id)
    },
  }
}

/** In the order in which they are listed. */
export const DECISION_COMMANDS: readonly ClientCommand[] = [
  acceptCommand,
  decision({
    name: 'revise',
    summary: 'Ask for changes: the agent goes on in the same session',
    details: [
      'For work that is READY, and for a task that failed, ran out of time or budget, or was cancelled. What the agent knows of the',
      'task is kept. To start over instead: slipway reject <task> --restart for READY work, else slipway restart <task>.',
      'Without -m it is asked for at a terminal.',
    ].join('\n'),
    examples: ['slipway revise add-login -m "Name the page Sign in" -f'],
    flags: [{ name: 'message', short: 'm', value: 'text', description: 'What is to be changed' }],
    isStart: true,
    async decide(api, invocation, options) {
      const comment = await readComment(invocation, 'What is to be changed? ')
      if (comment === undefined) throw new UsageError('revise: say what is to be changed with -m "<text>"')
      return api.reviseTask({ params: taskOf(invocation), body: { comment } }, options)
    },
  }),
  decision({
    name: 'reject',
    summary: 'Send the work of a READY task back, to be started over',
    details: [
      'The comment is given to the agent when the task is run again: with --restart at once, else with slipway restart <task>.',
      'slipway revise <task> asks for changes instead, and the agent goes on in the same session.',
      'Without -m it is asked for at a terminal.',
    ].join('\n'),
    examples: [
      'slipway reject add-login -m "The page needs a title"',
      'slipway reject add-login -m "The page needs a title" --restart -f',
    ],
    flags: [
      { name: 'message', short: 'm', value: 'text', description: 'What is missing' },
      { name: 'no-comment', description: 'Say nothing of what is missing' },
      { name: 'restart', description: 'Run the task again at once' },
    ],
    isStart: true,
    async decide(api, invocation, options) {
      const { switches, terminal } = invocation
      if (switches.has('follow') && !switches.has('restart'))
        throw new UsageError('reject: -f goes with --restart: nothing happens otherwise')
      const params = taskOf(invocation)
      const comment = switches.has('no-comment') ? '' : await readComment(invocation, 'What is missing? ')
      if (comment === undefined)
        throw new UsageError('reject: say what is missing with -m "<text>", or give --no-comment: the agent reads it')
      const rejected = await api.rejectTask({ params, body: { comment } }, options)
      if (!switches.has('restart')) return rejected
      terminal.err(`${params.id}: ${rejected.message}\n`)
      return api.runTask({ params }, options)
    },
  }),
  decision({
    name: 'answer',
    summary: 'Answer the question of a BLOCKED task, which then goes on',
    examples: ['slipway answer add-login "With a password" -f'],
    words: [{ name: 'answer' }],
    isStart: true,
    decide: (api, invocation, options) =>
      api.answerTask({ params: taskOf(invocation), body: { answer: readAnswer(invocation.words[1]) } }, options),
  }),
  decision({
    name: 'cancel',
    summary: 'End a task that waits or runs',
    examples: ['slipway cancel add-login'],
    isStart: false,
    decide: (api, invocation, options) => api.cancelTask({ params: taskOf(invocation) }, options),
  }),
  decision({
    name: 'resume',
    summary: 'Go on where a task stopped, in the same session',
    examples: ['slipway resume add-login -f'],
    isStart: true,
    decide: (api, invocation, options) => api.resumeTask({ params: taskOf(invocation) }, options),
  }),
  decision({
    name: 'waive',
    summary: 'Deliver the work of a task although required checks are red',
    details: [
      'For a task that failed because checks are red. Its work is delivered as it is and waits for review; who waived the checks, and',
      'why, is shown beside Accept. slipway checks <task> shows what is red. Without -m the reason is asked for at a terminal.',
    ].join('\n'),
    examples: ['slipway waive add-login -m "The test server is down, tried by hand"'],
    flags: [{ name: 'message', short: 'm', value: 'reason', description: 'Why the checks do not count' }],
    isStart: true,
    async decide(api, invocation, options) {
      const reason = await readComment(invocation, 'Why do the checks not count? ')
      if (reason === undefined) throw new UsageError('waive: say why the checks do not count with -m "<reason>"')
      return api.waiveTask({ params: taskOf(invocation), body: { reason } }, options)
    },
  }),
  decision({
    name: 'restart',
    summary: 'Run a task again from the beginning',
    examples: ['slipway restart add-login --agent claude -f'],
    flags: [{ name: 'agent', short: 'a', value: 'name', description: 'Agent that does it this time' }],
    isStart: true,
    decide: (api, invocation, options) => {
      const agent = invocation.values.get('agent')
      return api.runTask({ params: taskOf(invocation), ...(agent === undefined ? {} : { query: { agent } }) }, options)
    },
  }),
]

/** What the agent is to read, asked for at a terminal; undefined: nothing. */
async function readComment(
  { values, terminal, signal }: ClientInvocation,
  question: string,
): Promise<string | undefined> {
  const comment = values.get('message') ?? (await terminal.ask?.(question, signal)) ?? ''
  return comment.trim() === '' ? undefined : comment
}

function readAnswer(word: string | undefined): string {
  if (word === undefined || word.trim() === '') throw new UsageError('answer: the answer is empty')
  return word
}
