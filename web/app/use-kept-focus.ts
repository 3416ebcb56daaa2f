import { useEffect } from 'react'

/**
 * Sees to it that the focus never falls to the body: who uses keys alone, or listens, would begin anew at the top of the
 * page. When what has the focus goes, as a form does once its record is made, or a button once it has decided, the
 * heading of its panel or view takes it, unless something else has taken it by then.
 */
export function useKeptFocus(): void {
  useEffect(() => {
    let last: { readonly element: Element; readonly panel: Element | null } | undefined
    const note = ({ target }: FocusEvent): void => {
      last = target instanceof Element ? { element: target, panel: target.closest('[data-panel]') } : undefined
    }
    // Whoever clicks beside everything leaves the focus on purpose: then the element is still there a moment later.
    const forget = (): void => {
      const left = last
      setTimeout(() => {
        if (left === last && left?.element.isConnected === true && left.element !== document.activeElement)
          last = undefined
      })
    }
    const restore = (): void => {
      if (last === undefined || last.element.isConnected || document.activeElement !== document.body) return
      focusStart(last.panel?.isConnected === true ? last.panel : document.querySelector('main'))
    }
    // Later, so that whatever gives the focus back to where it was before has done so.
    const watch = new MutationObserver(() => {
      if (last?.element.isConnected === false && document.activeElement === document.body)
        requestAnimationFrame(() => setTimeout(restore))
    })
    watch.observe(document.body, { childList: true, subtree: true })
    document.addEventListener('focusin', note)
    document.addEventListener('focusout', forget)
    return () => {
      watch.disconnect()
      document.removeEventListener('focusin', note)
      document.removeEventListener('focusout', forget)
    }
  }, [])
}

function focusStart(place: Element | null): void {
  const heading = place?.querySelector<HTMLElement>('h1, h2') ?? place
  if (!(heading instanceof HTMLElement)) return
  heading.tabIndex = -1
  heading.focus({ preventScroll: true })
}
