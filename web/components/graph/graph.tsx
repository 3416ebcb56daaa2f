import { lazy, Suspense, useCallback, useRef, useState } from 'react'
import { Button } from '../button.tsx'
import { GraphList } from './graph-list.tsx'
import type { GraphItem, GraphLink } from './graph-types.ts'
import css from './graph.module.css'
import { blockedNodes } from './paths.ts'

const Canvas = lazy(() => import('./graph-canvas.tsx').then(({ GraphCanvas }) => ({ default: GraphCanvas })))
const [LEAST, MOST] = [0.2, 2.5]

interface GraphProps {
  readonly items: readonly GraphItem[]
  readonly links: readonly GraphLink[]
  readonly label: string
  /** Left out: nodes cannot be opened. */
  readonly onOpen?: ((id: string) => void) | undefined
}

/** Tasks and what they wait for, as a picture or as a list; the picture has the list behind it for screen readers. */
export function Graph({ items, links, label, onOpen }: GraphProps) {
  const [isList, setList] = useState(false)
  const [scale, setScale] = useState<number>()
  const place = useRef<HTMLDivElement>(null)
  const zoom = useCallback((factor: number) => {
    const picture = place.current?.querySelector('svg')
    const width = picture?.viewBox.baseVal.width ?? 0
    if (picture === null || picture === undefined || width === 0) return
    const now = picture.getBoundingClientRect().width / width
    setScale(Math.min(MOST, Math.max(LEAST, now * factor)))
  }, [])
  return (
    <div className={css['graph']}>
      <div className={css['tools']}>
        {!isList && (
          <>
            <Button isSmall aria-label="Smaller" title="Smaller" onClick={() => zoom(1 / 1.25)}>
              −
            </Button>
            <Button isSmall aria-label="Larger" title="Larger" onClick={() => zoom(1.25)}>
              +
            </Button>
            <Button isSmall onClick={() => setScale(0)}>
              Fit
            </Button>
          </>
        )}
        <Button isSmall aria-pressed={isList} onClick={() => setList(!isList)}>
          {isList ? 'Graph' : 'List'}
        </Button>
      </div>
      {isList ? (
        <GraphList items={items} links={links} onOpen={onOpen} />
      ) : (
        <div className={css['place']} ref={place}>
          <Suspense fallback={<div className={css['coming']} role="status" aria-label="The graph is being drawn" />}>
            <Canvas items={items} links={links} label={label} scale={scale} onScale={zoom} onOpen={onOpen} />
          </Suspense>
          <div className="unseen">
            <GraphList items={items} links={links} onOpen={undefined} />
          </div>
        </div>
      )}
      <Legend canOpen={onOpen !== undefined} isHeldUp={blockedNodes(items, links).size > 0} />
    </div>
  )
}

function Legend({ canOpen, isHeldUp }: { readonly canOpen: boolean; readonly isHeldUp: boolean }) {
  return (
    <p className={css['legend']} aria-hidden>
      <span>
        <svg width="22" height="8" className={css['sample']}>
          <path d="M0 4H21M17 1 21 4 17 7" />
        </svg>
        waits for
      </span>
      <span>
        <svg width="22" height="8" className={css['sample']}>
          <path d="M0 4H22" strokeDasharray="3 4" />
        </svg>
        part of
      </span>
      {isHeldUp && (
        <span>
          <svg width="22" height="8" className={css['sample']} data-hot>
            <path d="M0 4H21M17 1 21 4 17 7" />
          </svg>
          held up
        </span>
      )}
      <span className={css['hint']}>arrow keys move{canOpen && ' · ↵ opens'} · Ctrl and wheel zooms</span>
    </p>
  )
}
