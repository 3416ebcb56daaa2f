import { CatchBoundary, useBlocker } from '@tanstack/react-router'
import { lazy, Suspense, useEffect } from 'react'
import { type LeavingQuestion, LOSING_TYPED, unsavedNow, useClosing, useUnsavedNow } from '../api/unsaved.ts'
import { type Address, isGone } from '../model/leaving.ts'
import { NothingShown, sayNotLoaded } from './overlay-states.tsx'

const loadDialog = () =>
  import('../components/leave-dialog.tsx').then(({ LeaveDialog: component }) => ({ default: component }))
const LeaveDialog = lazy(loadDialog)

interface Step {
  readonly current: Address
  readonly next: Address
}

/** What the step would lose; undefined: nothing. */
function questionOf({ current, next }: Step): LeavingQuestion | undefined {
  return unsavedNow().find(({ place }) => isGone(place, current, next))?.question
}

const shouldBlock = (step: Step): boolean => questionOf(step) !== undefined
const isUnsaved = (): boolean => unsavedNow().length > 0

/** Asks before a link, a step back, a key or the closing of a form, a panel or the tab loses what is not saved. */
export function LeaveQuestion() {
  const isDisabled = useUnsavedNow().length === 0
  const [closing, endClosing] = useClosing()
  const blocked = useBlocker({
    shouldBlockFn: shouldBlock,
    enableBeforeUnload: isUnsaved,
    disabled: isDisabled,
    withResolver: true,
  })
  useEffect(() => {
    // By then the server may be away; where it is now, it is tried again when the question is asked.
    if (!isDisabled) void loadDialog().catch(() => undefined)
  }, [isDisabled])
  const stay = (): void => {
    endClosing()
    blocked.reset?.()
  }
  const leave = (): void => {
    endClosing()
    closing?.()
    blocked.proceed?.()
  }
  const question = blocked.status === 'blocked' ? questionOf(blocked) : undefined
  const shown = closing === undefined ? question : LOSING_TYPED
  return (
    <CatchBoundary
      getResetKey={() => shown?.title ?? ''}
      errorComponent={NothingShown}
      onCatch={() => {
        sayNotLoaded()
        stay()
      }}
    >
      <Suspense>{shown !== undefined && <LeaveDialog {...shown} onStay={stay} onLeave={leave} />}</Suspense>
    </CatchBoundary>
  )
}
