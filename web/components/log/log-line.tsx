import { formatSize } from '../../../core/amounts.ts'
import { memo } from 'react'
import { AnsiText } from '../ansi-text.tsx'
import css from './log.module.css'

export interface LineOfLog {
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
export const LogLine = memo(function LogLine({ number, line, carried, marked, isTarget }: LogLineProps) {
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
