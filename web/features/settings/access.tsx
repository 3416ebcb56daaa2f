import { useSession } from '../../api/session.ts'
import css from './settings.module.css'
import { SignOutButton } from './sign-out-button.tsx'

/** What each scope is for (docs/access.md). */
const SCOPE_WORDS = {
  read: 'see everything',
  decide: 'make, run, answer, accept and send back tasks and stories',
  admin: 'delete, run scripts, change projects and agents',
} as const
const SCOPES = ['read', 'decide', 'admin'] as const

/** Who this is, and what they may do. */
export function Access() {
  const { phase, name, endsAt, may } = useSession()
  const isOpen = name === 'anonymous'
  return (
    <section className={css['group']}>
      <h2>Access</h2>
      {phase === 'signed-in' && (
        <>
          <p>
            {isOpen ? (
              'This server asks for no token: everybody on its machine may do everything.'
            ) : (
              <>
                You are signed in as <b>{name}</b>.
                {endsAt && ` The session ends on ${new Date(endsAt).toLocaleString()}.`}
              </>
            )}
          </p>
          <ul className={css['scopes']}>
            {SCOPES.map((scope) => (
              <li key={scope} data-allowed={may(scope) || undefined}>
                <span aria-hidden>{may(scope) ? '✓' : '–'}</span>
                <code>{scope}</code>
                <span>
                  {may(scope) ? 'You may' : 'You may not'} {SCOPE_WORDS[scope]}
                </span>
              </li>
            ))}
          </ul>
          {!isOpen && <SignOutButton />}
        </>
      )}
    </section>
  )
}
