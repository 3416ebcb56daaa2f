/** What was spent, beside what may be; undefined where there is neither. */
import { formatUSD, formatCost } from '../../core/amounts.ts'

export function budgetText(costUSD: number | undefined, budgetUSD: number | undefined): string | undefined {
  const cost = formatCost(costUSD)
  if (budgetUSD === undefined) return cost
  return `${cost ?? formatUSD(0)} of ${formatUSD(budgetUSD)}`
}
