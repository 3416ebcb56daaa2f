/** What the command palette finds: pure. */
import type { Story, Task } from '../../core/rest/client/client.ts'
import type { View } from './views.ts'

export interface Goal {
  readonly path: string
  readonly label: string
  readonly kind: 'view' | 'story' | 'task'
}

const MOST = 12

/** Views, stories and tasks whose name or id holds the text; those that begin with it first. */
export function findGoals(
  text: string,
  {
    views,
    stories,
    tasks,
  }: { readonly views: readonly View[]; readonly stories: readonly Story[]; readonly tasks: readonly Task[] },
): readonly Goal[] {
  const wanted = text.trim().toLowerCase()
  const all: (Goal & { readonly id: string })[] = [
    ...views.map(({ id, path, label }) => ({ id, path, label, kind: 'view' as const })),
    ...stories.map(({ id, name }) => ({ id, path: `/stories/${id}`, label: name, kind: 'story' as const })),
    ...tasks.map(({ id, name }) => ({ id, path: `/tasks/${id}`, label: name, kind: 'task' as const })),
  ]
  if (wanted === '') return all.slice(0, views.length)
  const rank = ({ label, id }: { readonly label: string; readonly id: string }): number => {
    const name = label.toLowerCase()
    if (name.startsWith(wanted) || id.startsWith(wanted)) return 0
    return name.includes(wanted) || id.includes(wanted) ? 1 : 2
  }
  const ranked = all.map((goal) => ({ goal, rank: rank(goal) })).filter((found) => found.rank < 2)
  return ranked
    .toSorted((a, b) => a.rank - b.rank)
    .slice(0, MOST)
    .map(({ goal: { path, label, kind } }) => ({ path, label, kind }))
}
