import { useState } from 'react'
import { signOut, useSession } from '../../api/session.ts'
import { Button } from '../../components/button.tsx'
import type { Theme } from '../../components/theme.ts'
import { currentTheme, setTheme, THEMES } from '../../components/theme.ts'
import { ViewHeader } from '../../components/view-header.tsx'
import css from './settings.module.css'

const THEME_WORDS: Readonly<Record<Theme, string>> = { system: 'As the system', light: 'Light', dark: 'Dark' }

/** The view at /settings: what this browser keeps, and who it is signed in as. */
export function SettingsPage() {
  const { name, may } = useSession()
  const [theme, choose] = useState(currentTheme)
  const scopes = (['read', 'decide', 'admin'] as const).filter(may)
  return (
    <>
      <ViewHeader title="Settings" />
      <div className={css['page']}>
        <fieldset className={css['group']}>
          <legend>Theme</legend>
          {THEMES.map((option) => (
            <label key={option}>
              <input
                type="radio"
                name="theme"
                checked={theme === option}
                onChange={() => {
                  setTheme(option)
                  choose(option)
                }}
              />
              {THEME_WORDS[option]}
            </label>
          ))}
        </fieldset>
        <section className={css['group']}>
          <h2>Access</h2>
          {name === 'anonymous' ? (
            <p>This server asks for no token: everybody on its machine may do everything.</p>
          ) : (
            <p>
              You are {name}. Your token allows: {scopes.join(', ')}.
            </p>
          )}
          {name !== 'anonymous' && <Button onClick={() => void signOut()}>Sign out</Button>}
        </section>
      </div>
    </>
  )
}
