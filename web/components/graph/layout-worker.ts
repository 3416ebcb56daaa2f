/** Places a graph in a thread of its own: a large one takes longer than a page may be without an answer. */
import type { GraphLink } from './graph-types.ts'
import { layoutGraph } from './layout.ts'

export interface LayoutRequest {
  readonly ids: readonly string[]
  readonly links: readonly GraphLink[]
}

self.addEventListener('message', ({ data: { ids, links } }: MessageEvent<LayoutRequest>) => {
  self.postMessage(layoutGraph(ids, links), {})
})
