import type { ReactNode } from 'react'
import { useServerTime } from '../api/server-clock.ts'
import { NowContext } from '../components/time-ago.tsx'

/** Gives the server's time to what shows ages; only those are rendered again when it moves. */
export function Clock({ children }: { readonly children: ReactNode }) {
  return <NowContext value={useServerTime()}>{children}</NowContext>
}
