import { useSyncExternalStore } from 'react'

const isDark = matchMedia('(prefers-color-scheme: dark)')

/** A name of the theme that is shown now: whoever reads colours from the tokens reads them anew when it changes. */
export function useShownTheme(): string {
  return useSyncExternalStore(subscribe, () => document.documentElement.dataset['theme'] ?? String(isDark.matches))
}

function subscribe(listener: () => void): () => void {
  const observer = new MutationObserver(listener)
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] })
  isDark.addEventListener('change', listener)
  return () => {
    observer.disconnect()
    isDark.removeEventListener('change', listener)
  }
}
