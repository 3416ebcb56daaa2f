import { sayAge, sayFor } from '../../core/sentences/amounts.ts'
import { createContext, use } from 'react'
import { formatInstant } from '../model/time.ts'

/** The server's time in milliseconds, by the minute; the shell gives it, so that every age on the page moves at once. */
export const NowContext = createContext<number | undefined>(undefined)

interface TimeAgoProps {
  /** An instant of the server, RFC 3339. */
  readonly at: string
  /** True: of something that goes on since then, as in `for 14m`. */
  readonly isSpan?: boolean
}

/** How long ago something was, with the instant in full on hover and for machines. */
export function TimeAgo({ at, isSpan = false }: TimeAgoProps) {
  const nowMs = use(NowContext)
  const ms = nowMs === undefined ? undefined : nowMs - Date.parse(at)
  return (
    <time dateTime={at} title={formatInstant(at)}>
      {ms === undefined ? formatInstant(at) : isSpan ? sayFor(ms) : sayAge(ms)}
    </time>
  )
}
