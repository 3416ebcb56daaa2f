/** Named filters of a view: pure. */
import { parseJson } from '../../core/json.ts'

/** Filters that a person has given a name. */
export interface SavedView {
  readonly name: string
  /** The search part of the view's address, without `?`. */
  readonly query: string
}

/** The views with one more, or with another meaning of that name; in the order of their names. */
export function withView(views: readonly SavedView[], view: SavedView): readonly SavedView[] {
  const others = views.filter(({ name }) => name !== view.name)
  return [...others, view].toSorted((a, b) => (a.name.toLowerCase() < b.name.toLowerCase() ? -1 : 1))
}

export function withoutView(views: readonly SavedView[], name: string): readonly SavedView[] {
  return views.filter((view) => view.name !== name)
}

/** The same view by another name; takes the place of a view that has it. */
export function withViewRenamed(views: readonly SavedView[], name: string, next: string): readonly SavedView[] {
  const view = views.find((candidate) => candidate.name === name)
  return view === undefined ? views : withView(withoutView(views, name), { ...view, name: next })
}

/** What was stored by {@link formatViews}; whatever else stands there counts as nothing. */
export function parseViews(text: string | null): readonly SavedView[] {
  const stored = parseJson(text ?? '')
  return Array.isArray(stored) ? stored.filter(isView).map(({ name, query }) => ({ name, query })) : []
}

export function formatViews(views: readonly SavedView[]): string {
  return JSON.stringify(views)
}

function isView(value: unknown): value is SavedView {
  if (typeof value !== 'object' || value === null || !('name' in value) || !('query' in value)) return false
  return typeof value.name === 'string' && value.name !== '' && typeof value.query === 'string'
}
