import { formatCost } from '../../../core/amounts.ts'
import type { Stats } from '../../../core/rest/client/client.ts'
import { totalsOf } from './model.ts'
import css from './stats.module.css'

/** The numbers that a person looks at first. */
export function Totals({ stats }: { readonly stats: Stats }) {
  const { runs, completed, failed, other, overBudget, success, costUSD } = totalsOf(stats)
  const { cost_per_run_usd, average_per_day_usd } = stats.billing
  const facts = [
    ['Runs', String(runs), `${completed} completed, ${failed} failed, ${other} other`],
    ['Succeeded', success === undefined ? '–' : `${Math.round(success * 100)} %`, 'of those that completed or failed'],
    ['Failed', String(failed), `errors and time-outs${overBudget > 0 ? `; ${overBudget} more over budget` : ''}`],
    ['Cost', formatCost(costUSD) ?? '$0', 'of runs, plans and reviews'],
    ['Per run', formatCost(cost_per_run_usd) ?? '$0', 'mean of 7 days, where known'],
    ['Per day', formatCost(average_per_day_usd) ?? '$0', 'mean of the last 7 days'],
  ] as const
  return (
    <dl className={css['totals']}>
      {facts.map(([name, value, note]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <b>{value}</b>
            <span>{note}</span>
          </dd>
        </div>
      ))}
    </dl>
  )
}
