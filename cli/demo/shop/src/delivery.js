const FEE = 490

/** What delivering an order costs, in cents. */
export function deliveryFee(order) {
  return order.isPickedUp ? 0 : FEE
}
