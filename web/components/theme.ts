/** The theme: as the system has it, or as this browser's setting says. web/public/theme.js applies it before the first paint. */
export const THEMES = ['system', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

const KEY = 'slipway.theme'

export function currentTheme(): Theme {
  const chosen = document.documentElement.dataset['theme']
  return THEMES.find((theme) => theme === chosen) ?? 'system'
}

export function setTheme(theme: Theme): void {
  if (theme === 'system') {
    delete document.documentElement.dataset['theme']
    localStorage.removeItem(KEY)
  } else {
    document.documentElement.dataset['theme'] = theme
    localStorage.setItem(KEY, theme)
  }
}
