import { Link } from '@tanstack/react-router'
import type { Stats } from '../../../core/rest/client/client.ts'
import { ERROR_GROUP_LABELS } from '../../../core/sentences/states.ts'
import { type ErrorGroup, ERROR_GROUP_OF } from '../../../core/stats/groups.ts'
import { NameOf } from '../../api/queries.ts'
import { OpenLink } from '../../components/open-link.tsx'
import { TimeAgo } from '../../components/time-ago.tsx'
import { failureLine } from '../../model/failure-words.ts'
import { failuresOf } from './model.ts'
import { capitalised } from '../../model/texts.ts'
import css from './stats.module.css'

interface FailuresProps {
  readonly stats: Stats
  readonly group: ErrorGroup | undefined
}

/** The runs that failed or stopped at a limit, newest first, each with its task and its reason. */
export function Failures({ stats, group }: FailuresProps) {
  const failures = failuresOf(stats, group)
  const { failures: _, ...counts } = stats.errors
  const total = group === undefined ? Object.values(counts).reduce((sum, count) => sum + count, 0) : counts[group]
  return (
    <section className={css['box']} aria-labelledby="stats-failures" data-failures>
      <div className={css['head']}>
        <h2 id="stats-failures">
          Failed or stopped at a limit{group !== undefined && `: ${ERROR_GROUP_LABELS[group]}`} <span>{total}</span>
        </h2>
        {total > failures.length && <span className={css['faint']}>the newest {failures.length} are listed</span>}
      </div>
      {failures.length === 0 ? (
        <p className={css['none']}>No run has failed or stopped at a limit in this time.</p>
      ) : (
        <ul className={css['list']}>
          {failures.map(({ task_id, execution_id, category, message, at }) => (
            <li key={execution_id}>
              <TimeAgo at={at} />
              <OpenLink what={{ kind: 'task', id: task_id }} title={task_id}>
                <NameOf kind="tasks" id={task_id} />
              </OpenLink>
              <span className={css['class']}>{capitalised(ERROR_GROUP_LABELS[ERROR_GROUP_OF[category]])}</span>
              <span className={css['message']}>{failureLine(message)}</span>
              <Link to="/executions/$executionId" params={{ executionId: execution_id }}>
                log<span className="unseen"> of {execution_id}</span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
