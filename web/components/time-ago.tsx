import { sayAge } from '../../core/sentences/amounts.ts'
import { createContext, use } from 'react'
import { formatInstant } from '../model/time.ts'

/** The server's time in milliseconds, by the minute; the shell gives it, so that every age on the page moves at once. */
export const NowContext = createContext<number | undefined>(undefined)

interface TimeAgoProps {
  /** An instant of the server, RFC 3339. */
  readonly at: string
}

/** How long ago something was, with the instant in full on hover and for machines. */
export function TimeAgo({ at }: TimeAgoProps) {
  const nowMs = use(NowContext)
  return (
    <time dateTime={at} title={formatInstant(at)}>
      {nowMs === undefined ? formatInstant(at) : sayAge(nowMs - Date.parse(at))}
    </time>
  )
}
