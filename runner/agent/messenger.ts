/**
 * Gives messages to a CLI while it runs, on its stdin.
 *
 * A message is given when the CLI says that it has put it before its model, and not when it is written: until then it may
 * wait in the CLI, and a turn may end. So stdin stays open after a turn while one is on its way, and the CLI begins
 * another turn with it. If the CLI never says so, the receipt stays open, and the message is uncertain.
 *
 * What ends the run (a failure, a limit, a question, the time-out) ends the giving: what waits then is left to the next prompt.
 */
import { MESSAGE_MODE_WORDS } from '../../core/enum-values.ts'
import { sayMessages } from '../../core/prompts/messages.ts'
import type { InboxMessage } from '../../core/execution/messages.ts'
import type { ConversationEvent } from '../../core/transcript/events.ts'
import type { TranscriptFacts } from '../../core/transcript/transcript.ts'
import { createKeyedMutex } from '../../lib/async.ts'
import { type Clock, delay, uptimeOf } from '../../lib/clock.ts'
import { withoutAbsent } from '../../core/omit.ts'
import { EXIT_GRACE_MS, INBOX_LOOK_MS } from '../limits.ts'
import type { AgentCommand } from './adapter.ts'
import type { Inbox } from './inbox.ts'

/** The CLI that messages are given to. */
export interface RunningCli {
  readonly clock: Clock
  readonly facts: Readonly<TranscriptFacts>
  /** Writes a line to its stdin. */
  readonly write: (line: string) => void
  /** Called when a CLI that has ended its turn does not take what it was given. */
  readonly onSilence: () => void
}

export interface Messenger {
  /** A turn has ended. @returns whether the CLI goes on with a message */
  endTurn(isStopped: boolean): Promise<boolean>
  /** The CLI has taken what was written with an id. @returns what the conversation tells of it */
  take(id: string): Promise<readonly ConversationEvent[]>
  /** Gives nothing more. @throws what kept it from giving */
  stop(): Promise<void>
}

/** Starts to give what comes into the inbox. */
export function startMessenger(
  inbox: Inbox,
  voice: Pick<AgentCommand, 'interrupt' | 'saysLate'> & Required<Pick<AgentCommand, 'say'>>,
  cli: RunningCli,
): Messenger {
  const runExclusive = createKeyedMutex()
  // By the id of the first of those that were written together.
  const onTheWay = new Map<string, readonly InboxMessage[]>()
  const stopped = new AbortController()
  let endedAtMs: number | undefined

  const give = async (messages: readonly InboxMessage[], isInterrupt: boolean): Promise<void> => {
    const [first] = messages
    if (first === undefined) return
    await inbox.giving(messages)
    if (isInterrupt && voice.interrupt !== undefined) cli.write(voice.interrupt())
    onTheWay.set(first.id, messages)
    cli.write(voice.say(sayMessages(messages), first.id))
  }
  const look = async (): Promise<void> => {
    // Before its first turn it would take a message for the task.
    if (stopped.signal.aborted || cli.facts.sessionId === undefined) return
    const waiting = await inbox.waiting()
    const isInterrupt = waiting.some(({ mode }) => mode === 'Interrupt')
    const now = isInterrupt ? waiting : waiting.filter(({ mode }) => mode === 'Steer')
    await give(now, isInterrupt)
    if (voice.saysLate === true || endedAtMs === undefined || uptimeOf(cli.clock) - endedAtMs < EXIT_GRACE_MS) return
    stopped.abort()
    cli.onSilence()
  }
  const watch = async (): Promise<void> => {
    while (!stopped.signal.aborted) {
      await runExclusive('inbox', look)
      await delay(cli.clock, INBOX_LOOK_MS, stopped.signal)
    }
  }
  const watched = Promise.allSettled([watch()])

  return {
    endTurn: (isStopped) =>
      runExclusive('inbox', async () => {
        if (stopped.signal.aborted) return false
        const isDone = cli.facts.result?.isError === false && cli.facts.questions === undefined
        if (isDone && onTheWay.size === 0) await give(await inbox.waiting(), false)
        const goesOn = onTheWay.size > 0 && (isDone || isStopped)
        if (goesOn) endedAtMs = uptimeOf(cli.clock)
        else stopped.abort()
        return goesOn
      }),
    async take(id) {
      const messages = onTheWay.get(id)
      if (messages === undefined) return []
      onTheWay.delete(id)
      endedAtMs = undefined
      await inbox.given(messages)
      return messages.map(toEvent)
    },
    async stop() {
      stopped.abort()
      for (const outcome of await watched) if (outcome.status === 'rejected') throw outcome.reason
    },
  }
}

/** What the conversation tells of a message, where the agent is given it. */
export function toEvent({ id, by, mode, text }: InboxMessage): ConversationEvent {
  return { kind: 'message', id, ...withoutAbsent({ by }), mode: MESSAGE_MODE_WORDS[mode], text }
}
