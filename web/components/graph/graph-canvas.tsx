import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react'
import { GraphComing } from './graph-coming.tsx'
import { GraphNode } from './graph-node.tsx'
import type { GraphItem, GraphLink } from './graph-types.ts'
import css from './graph.module.css'
import type { GraphLayout, PlacedLink } from './layout.ts'
import { type StepKey, isBlockedLink, stepFrom } from './paths.ts'
import { useLayout } from './use-layout.ts'

const STEP_KEYS: readonly StepKey[] = ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Home', 'End']
/** Text smaller than that cannot be read: a wide graph is scrolled instead. */
const LEAST_READABLE = 0.66

export interface GraphCanvasProps {
  readonly items: readonly GraphItem[]
  readonly links: readonly GraphLink[]
  /** The nodes that cannot go on. */
  readonly blocked: ReadonlySet<string>
  readonly label: string
  /** How large; undefined: as wide as its place, as far as it can be read; 0: all of it, however small. */
  readonly scale: number | undefined
  readonly onScale: (factor: number) => void
  readonly onOpen?: ((id: string) => void) | undefined
  /** It cannot be drawn. */
  readonly onFail: () => void
}

/** The graph as a picture, as soon as it is known where everything stands. */
export function GraphCanvas({ onFail, ...props }: GraphCanvasProps) {
  const layout = useLayout(props.items, props.links, onFail)
  return layout === undefined ? <GraphComing /> : <Picture {...props} layout={layout} />
}

interface PictureProps extends Omit<GraphCanvasProps, 'links' | 'onFail'> {
  readonly layout: GraphLayout
}

/** Its place scrolls; one node takes the focus, and arrow keys move it along the edges. */
function Picture({ items, layout, blocked, label, scale, onScale, onOpen }: PictureProps) {
  const svg = useRef<SVGSVGElement>(null)
  const [chosen, setChosen] = useState<string>()
  const places = useMemo(() => new Map(layout.nodes.map((node) => [node.id, node])), [layout])
  const active = chosen !== undefined && places.has(chosen) ? chosen : layout.nodes[0]?.id
  useZoomByWheel(svg, onScale)

  const onKeyDown = (event: KeyboardEvent): void => {
    const key = STEP_KEYS.find((known) => known === event.key)
    if (key === undefined || active === undefined || event.altKey || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    const next = stepFrom(layout, active, key)
    if (next === undefined) return
    setChosen(next)
    svg.current?.querySelector<SVGGElement>(`[data-node="${CSS.escape(next)}"]`)?.focus()
  }
  const { width, height } = layout
  const size = scale === undefined || scale === 0 ? '100%' : `${width * scale}px`
  return (
    <svg
      ref={svg}
      className={css['picture']}
      viewBox={`0 0 ${width} ${height}`}
      style={{
        width: size,
        ...(scale === undefined ? { minWidth: width * LEAST_READABLE } : {}),
        ...limit(scale, width),
      }}
      role="group"
      aria-label={label}
      onKeyDown={onKeyDown}
    >
      <Links links={layout.links} blocked={blocked} />
      {items.map((item) => {
        const place = places.get(item.id)
        return place === undefined ? null : (
          <GraphNode
            key={item.id}
            item={item}
            place={place}
            isActive={item.id === active}
            isBlocked={blocked.has(item.id)}
            onFocus={setChosen}
            onOpen={item.role === 'validation' ? undefined : onOpen}
          />
        )
      })}
    </svg>
  )
}

/** The edges: those that are held up stand out, and those to what waits have an arrow. */
function Links({ links, blocked }: { readonly links: readonly PlacedLink[]; readonly blocked: ReadonlySet<string> }) {
  const arrow = useId()
  return (
    <>
      <defs>
        {['plain', 'hot'].map((kind) => (
          <marker
            key={kind}
            id={`${arrow}${kind}`}
            className={css['arrow']}
            data-hot={kind === 'hot' || undefined}
            viewBox="0 0 8 8"
            refX="7"
            refY="4"
            markerWidth="7"
            markerHeight="7"
            orient="auto"
          >
            <path d="M1 1 7 4 1 7" />
          </marker>
        ))}
      </defs>
      {links.map((link) => {
        const isHot = isBlockedLink(link, blocked)
        return (
          <path
            key={`${link.from} ${link.to} ${link.kind}`}
            className={css['link']}
            data-kind={link.kind}
            data-hot={isHot || undefined}
            d={link.path}
            markerEnd={link.kind === 'depends_on' ? `url(#${arrow}${isHot ? 'hot' : 'plain'})` : undefined}
          />
        )
      })}
    </>
  )
}

/** A small graph is not blown up. */
function limit(scale: number | undefined, width: number): { readonly maxWidth?: number } {
  return scale === undefined || scale === 0 ? { maxWidth: width } : {}
}

/** Ctrl and the wheel, which is also what a touchpad's pinch comes as. React's own listener could not keep the page from zooming. */
function useZoomByWheel(svg: { readonly current: SVGSVGElement | null }, onScale: (factor: number) => void): void {
  useEffect(() => {
    const { current } = svg
    if (current === null) return undefined
    const zoom = (event: WheelEvent): void => {
      if (!event.ctrlKey) return
      event.preventDefault()
      onScale(event.deltaY < 0 ? 1.1 : 1 / 1.1)
    }
    current.addEventListener('wheel', zoom, { passive: false })
    return () => current.removeEventListener('wheel', zoom)
  }, [svg, onScale])
}
