import { useEffect } from 'react'

/** Shows in title and icon of the tab how many things wait for a person. */
export function useTitleCount(waiting: number): void {
  useEffect(() => {
    document.title = waiting === 0 ? 'Slipway' : `(${waiting}) Slipway`
    const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]')
    if (icon !== null) icon.href = waiting === 0 ? '/favicon.svg' : drawIcon(waiting)
  }, [waiting])
}

/** The icon with the number on it, as an address that carries it. */
function drawIcon(waiting: number): string {
  const text = waiting > 99 ? '99' : String(waiting)
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect x="1" y="1" width="30" height="30" rx="8" fill="#3b5bdb"/><text x="16" y="23" text-anchor="middle" font-family="system-ui,sans-serif" font-weight="700" font-size="${text.length > 1 ? 17 : 21}" fill="#fff">${text}</text></svg>`
  return `data:image/svg+xml,${encodeURIComponent(svg)}`
}
