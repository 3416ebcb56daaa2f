import type { Kubernetes, StoryEvent } from '../../core/rest/client/client.ts'
import type { AgentEventRecord } from '../../core/rest/records/agent.ts'
import { ageOf } from '../../core/sentences/amounts.ts'
import { systemClock } from '../../lib/clock.ts'
import type { ClientCommand, ClientInvocation } from '../client-command.ts'
import { print, table } from '../client/output.ts'
import { printable } from '../client/text.ts'
import { UsageError } from '../command.ts'

export const eventsCommand: ClientCommand = {
  kind: 'client',
  name: 'events',
  summary: 'Show the events of a task, a story or the agents',
  details: [
    'Of a task: those of Kubernetes, of the Task and of the pod of its latest execution. Of a story: verdicts, decisions and',
    'the like. Of an agent, or without any name of all agents: limits and drains of the last 24 hours.',
  ].join('\n'),
  examples: ['slipway events add-login', 'slipway events --story checkout'],
  words: [{ name: 'task', isOptional: true, mayBeShort: true }],
  flags: [
    { name: 'story', value: 'id', description: 'Events of that story' },
    { name: 'agent', short: 'a', value: 'id', description: 'Events of that agent alone' },
  ],
  async run(invocation) {
    const { words, values } = invocation
    const [task, story, agent] = [words[0], values.get('story'), values.get('agent')]
    if ([task, story, agent].filter((name) => name !== undefined).length > 1)
      throw new UsageError('events: give one of a task, --story and --agent')
    if (task !== undefined) await showTask(invocation, task)
    else if (story !== undefined) await showStory(invocation, story)
    else await showAgents(invocation, agent)
    return 0
  },
}

async function showTask({ session, terminal, signal, style }: ClientInvocation, id: string): Promise<void> {
  const found = await session.api.getTaskKubernetes({ params: { id } }, { signal })
  const headings = ['LAST SEEN', 'TYPE', 'REASON', 'COUNT', 'OBJECT', 'MESSAGE']
  const rows = [...toRows(found.events, 'task'), ...toRows(found.pod?.events ?? [], `pod ${found.pod?.name ?? ''}`)]
  for (const problem of found.problems) terminal.err(`${printable(problem)}\n`)
  print(
    terminal,
    session.form,
    found,
    () => (rows.length === 0 ? `${id} has no events; old ones are removed.\n` : table(headings, rows, style)),
    () => [...found.events, ...(found.pod?.events ?? [])],
  )
}

function toRows(events: Kubernetes['events'], object: string): string[][] {
  const now = systemClock.now()
  return events.map(({ type = '', reason = '', message, count, last_at }) => [
    last_at === undefined ? '' : ageOf(last_at, now),
    type,
    reason,
    String(count),
    object,
    message,
  ])
}

async function showStory({ session, terminal, signal, style }: ClientInvocation, id: string): Promise<void> {
  const events = await session.api.listStoryEvents({ params: { id } }, { signal })
  const toRow = ({ at, kind, by = '', payload }: StoryEvent): string[] => [at, kind, by, JSON.stringify(payload)]
  print(terminal, session.form, events, () =>
    events.length === 0 ? `${id} has no events.\n` : table(['AT', 'KIND', 'BY', 'DETAILS'], events.map(toRow), style),
  )
}

async function showAgents({ session, terminal, signal, style }: ClientInvocation, id?: string): Promise<void> {
  // An unknown one is told of, in place of its having no events.
  if (id !== undefined) await session.api.getAgent({ params: { id } }, { signal })
  const { events } = await session.api.getAgentsStatus({}, { signal })
  const own = events.filter(({ agent }) => id === undefined || agent === id)
  const toRow = ({ at, agent, kind, message }: Readonly<AgentEventRecord>): string[] => [at, agent, kind, message]
  print(terminal, session.form, own, () =>
    own.length === 0
      ? `No events of ${id === undefined ? 'agents' : `agent ${id}`} in the last 24 hours.\n`
      : table(['AT', 'AGENT', 'KIND', 'MESSAGE'], own.map(toRow), style),
  )
}
