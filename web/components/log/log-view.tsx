import { ArrowDown } from 'lucide-react'
import { type CSSProperties, type RefObject, useLayoutEffect, useRef, useState, memo } from 'react'
import { formatSize } from '../../../core/sentences/amounts.ts'
import { carryColours } from '../../model/ansi.ts'
import { isAtEnd, logHeight, placeAt, scrollTo } from '../../model/log-place.ts'
import { AnsiText } from '../ansi-text.tsx'
import { Button } from '../button.tsx'
import { SMALL_ICON } from '../icons.tsx'
import css from './log.module.css'

interface LogViewProps {
  readonly label: string
  readonly total: number
  readonly lineAt: (number: number) => LineOfLog | undefined
  /** Told which lines are in sight, so that they are read. */
  readonly onRange: (first: number, count: number) => void
  /** Brought into sight when it changes, and marked. Without one the end is shown. */
  readonly target: number | undefined
  readonly marked: string
  readonly isWrapped: boolean
  /** More may come. */
  readonly isLive: boolean
}

/** Lines of a log of any length; only those in sight are drawn. It fills its parent, which must have a height. */
export function LogView({ label, total, lineAt, onRange, target, marked, isWrapped, isLive }: LogViewProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const viewHeight = useViewHeight(scroller)
  const [scrollTop, setScrollTop] = useState(0)
  const [isFollowing, setFollowing] = useState(target === undefined)
  const place = placeAt(total, scrollTop, viewHeight)
  const shownTarget = useRef<number>(undefined)

  useLayoutEffect(() => {
    const { current } = scroller
    if (current === null || viewHeight === 0 || total === 0) return
    if (target !== undefined && target !== shownTarget.current) {
      shownTarget.current = target
      current.scrollTop = scrollTo(total, target, viewHeight)
      setFollowing(isAtEnd(total, current.scrollTop, viewHeight))
    } else if (isFollowing) current.scrollTop = logHeight(total)
    setScrollTop(current.scrollTop)
  }, [target, total, viewHeight, isFollowing])
  useLayoutEffect(() => onRange(place.first, place.count), [onRange, place.first, place.count])

  const onScroll = (): void => {
    const { current } = scroller
    if (current === null) return
    setScrollTop(current.scrollTop)
    setFollowing(isAtEnd(total, current.scrollTop, viewHeight))
  }
  // Wrapped lines are taller than their share of the scroll bar; the last ones must still come into sight.
  const isBottom = isWrapped && isAtEnd(total, scrollTop, viewHeight)
  return (
    <div className={css['log']}>
      {/* What scrolls can be scrolled by keys alone (WCAG 2.1.1). */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div ref={scroller} className={css['scroller']} role="region" aria-label={label} tabIndex={0} onScroll={onScroll}>
        <div className={css['area']} style={{ height: logHeight(total) }}>
          <div
            className={css['lines']}
            data-wrapped={isWrapped || undefined}
            style={linesStyle(total, isBottom ? undefined : place.top)}
          >
            {linesOf(place.first, place.count, lineAt).map(({ number, line, carried }) => (
              <LogLine
                key={number}
                number={number}
                line={line}
                carried={carried}
                marked={marked}
                isTarget={number === target}
              />
            ))}
          </div>
        </div>
      </div>
      {!isFollowing && (
        <span className={css['latest']}>
          <Button isSmall onClick={() => setFollowing(true)}>
            <ArrowDown size={SMALL_ICON} aria-hidden /> {isLive ? 'Jump to latest' : 'Jump to the end'}
          </Button>
        </span>
      )}
    </div>
  )
}

interface LinesStyle extends CSSProperties {
  readonly '--digits': number
}

/** @param top undefined: the lines end where the scrolled area ends */
function linesStyle(total: number, top: number | undefined): LinesStyle {
  return { '--digits': String(total).length, ...(top === undefined ? { bottom: 0 } : { top }) }
}

/** Colours are followed from so many lines above those that are drawn. */
const LOOK_BACK = 200

function linesOf(first: number, count: number, lineAt: LogViewProps['lineAt']) {
  let carried = ''
  for (let number = Math.max(1, first - LOOK_BACK); number < first; number += 1) {
    const line = lineAt(number)
    // What lies before a line that is not here is not known.
    carried = line === undefined ? '' : carryColours(carried, line.text)
  }
  return Array.from({ length: count }, (_, i) => {
    const line = lineAt(first + i)
    const own = { number: first + i, line, carried }
    carried = line === undefined ? '' : carryColours(carried, line.text)
    return own
  })
}

interface LineOfLog {
  readonly number: number
  readonly text: string
  readonly cut_bytes?: number
}

interface LogLineProps {
  readonly number: number
  /** Undefined while it is being read. */
  readonly line: LineOfLog | undefined
  /** Colours that the lines above have set. */
  readonly carried: string
  readonly marked: string
  readonly isTarget: boolean
}

/** A line with its number, which is its permanent address. */
const LogLine = memo(function LogLine({ number, line, carried, marked, isTarget }: LogLineProps) {
  return (
    <div className={css['line']} data-line={number} data-target={isTarget || undefined}>
      <a href={`#L${number}`} tabIndex={-1} aria-label={`Line ${number}`}>
        {number}
      </a>
      <span>
        {line !== undefined && <AnsiText text={line.text} carried={carried} marked={marked} />}
        {line?.cut_bytes !== undefined && <em> … {formatSize(line.cut_bytes)} more</em>}
      </span>
    </div>
  )
})

/** Height of what is seen of an element, in pixels; 0 until it is known. */
function useViewHeight(ref: RefObject<HTMLElement | null>): number {
  const [height, setHeight] = useState(0)
  useLayoutEffect(() => {
    const { current } = ref
    if (current === null) return undefined
    const measure = (): void => setHeight(current.clientHeight)
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(current)
    return () => observer.disconnect()
  }, [ref])
  return height
}
