import { countOf, formatSpan } from '../../../core/amounts.ts'
import { Link } from '@tanstack/react-router'
import { memo, useMemo } from 'react'
import type { Agent } from '../../../core/rest/client/client.ts'
import { useServerTime } from '../../api/server-clock.ts'
import { StateBadge } from '../../components/state-badge.tsx'
import { TimeAgo } from '../../components/time-ago.tsx'
import { formatClock, formatInstant } from '../../model/time.ts'
import { ActivityStrip } from './activity-strip.tsx'
import { agentStateWords, credentialsWords } from './agent-words.ts'
import css from './agents.module.css'
import type { History } from './strip.ts'
import { stripOf } from './strip.ts'
import { UndrainButton } from './undrain-button.tsx'

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
    <li className={css['row']} data-row aria-label={id}>
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
          {status.since !== undefined && (
            <span>
              since <TimeAgo at={status.since} />
            </span>
          )}
          {status.task_id !== undefined && (
            <Link to="/tasks/$taskId" params={{ taskId: status.task_id }}>
              {status.task_id}
            </Link>
          )}
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
