import { useState } from 'react'
import type { Theme } from '../../components/theme.ts'
import { currentTheme, setTheme, THEMES } from '../../components/theme.ts'
import css from './settings.module.css'

const THEME_WORDS: Readonly<Record<Theme, string>> = { system: 'As the system', light: 'Light', dark: 'Dark' }

/** Light, dark, or as the system has it. */
export function ThemeChoice() {
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
