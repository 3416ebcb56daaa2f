import type { Stats } from '../../../core/rest/client/client.ts'
import { formatCost } from '../../model/money.ts'
import { totalsOf } from './model.ts'
import css from './stats.module.css'

/** The numbers that a person looks at first. */
export function Totals({ stats }: { readonly stats: Stats }) {
  const { runs, failed, success, costUSD } = totalsOf(stats)
  const { cost_per_run_usd, average_per_day_usd } = stats.billing
  const facts = [
    ['Runs', String(runs), 'of tasks that ended'],
    ['Succeeded', success === undefined ? '–' : `${Math.round(success * 100)} %`, 'of those that completed or failed'],
    ['Failed', String(failed), 'errors and time-outs'],
    ['Cost', formatCost(costUSD) ?? '$0', 'of all runs, plans and reviews'],
    ['Per run', formatCost(cost_per_run_usd) ?? '$0', 'mean of the last 7 days'],
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
