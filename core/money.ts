/**
 * Money in US dollars, kept to a millionth of a dollar: a provider's price of one token is about that, and a binary
 * fraction that is added up shows no `0.11029499999999999`.
 */

/** The same amount without what lies below a millionth of a dollar. */
export function roundUSD(amount: number): number {
  return fromMicroUSD(toMicroUSD(amount))
}

export function sumUSD(amounts: readonly number[]): number {
  return roundUSD(amounts.reduce((total, amount) => total + amount, 0))
}

/** Whole millionths, which add up exactly. */
export function toMicroUSD(amount: number): number {
  return Math.round(amount * 1e6)
}

export function fromMicroUSD(amount: number): number {
  return Math.round(amount) / 1e6
}
