const VAT = 0.07

/** What a customer pays for the lines of a basket, in cents. */
export function total(lines) {
  let sum = 0
  for (const { cents, count } of lines) {
    sum += Math.round(cents * count * (1 + VAT))
  }
  return sum
}
