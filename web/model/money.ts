const DOLLARS = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })

/** US dollars as people read them; undefined where nothing was spent. */
export function formatCost(costUSD: number | undefined): string | undefined {
  if (costUSD === undefined || costUSD === 0) return undefined
  return costUSD < 0.005 ? '< $0.01' : DOLLARS.format(costUSD)
}
