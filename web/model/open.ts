/**
 * What is open in the side panel, as it stands in the URL of every view: `?open=task:ID` or `?open=story:ID`, and
 * `&openTab=diff` where a tab was chosen in it. So a link shows what its sender saw, and going back closes the panel over
 * a view that stays as it was.
 */
const OPEN_KINDS = ['task', 'story'] as const
export type OpenKind = (typeof OPEN_KINDS)[number]

export interface Open {
  readonly kind: OpenKind
  readonly id: string
}

/** The search parameters that every view has. */
export interface OpenSearch {
  readonly open?: string
  /** A tab of what is open; what knows its tabs decides whether it is one. */
  readonly openTab?: string
}

/** What the parameter names; undefined for what is none of it, and for `.` and `..`, which a path cannot hold (RFC 3986 §5.2.4). */
export function parseOpen(value: unknown): Open | undefined {
  const [, kind, id] = typeof value === 'string' ? (/^(task|story):(?!\.\.?$)(.+)$/s.exec(value) ?? []) : []
  const known = OPEN_KINDS.find((candidate) => candidate === kind)
  return known === undefined || id === undefined ? undefined : { kind: known, id }
}

/** The parameters as the router keeps them; left out where they name nothing. */
export function parseOpenSearch(search: Readonly<Record<string, unknown>>): OpenSearch {
  const open = parseOpen(search['open'])
  if (open === undefined) return {}
  const tab = search['openTab']
  const isTab = typeof tab === 'string' && /^[a-z]{1,20}$/.test(tab)
  return { open: `${open.kind}:${open.id}`, ...(isTab ? { openTab: tab } : {}) }
}

/** The address of the form that changes a task. */
export function editPageOf(taskId: string): EditPage {
  return `/tasks/${encodeURIComponent(taskId)}/edit`
}

export type EditPage = `/tasks/${string}/edit`

/** The address of something's own page. */
export function pageOf({ kind, id }: Open): string {
  return `/${kind === 'task' ? 'tasks' : 'stories'}/${encodeURIComponent(id)}`
}
