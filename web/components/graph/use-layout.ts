import { startTransition, useEffect, useState } from 'react'
import type { GraphItem, GraphLink } from './graph-types.ts'
import type { LayoutRequest } from './layout-worker.ts'
import type { GraphLayout } from './layout.ts'

/**
 * Where nodes and edges stand; undefined until that is known, and the last layout while a new one is made.
 *
 * @param onFail the layout could not be made
 */
export function useLayout(
  items: readonly GraphItem[],
  links: readonly GraphLink[],
  onFail: () => void,
): GraphLayout | undefined {
  const [layout, setLayout] = useState<GraphLayout>()
  // States change far more often than what hangs on what: only the latter moves a node.
  const shape = JSON.stringify({ ids: items.map(({ id }) => id), links })
  useEffect(() => {
    const worker = new Worker(new URL('./layout-worker.ts', import.meta.url), { type: 'module' })
    worker.addEventListener('message', ({ data }: MessageEvent<GraphLayout>) => {
      // Drawn in pieces, between which the page answers.
      startTransition(() => setLayout(data))
    })
    worker.addEventListener('error', onFail)
    const request: LayoutRequest = JSON.parse(shape)
    worker.postMessage(request, {})
    return () => worker.terminate()
  }, [shape, onFail])
  return layout
}
