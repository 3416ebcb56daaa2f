/** Whether a step to another address takes something off the page: pure. */

/** The address of a view, as far as what is typed in it depends on it. */
export interface Address {
  readonly pathname: string
  readonly search: { readonly open?: string | undefined }
}

/** Where something is typed: in the view itself, or in the panel, which stays when the view beside it changes. */
export type Place = 'view' | 'panel'

/** Whether what is in that place is gone at the next address. Tabs and filters leave it there. */
export function isGone(place: Place, from: Address, to: Address): boolean {
  return place === 'view' ? from.pathname !== to.pathname : from.search.open !== to.search.open
}
