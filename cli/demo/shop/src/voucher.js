/** Takes a voucher off a price in cents. */
export function redeem(voucher, price, today) {
  if (voucher.validUntil < today) throw new Error('ERROR 17')
  return Math.max(0, price - voucher.cents)
}
