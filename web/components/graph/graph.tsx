import { lazy, Suspense, useCallback, useMemo, useRef, useState } from 'react'
import { Button } from '../button.tsx'
import { GraphComing } from './graph-coming.tsx'
import { GraphGroups } from './graph-groups.tsx'
import { GraphList } from './graph-list.tsx'
import type { GraphItem, GraphLink } from './graph-types.ts'
import css from './graph.module.css'
import { isTooLarge } from './groups.ts'
import { blockedNodes, relationWords } from './paths.ts'

const Canvas = lazy(() => import('./graph-canvas.tsx').then(({ GraphCanvas }) => ({ default: GraphCanvas })))
const [LEAST, MOST] = [0.2, 2.5]

interface GraphProps {
  readonly items: readonly GraphItem[]
  readonly links: readonly GraphLink[]
  readonly label: string
  /** Left out: nodes cannot be opened. */
  readonly onOpen?: ((id: string) => void) | undefined
}

/**
 * Tasks and what they wait for, as a picture or as a list; the picture has the list behind it for screen readers. Those
 * that are too many for a picture are a list under their states.
 */
export function Graph({ items, links, label, onOpen }: GraphProps) {
  const relations = useMemo(() => relationWords(items, links), [items, links])
  const blocked = useMemo(() => blockedNodes(items, links), [items, links])
  const [isFailed, setFailed] = useState(false)
  const fail = useCallback(() => setFailed(true), [])
  const why = isTooLarge(items)
    ? `${items.length} tasks are too many for a picture. Here they are by state, with what each waits for.`
    : isFailed
      ? 'The picture could not be drawn. Here are the tasks by state, with what each waits for.'
      : undefined
  if (why !== undefined)
    return (
      <div className={css['graph']}>
        <p className={css['why']}>{why}</p>
        <GraphGroups items={items} relations={relations} onOpen={onOpen} />
      </div>
    )
  return <DrawnGraph {...{ items, links, label, onOpen, relations, blocked }} onFail={fail} />
}

interface DrawnGraphProps extends GraphProps {
  readonly relations: ReadonlyMap<string, string>
  readonly blocked: ReadonlySet<string>
  readonly onFail: () => void
}

function DrawnGraph({ items, links, label, onOpen, relations, blocked, onFail }: DrawnGraphProps) {
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
  const canvas = { items, links, blocked, label, scale, onScale: zoom, onOpen, onFail }
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
        <GraphList items={items} relations={relations} onOpen={onOpen} />
      ) : (
        <div className={css['place']} ref={place}>
          <Suspense fallback={<GraphComing />}>
            <Canvas {...canvas} />
          </Suspense>
          <div className="unseen">
            <GraphList items={items} relations={relations} onOpen={undefined} />
          </div>
        </div>
      )}
      <Legend
        canOpen={onOpen !== undefined}
        hasParts={links.some(({ kind }) => kind === 'parent_task_id')}
        isHeldUp={blocked.size > 0}
      />
    </div>
  )
}

interface LegendProps {
  readonly canOpen: boolean
  readonly hasParts: boolean
  readonly isHeldUp: boolean
}

/** What the lines mean that are there. */
function Legend({ canOpen, hasParts, isHeldUp }: LegendProps) {
  return (
    <p className={css['legend']} aria-hidden>
      <span>
        <svg width="22" height="8" className={css['sample']}>
          <path d="M0 4H21M17 1 21 4 17 7" />
        </svg>
        waits for
      </span>
      {hasParts && (
        <span>
          <svg width="22" height="8" className={css['sample']}>
            <path d="M0 4H22" strokeDasharray="3 4" />
          </svg>
          part of
        </span>
      )}
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
