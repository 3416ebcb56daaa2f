import { useState } from 'react'
import type { Theme } from '../../components/theme.ts'
import { currentTheme, setTheme, THEMES } from '../../components/theme.ts'
import { ViewHeader } from '../../components/view-header.tsx'
import { KEYS } from '../../model/keys.ts'
import { About } from './about.tsx'
import { Access } from './access.tsx'
import { Notifications } from './notifications.tsx'
import css from './settings.module.css'

/** The view at /settings: what this browser keeps, who it is signed in as, and what it talks to. */
export function SettingsPage() {
  return (
    <>
      <ViewHeader title="Settings">
        <span>of this browser</span>
      </ViewHeader>
      <div className={css['page']}>
        <Notifications />
        <ThemeChoice />
        <Access />
        <About />
        <Keys />
      </div>
    </>
  )
}

/** What the keyboard does. */
function Keys() {
  return (
    <section className={css['group']}>
      <h2>Keys</h2>
      <dl className={css['facts']}>
        {KEYS.map(([keys, meaning]) => (
          <div key={keys}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

const THEME_WORDS: Readonly<Record<Theme, string>> = { system: 'As the system', light: 'Light', dark: 'Dark' }

/** Light, dark, or as the system has it. */
function ThemeChoice() {
  const [theme, choose] = useState(currentTheme)
  return (
    <fieldset className={css['group']}>
      <legend>Theme</legend>
      <div className={css['choices']}>
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
      </div>
    </fieldset>
  )
}
