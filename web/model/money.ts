const DOLLARS = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })

/** US dollars as people read them; undefined where nothing was spent. */
export function formatCost(costUSD: number | undefined): string | undefined {
  if (costUSD === undefined || costUSD === 0) return undefined
  return costUSD < 0.005 ? '< $0.01' : DOLLARS.format(costUSD)
}

/** What was spent, beside what may be; undefined where there is neither. */
export function budgetText(costUSD: number | undefined, budgetUSD: number | undefined): string | undefined {
  const cost = formatCost(costUSD)
  if (budgetUSD === undefined) return cost
  return `${cost ?? DOLLARS.format(0)} of ${DOLLARS.format(budgetUSD)}`
}
