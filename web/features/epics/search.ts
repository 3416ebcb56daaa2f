/** What the view of epics takes from its address: an epic that was proposed, to be looked at and created. */
export interface EpicsSearch {
  readonly propose?: string
  readonly about?: string
}

export function parseEpicsSearch({ propose, about }: Readonly<Record<string, unknown>>): EpicsSearch {
  if (typeof propose !== 'string' && typeof propose !== 'number') return {}
  return { propose: String(propose), ...(typeof about === 'string' ? { about } : {}) }
}
