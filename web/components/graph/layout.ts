/**
 * Where the nodes and edges of a graph stand: pure. Layers run from left to right, so that what waits stands to the
 * right of what it waits for, and a subtask to the right of its parent.
 */
import { type EdgeLabel, type GraphLabel, type NodeLabel, Graph, layout } from '@dagrejs/dagre'
import type { GraphLink } from './graph-types.ts'

export const NODE_WIDTH = 188
export const NODE_HEIGHT = 48
const MARGIN = 16
const BETWEEN_LAYERS = 44
const BETWEEN_NODES = 20

export interface PlacedNode {
  readonly id: string
  /** Left upper corner, in pixels. */
  readonly x: number
  readonly y: number
  /** 0 for the first one. */
  readonly layer: number
}

export interface PlacedLink extends GraphLink {
  /** The `d` of an SVG path. */
  readonly path: string
}

export interface GraphLayout {
  readonly width: number
  readonly height: number
  /** By layer, and from above within one. */
  readonly nodes: readonly PlacedNode[]
  readonly links: readonly PlacedLink[]
}

interface Point {
  readonly x: number
  readonly y: number
}

/** Places a graph; links to nodes that are not there are left out. */
export function layoutGraph(ids: readonly string[], links: readonly GraphLink[]): GraphLayout {
  const known = new Set(ids)
  const drawn = links.filter(({ from, to }) => known.has(from) && known.has(to) && from !== to)
  const graph = new Graph<GraphLabel, NodeLabel, EdgeLabel>({ multigraph: true })
  graph.setGraph({ rankdir: 'LR', nodesep: BETWEEN_NODES, ranksep: BETWEEN_LAYERS, marginx: MARGIN, marginy: MARGIN })
  for (const id of known) graph.setNode(id, { width: NODE_WIDTH, height: NODE_HEIGHT })
  for (const { from, to, kind } of drawn) graph.setEdge(from, to, { weight: kind === 'depends_on' ? 2 : 1 }, kind)
  layout(graph)
  const centres = [...known].map((id) => ({ id, ...pointOf(graph.node(id)) }))
  const columns = [...new Set(centres.map(({ x }) => x))].sort((a, b) => a - b)
  const nodes = centres.map(({ id, x, y }) => ({
    id,
    x: x - NODE_WIDTH / 2,
    y: y - NODE_HEIGHT / 2,
    layer: columns.indexOf(x),
  }))
  const places = new Map(nodes.map((node) => [node.id, node]))
  const { width = 0, height = 0 } = graph.graph()
  return {
    width: finite(width),
    height: finite(height),
    links: drawn.map((link) => {
      const [from, to] = [places.get(link.from), places.get(link.to)]
      if (from === undefined || to === undefined) return { ...link, path: '' }
      const points: readonly Point[] = graph.edge(link.from, link.to, link.kind).points ?? []
      const between = columns.slice(from.layer + 1, to.layer)
      const passed = between.flatMap((column) => points.find(({ x }) => Math.abs(x - column) < 1) ?? [])
      return { ...link, path: toPath(from, passed, to) }
    }),
    nodes: nodes.sort((a, b) => a.layer - b.layer || a.y - b.y),
  }
}

function pointOf({ x = 0, y = 0 }: { readonly x?: number; readonly y?: number }): Point {
  return { x, y }
}

/** An empty graph has no size. */
function finite(length: number): number {
  return Number.isFinite(length) ? length : 0
}

/**
 * A line from the middle of the right edge to the middle of the left one, which leaves and arrives level. Where it
 * passes a layer, it does so level as well, at the height that was kept free for it.
 *
 * @param passed where it passes the layers in between, in their middle
 */
function toPath(from: PlacedNode, passed: readonly Point[], to: PlacedNode): string {
  const start = { x: from.x + NODE_WIDTH, y: from.y + NODE_HEIGHT / 2 }
  const end = { x: to.x, y: to.y + NODE_HEIGHT / 2 }
  let here: Point = start
  let path = `M${format(start)}`
  const bendTo = (point: Point): void => {
    const middle = (here.x + point.x) / 2
    path += `C${format({ x: middle, y: here.y })} ${format({ x: middle, y: point.y })} ${format(point)}`
  }
  for (const { x, y } of passed) {
    bendTo({ x: x - NODE_WIDTH / 2, y })
    here = { x: x + NODE_WIDTH / 2, y }
    path += `L${format(here)}`
  }
  bendTo(end)
  return path
}

function format({ x, y }: Point): string {
  return `${Math.round(x * 10) / 10} ${Math.round(y * 10) / 10}`
}
