import { formatCost } from '../../../core/sentences/amounts.ts'
import { Link } from '@tanstack/react-router'
import type { Share } from './model.ts'
import { type Split, SPLITS } from './search.ts'
import css from './stats.module.css'

interface SharesProps {
  readonly shares: readonly Share[]
  readonly by: Split
  readonly nameOf: (share: Share) => string
  readonly onSplit: (by: Split) => void
}

/** What each project or agent did and cost. */
export function Shares({ shares, by, nameOf, onSplit }: SharesProps) {
  return (
    <section className={css['box']} aria-labelledby="stats-shares">
      <div className={css['head']}>
        <h2 id="stats-shares">By {by}</h2>
        <span role="group" aria-label="Divide by" className={css['windows']}>
          {SPLITS.map((option) => (
            <button key={option} aria-pressed={option === by} onClick={() => onSplit(option)}>
              {option}
            </button>
          ))}
        </span>
      </div>
      <div className={css['scroll']}>
        <table className={css['table']}>
          <thead>
            <tr>
              <th scope="col">{by === 'project' ? 'Project' : 'Agent'}</th>
              <th scope="col">Runs</th>
              <th scope="col">Completed</th>
              <th scope="col">Failed</th>
              <th scope="col">Other</th>
              <th scope="col">Cost</th>
              <th scope="col">Per run</th>
            </tr>
          </thead>
          <tbody>
            {shares.map((share) => (
              <tr key={share.id ?? `${share.others}`}>
                <th scope="row">
                  {share.id === undefined ? nameOf(share) : <ShareLink by={by} id={share.id} name={nameOf(share)} />}
                </th>
                <td>{share.runs}</td>
                <td>{share.completed}</td>
                <td data-tone={share.failed > 0 ? 'fail' : undefined}>{share.failed}</td>
                <td>{share.other}</td>
                <td>{formatCost(share.cost_usd) ?? '–'}</td>
                <td>{formatCost(share.cost_per_run_usd) ?? '–'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}

function ShareLink({ by, id, name }: { readonly by: Split; readonly id: string; readonly name: string }) {
  return by === 'project' ? (
    <Link to="/projects/$projectId" params={{ projectId: id }}>
      {name}
    </Link>
  ) : (
    <Link to="/agents/$agentId" params={{ agentId: id }}>
      {name}
    </Link>
  )
}
