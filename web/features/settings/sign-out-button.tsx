import { signOut } from '../../api/session.ts'
import { useDecision } from '../../api/use-decision.ts'
import { Button } from '../../components/button.tsx'
import { refuse } from '../../components/toast.tsx'

/** Ends the session, or says why it goes on. */
export function SignOutButton() {
  const { decide, isPending } = useDecision<void>(signOut, { onDone: () => undefined, onRefused: refuse })
  return (
    <Button isBusy={isPending} onClick={() => decide()}>
      Sign out
    </Button>
  )
}
