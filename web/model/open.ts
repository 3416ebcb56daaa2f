/**
 * What is open in the side panel, as it stands in the URL of every view: `?open=task:ID` or `?open=story:ID`. So a link
 * shows what its sender saw, and going back closes the panel over a view that stays as it was.
 */
export const OPEN_KINDS = ['task', 'story'] as const
export type OpenKind = (typeof OPEN_KINDS)[number]

export interface Open {
  readonly kind: OpenKind
  readonly id: string
}

/** The search parameter that every view has. */
export interface OpenSearch {
  readonly open?: string
}

/** What the parameter names; undefined for what is none of it. */
export function parseOpen(value: unknown): Open | undefined {
  const [, kind, id] = typeof value === 'string' ? (/^(task|story):(.+)$/s.exec(value) ?? []) : []
  const known = OPEN_KINDS.find((candidate) => candidate === kind)
  return known === undefined || id === undefined ? undefined : { kind: known, id }
}

/** The parameter as the router keeps it; left out where it names nothing. */
export function parseOpenSearch(search: Readonly<Record<string, unknown>>): OpenSearch {
  const open = parseOpen(search['open'])
  return open === undefined ? {} : { open: `${open.kind}:${open.id}` }
}

/** The address of something's own page. */
export function pageOf({ kind, id }: Open): string {
  return `/${kind === 'task' ? 'tasks' : 'stories'}/${encodeURIComponent(id)}`
}
