import { countOf, formatCost, formatTook } from '../../../core/sentences/amounts.ts'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import type { Execution } from '../../../core/rest/client/client.ts'
import { NameOf } from '../../api/queries.ts'
import { MOST_EXECUTIONS, useExecutionsSince } from '../../api/stats.ts'
import { Button } from '../../components/button.tsx'
import { OpenLink } from '../../components/open-link.tsx'
import { ErrorState, Skeleton } from '../../components/view-states.tsx'
import { executionStateWords } from '../../model/state-words.ts'
import { dayLabel, endedOn } from './model.ts'
import css from './stats.module.css'

interface DayDetailsProps {
  readonly day: string
  readonly onClose: () => void
}

/** The executions that ended on one day: what a bar is made of. */
export function DayDetails({ day, onClose }: DayDetailsProps) {
  const { data, error, refetch } = useExecutionsSince(day)
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  const ended = data === undefined ? [] : endedOn(data, day)
  return (
    <section className={css['box']} aria-labelledby="stats-day">
      <div className={css['head']}>
        <h2 id="stats-day" ref={heading} tabIndex={-1}>
          Ended on {dayLabel(day)} (UTC) <span>{data === undefined ? '' : ended.length}</span>
        </h2>
        {data?.length === MOST_EXECUTIONS && (
          <span className={css['faint']}>among the newest {countOf(MOST_EXECUTIONS, 'execution')}</span>
        )}
        <Button isSmall look="quiet" onClick={onClose}>
          Close
        </Button>
      </div>
      {data === undefined && error === null && <Skeleton rows={2} label="The executions are being read" />}
      {data === undefined && error !== null && (
        <ErrorState title="The executions could not be read" error={error} onRetry={() => void refetch()} />
      )}
      {data !== undefined && ended.length === 0 && <p className={css['none']}>Nothing ended on this day.</p>}
      <ul className={css['list']}>
        {ended.map((execution) => (
          <Row key={execution.id} execution={execution} />
        ))}
      </ul>
    </section>
  )
}

function Row({ execution }: { readonly execution: Execution }) {
  const { id, task_id, story_id, agent, purpose, state, started_at, finished_at = '', cost_usd } = execution
  const isFailed = state === 'FAILED' || state === 'TIMED_OUT' || state === 'BUDGET_EXCEEDED'
  return (
    <li>
      <time dateTime={finished_at}>{finished_at.slice(11, 16)}</time>
      {task_id !== undefined && (
        <OpenLink what={{ kind: 'task', id: task_id }} title={task_id}>
          <NameOf kind="tasks" id={task_id} />
        </OpenLink>
      )}
      {task_id === undefined && story_id !== undefined && (
        <OpenLink what={{ kind: 'story', id: story_id }} title={story_id}>
          <NameOf kind="stories" id={story_id} />
        </OpenLink>
      )}
      {task_id === undefined && story_id === undefined && <span>{purpose}</span>}
      <span className={css['class']} data-tone={isFailed ? 'fail' : undefined}>
        {executionStateWords(execution).text}
      </span>
      <span className={css['message']}>
        {[agent, formatTook({ started_at, finished_at }), formatCost(cost_usd)]
          .filter((part) => part !== undefined)
          .join(' · ')}
      </span>
      <Link to="/executions/$executionId" params={{ executionId: id }}>
        log<span className="unseen"> of {id}</span>
      </Link>
    </li>
  )
}
