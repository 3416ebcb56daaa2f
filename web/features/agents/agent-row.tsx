import { Link } from '@tanstack/react-router'
import type { Agent } from '../../../core/rest/client/client.ts'
import { StateBadge } from '../../components/state-badge.tsx'
import { TimeAgo } from '../../components/time-ago.tsx'
import { ActivityStrip } from './activity-strip.tsx'
import { agentStateWords, credentialsWords } from './agent-words.ts'
import css from './agents.module.css'
import type { Strip } from './strip.ts'
import { UndrainButton } from './undrain-button.tsx'

interface AgentRowProps {
  readonly agent: Agent
  readonly nowMs: number
  /** Undefined while it is being read. */
  readonly strip: Strip | undefined
}

/** One agent: its state and why, its last day, and what waits for it. */
export function AgentRow({ agent, nowMs, strip }: AgentRowProps) {
  const { id, adapter, default_model, max_concurrent, status } = agent
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
          <span>{max_concurrent === 1 ? '1 task at a time' : `${max_concurrent} tasks at a time`}</span>
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
      <div className={css['day']}>{strip !== undefined && <ActivityStrip strip={strip} nowMs={nowMs} />}</div>
      <div className={css['undrain']}>
        <UndrainButton agent={agent} />
      </div>
      {status.reason !== undefined && <p className={css['reason']}>{status.reason}</p>}
    </li>
  )
}
