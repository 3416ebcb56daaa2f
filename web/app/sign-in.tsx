import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiFailure } from '../../core/rest/client/call.ts'
import { signIn, signInAddress, useSession } from '../api/session.ts'
import { Button } from '../components/button.tsx'
import button from '../components/button.module.css'
import css from './sign-in.module.css'

/** The server's words are for programs here: they name a header. */
function wordsOf(error: Error): string {
  const isUnknown = error instanceof ApiFailure && error.status === 401
  return isUnknown ? 'This server does not know that token.' : error.message
}

/** Asks for a token and turns it into a session of this browser. */
export function SignIn() {
  const { signIn: offer } = useSession()
  const [token, setToken] = useState('')
  const { mutate, isPending, error } = useMutation({ mutationFn: signIn, gcTime: 0 })
  return (
    <main className={css['page']}>
      <form
        className={css['form']}
        onSubmit={(event) => {
          event.preventDefault()
          mutate(token)
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
            aria-invalid={error !== null}
            aria-describedby="sign-in-problem"
            onChange={({ target }) => setToken(target.value)}
          />
        </label>
        <p id="sign-in-problem" role="alert" className={css['problem']}>
          {error && wordsOf(error)}
        </p>
        <Button type="submit" look={offer ? 'plain' : 'primary'} isBusy={isPending}>
          Sign in
        </Button>
        <p className={css['note']}>The browser keeps a session for seven days, not the token.</p>
      </form>
    </main>
  )
}
