import { useState } from 'react'
import { ApiFailure } from '../../core/rest/client/call.ts'
import { signIn, signInAddress, useSession } from '../api/session.ts'
import { Button } from '../components/button.tsx'
import button from '../components/button.module.css'
import css from './sign-in.module.css'

/** The server's words are for programs here: they name a header. */
function wordsOf(error: unknown): string {
  if (error instanceof ApiFailure && error.status === 401) return 'This server does not know that token.'
  return error instanceof Error ? error.message : String(error)
}

/** Asks for a token and turns it into a session of this browser. */
export function SignIn() {
  const { signIn: offer } = useSession()
  const [token, setToken] = useState('')
  const [problem, setProblem] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const send = async (): Promise<void> => {
    setBusy(true)
    setProblem(undefined)
    try {
      await signIn(token)
    } catch (error) {
      setProblem(wordsOf(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <main className={css['page']}>
      <form
        className={css['form']}
        onSubmit={(event) => {
          event.preventDefault()
          void send()
        }}
      >
        <h1>Slipway</h1>
        {offer && (
          <a className={`${button['button']} ${css['offer']}`} data-look="primary" href={signInAddress(offer)}>
            Sign in with {offer.name}
          </a>
        )}
        <p>
          {offer ? 'Or with a token of this server.' : 'This server asks for a token.'} It is in its configuration, or
          with whoever runs it.
        </p>
        <label>
          Token
          <input
            type="password"
            name="token"
            autoComplete="current-password"
            autoFocus={offer === undefined}
            required
            value={token}
            aria-invalid={problem !== undefined}
            aria-describedby="sign-in-problem"
            onChange={({ target }) => setToken(target.value)}
          />
        </label>
        <p id="sign-in-problem" role="alert" className={css['problem']}>
          {problem}
        </p>
        <Button type="submit" look={offer ? 'plain' : 'primary'} isBusy={isBusy}>
          Sign in
        </Button>
        <p className={css['note']}>The browser keeps a session for seven days, not the token.</p>
      </form>
    </main>
  )
}
