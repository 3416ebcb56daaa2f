import { Link } from '@tanstack/react-router'
import { memo, useMemo } from 'react'
import { countOf, formatSpan } from '../../../core/sentences/amounts.ts'
import type { Agent } from '../../../core/rest/client/client.ts'
import { undrainAgent } from '../../api/decisions.ts'
import { useServerTime } from '../../api/server-clock.ts'
import { useSession } from '../../api/session.ts'
import { useDecision } from '../../api/use-decision.ts'
import { Button } from '../../components/button.tsx'
import { StateBadge } from '../../components/state-badge.tsx'
import { TimeAgo } from '../../components/time-ago.tsx'
import { telling } from '../../components/toast.tsx'
import { formatClock, formatInstant } from '../../model/time.ts'
import { agentStateWords } from '../../model/state-words.ts'
import { credentialsWords } from './agent-words.ts'
import rows from '../../components/rows.module.css'
import css from './agents.module.css'
import { TasksAtWork } from './tasks-at-work.tsx'
import { type History, type Span, type Strip, stripOf, lengthOf, WINDOW_MS } from './strip.ts'

interface AgentRowProps {
  readonly agent: Agent
  /** Undefined while it is being read. */
  readonly history: History | undefined
}

/** One agent: its state and why, its last day, and what waits for it. Rendered with news of these two, and by the minute. */
export const AgentRow = memo(function AgentRow({ agent, history }: AgentRowProps) {
  const nowMs = useServerTime()
  const { id, adapter, default_model, max_concurrent, status } = agent
  const strip = useMemo(() => history && stripOf(id, history), [id, history])
  const program = [adapter, default_model].filter((part) => part !== undefined && part !== id).join(' · ')
  return (
    <li className={`${rows['row']} ${css['row']}`} data-row aria-label={id}>
      <div>
        <h2>
          <Link to="/agents/$agentId" params={{ agentId: id }}>
            {id}
          </Link>
        </h2>
        <p className={css['facts']}>
          {program !== '' && <span>{program}</span>}
          <span>{countOf(max_concurrent, 'task')} at a time</span>
          <span data-bad={status.credentials === 'missing' || undefined}>{credentialsWords(agent)}</span>
        </p>
      </div>
      <div>
        <StateBadge words={agentStateWords(agent, nowMs)} />
        <p className={css['facts']}>
          {status.since !== undefined && <TimeAgo at={status.since} isSpan />}
          <TasksAtWork agent={id} />
          <span>
            {status.queued === 0
              ? 'nothing waits'
              : status.queued === 1
                ? '1 task waits'
                : `${status.queued} tasks wait`}
          </span>
        </p>
      </div>
      <div className={css['day']}>{strip !== undefined && <ActivityStrip strip={strip} />}</div>
      <div className={css['undrain']}>
        <UndrainButton agent={agent} />
      </div>
      {status.reason !== undefined && (
        <p className={css['reason']}>
          <Reason text={status.reason} until={status.rate_limited_until} nowMs={nowMs} />
        </p>
      )}
    </li>
  )
})

interface ReasonProps {
  readonly text: string
  readonly until: string | undefined
  readonly nowMs: number
}

/** The server's words, in which the end of a limit stands as in its record; here as people read times. */
function Reason({ text, until = '', nowMs }: ReasonProps) {
  const at = until === '' ? -1 : text.indexOf(until)
  if (at === -1) return text
  const untilMs = Date.parse(until)
  return (
    <>
      {text.slice(0, at)}
      <time dateTime={until} title={formatInstant(until)}>
        {formatClock(untilMs, nowMs)}, in {formatSpan(untilMs - nowMs)}
      </time>
      {text.slice(at + until.length)}
    </>
  )
}

const ROWS = [
  { kind: 'busy', word: 'at work' },
  { kind: 'limited', word: 'limited' },
  { kind: 'drained', word: 'drained' },
] as const

/** The last 24 hours of an agent on one line; for screen readers, as a sentence. */
function ActivityStrip({ strip }: { readonly strip: Strip }) {
  const words = ROWS.filter(({ kind }) => strip[kind].length > 0).map(
    ({ kind, word }) => `${word} ${formatSpan(lengthOf(strip[kind]))}`,
  )
  const text = words.length === 0 ? 'no work' : words.join(', ')
  return (
    <div className={css['strip']}>
      <div role="img" aria-label={`Last 24 hours: ${text}`}>
        {ROWS.flatMap(({ kind }) =>
          strip[kind].map((span) => <Bar key={`${kind} ${span.fromMs}`} span={span} endMs={strip.atMs} />),
        )}
      </div>
      <span aria-hidden>24 h: {text}</span>
    </div>
  )
}

function Bar({ span: { kind, fromMs, toMs }, endMs }: { readonly span: Span; readonly endMs: number }) {
  const percent = (ms: number): string => `${(100 * ms) / WINDOW_MS}%`
  return (
    <i
      data-kind={kind}
      style={{ left: percent(fromMs - (endMs - WINDOW_MS)), width: `max(2px, ${percent(toMs - fromMs)})` }}
    />
  )
}

/** Lets a drained or limited agent take work again; nothing for others, nor for who may not. */
function UndrainButton({ agent }: { readonly agent: Agent }) {
  const canUndrain = useSession().may('admin')
  const { decide, isPending } = useDecision(() => undrainAgent(agent), telling(agent.id))
  const { state } = agent.status
  if (!canUndrain || (state !== 'drained' && state !== 'rate_limited')) return null
  return (
    <Button isSmall isBusy={isPending} onClick={() => decide(undefined)}>
      {state === 'drained' ? 'Undrain' : 'End the limit'}
    </Button>
  )
}
