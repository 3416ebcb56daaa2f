/**
 * Does it at once, or as soon as the person looks at the page.
 *
 * @returns ends the waiting
 */
export function whenVisible(act: () => void): () => void {
  const waiting = new AbortController()
  const look = (): void => {
    if (document.visibilityState !== 'visible') return
    waiting.abort()
    act()
  }
  document.addEventListener('visibilitychange', look, { signal: waiting.signal })
  look()
  return () => waiting.abort()
}
