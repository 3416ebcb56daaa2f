/** What hangs together in a graph: pure. */
import { groupBy } from '../../model/group.ts'
import type { GraphItem, GraphLink } from './graph-types.ts'
import type { GraphLayout, PlacedNode } from './layout.ts'

/** What a node waits for comes first in a `depends_on`, and last where a parent waits for its subtask. */
function waitingSide({ from, to, kind }: GraphLink): { readonly awaited: string; readonly waiting: string } {
  return kind === 'depends_on' ? { awaited: from, waiting: to } : { awaited: to, waiting: from }
}

/**
 * The nodes that cannot go on because something failed or waits for a person: those that did, and all that wait for
 * them, directly or not.
 */
export function blockedNodes(items: readonly GraphItem[], links: readonly GraphLink[]): ReadonlySet<string> {
  const blocked = new Set(items.filter(({ words }) => ['fail', 'ask'].includes(words.tone)).map(({ id }) => id))
  const finished = new Set(items.filter(({ words }) => words.tone === 'done').map(({ id }) => id))
  const waitingFor = groupBy(links.map(waitingSide), ({ awaited }) => awaited)
  for (const id of blocked)
    for (const { waiting } of waitingFor.get(id) ?? []) if (!finished.has(waiting)) blocked.add(waiting)
  return blocked
}

/** Whether an edge is part of that path: what it leads from holds up what it leads to. */
export function isBlockedLink(link: GraphLink, blocked: ReadonlySet<string>): boolean {
  const { awaited, waiting } = waitingSide(link)
  return blocked.has(awaited) && blocked.has(waiting)
}

/** The keys that move in a graph. */
export type StepKey = 'ArrowLeft' | 'ArrowRight' | 'ArrowUp' | 'ArrowDown' | 'Home' | 'End'

/**
 * Where a key leads from a node: right and left along an edge, to the end nearest in height; up and down in its layer;
 * Home and End to the first and the last node. Undefined where there is nothing.
 */
export function stepFrom({ nodes, links }: GraphLayout, id: string, key: StepKey): string | undefined {
  const here = nodes.find((node) => node.id === id)
  if (here === undefined) return nodes[0]?.id
  const places = new Map(nodes.map((node) => [node.id, node]))
  const ends = (ids: readonly string[]): string | undefined =>
    nearest(
      here,
      ids.flatMap((end) => places.get(end) ?? []),
    )
  const column = nodes.filter(({ layer }) => layer === here.layer)
  switch (key) {
    case 'ArrowRight':
      return ends(links.filter(({ from }) => from === id).map(({ to }) => to))
    case 'ArrowLeft':
      return ends(links.filter(({ to }) => to === id).map(({ from }) => from))
    case 'ArrowUp':
      return column.findLast(({ y }) => y < here.y)?.id
    case 'ArrowDown':
      return column.find(({ y }) => y > here.y)?.id
    case 'Home':
      return nodes[0]?.id
    case 'End':
      return nodes.at(-1)?.id
    default:
      return key satisfies never
  }
}

function nearest(here: PlacedNode, nodes: readonly PlacedNode[]): string | undefined {
  return nodes.toSorted((a, b) => Math.abs(a.y - here.y) - Math.abs(b.y - here.y))[0]?.id
}

/** What each node hangs on, in words, for those who do not see the graph. */
export function relationWords(items: readonly GraphItem[], links: readonly GraphLink[]): ReadonlyMap<string, string> {
  const names = new Map(items.map(({ id, name }) => [id, name]))
  const linksTo = groupBy(links, ({ to }) => to)
  const named = (id: string, kind: GraphLink['kind']): string =>
    (linksTo.get(id) ?? [])
      .filter((link) => link.kind === kind)
      .flatMap(({ from }) => names.get(from) ?? [])
      .join(', ')
  return new Map(
    items.map(({ id }) => {
      const [awaited, parent] = [named(id, 'depends_on'), named(id, 'parent_task_id')]
      const parts = [awaited === '' ? '' : `waits for ${awaited}`, parent === '' ? '' : `part of ${parent}`]
      return [id, parts.filter((part) => part !== '').join('; ')]
    }),
  )
}
