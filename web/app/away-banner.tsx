import { useConnection } from '../api/connection.ts'
import { useIsServerStarting } from '../api/session.ts'
import css from './shell.module.css'

/** Says that what is shown may be old, and why; the last state stays. */
export function AwayBanner() {
  const { phase, failures } = useConnection()
  const isStarting = useIsServerStarting()
  // One cut that heals at once is not worth a word.
  if (!isStarting && (phase !== 'away' || failures < 2)) return null
  return (
    <p className={css['banner']} role="alert">
      {isStarting
        ? 'The server is starting. The page goes on by itself.'
        : 'The server cannot be reached. This is the last state that was known; the page tries again by itself.'}
    </p>
  )
}
