import { useEffect, useState } from 'react'
import { decisions } from '../api/decisions.ts'
import { type Deciding, canUndo } from '../api/held-decisions.ts'
import { useAllDeciding } from '../api/use-decision.ts'
import { Button } from '../components/button.tsx'
import { showUnseen } from '../model/hostile-text.ts'
import css from './overlays.module.css'

const MOST = 3

/** The decisions that can still be taken back, the latest last: how long that is so, Undo, and what sends them at once. */
export function UndoToasts() {
  const held = useAllDeciding().filter(({ waits }) => waits)
  const others = held.length - MOST
  return (
    <>
      {others > 0 && <p data-tone="undo">{others} more decisions are about to be sent.</p>}
      {held.slice(-MOST).map((deciding) => (
        <UndoToast key={deciding.id} deciding={deciding} />
      ))}
    </>
  )
}

function UndoToast({ deciding }: { readonly deciding: Deciding }) {
  const { doing, what, untilMs } = deciding
  return (
    <div data-tone="undo">
      <span>
        {doing} {showUnseen(what)}…
      </span>
      {canUndo(deciding) && (
        <>
          <SecondsLeft untilMs={untilMs} />
          <Button isSmall aria-keyshortcuts="z" onClick={() => decisions.undo(deciding)}>
            Undo <kbd aria-hidden>z</kbd>
          </Button>
          <Button isSmall look="quiet" onClick={() => decisions.sendNow(deciding)}>
            Send now
          </Button>
        </>
      )}
    </div>
  )
}

/** Not read out: each second would be. */
function SecondsLeft({ untilMs }: { readonly untilMs: number }) {
  const [nowMs, setNowMs] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), 250)
    return () => clearInterval(timer)
  }, [])
  return (
    <span className={css['left']} aria-hidden>
      {Math.max(0, Math.ceil((untilMs - nowMs) / 1000))} s
    </span>
  )
}
