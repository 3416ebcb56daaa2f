import { useEffect, useRef } from 'react'
import type { RefObject } from 'react'
import css from './diff-list.module.css'

interface SidewaysBarProps {
  /** Has the lines; gets `--x`, by how much they are moved. */
  readonly target: RefObject<HTMLElement | null>
  /** Of the longest line. */
  readonly characters: number
  readonly isSplit: boolean
}

/** Scrolls the text of lines that do not wrap; numbers and headers stay, and both halves move together. */
export function SidewaysBar({ target, characters, isSplit }: SidewaysBarProps) {
  const bar = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const [lines, scrollbar] = [target.current, bar.current]
    if (lines === null || scrollbar === null) return undefined
    const onScroll = (): void => lines.style.setProperty('--x', `${-scrollbar.scrollLeft}px`)
    const onWheel = ({ deltaX }: WheelEvent): void => void (scrollbar.scrollLeft += deltaX)
    scrollbar.addEventListener('scroll', onScroll)
    lines.addEventListener('wheel', onWheel, { passive: true })
    return () => {
      scrollbar.removeEventListener('scroll', onScroll)
      lines.removeEventListener('wheel', onWheel)
      lines.style.removeProperty('--x')
    }
  }, [target])
  return (
    <div
      ref={bar}
      className={css['sideways']}
      data-split={isSplit || undefined}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard
      tabIndex={0}
      role="group"
      aria-label="Scroll the lines sideways"
    >
      <div style={{ width: `calc(${characters}ch + 40px + ${isSplit ? 50 : 0}%)` }} />
    </div>
  )
}
