import { useEffect } from 'react'
import { useConnection } from '../api/connection.ts'
import { askWhoAgain, useIsServerStarting, useSession } from '../api/session.ts'
import { useUnsavedNow } from '../api/unsaved.ts'
import css from './shell.module.css'

/** Says that what is shown may be old, and why; the last state stays. */
export function AwayBanner() {
  const { phase, failures } = useConnection()
  const isStarting = useIsServerStarting()
  if (useSession().isOver) return <SessionOver />
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

/** The page is left as soon as it holds nothing any more that is not saved. */
function SessionOver() {
  const isSaved = useUnsavedNow().length === 0
  useEffect(() => {
    if (isSaved) askWhoAgain()
  }, [isSaved])
  return (
    <p className={css['banner']} role="alert">
      Your session has ended. What is not saved here stays:{' '}
      <a href="/" target="_blank">
        sign in again in another tab
      </a>
      , then go on.
    </p>
  )
}
