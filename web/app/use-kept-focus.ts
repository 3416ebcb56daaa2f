import { useEffect } from 'react'
import { focusOfRow } from '../components/focus-of-row.ts'
import { isField } from '../components/is-field.ts'

/**
 * Sees to it that the focus never falls to the body: who uses keys alone, or listens, would begin anew at the top of the
 * page. When what has the focus goes, as a form does once its record is made, or a button once it has decided, its row
 * takes it, or the next one, or the place of a record's decisions, else the heading of its panel or view, unless
 * something else has taken it by then. A line that goes because somebody scrolls leaves it to what scrolls, so that the
 * keys for that go on.
 */
export function useKeptFocus(): void {
  useEffect(() => {
    let last: Place | undefined
    const note = ({ target }: FocusEvent): void => {
      last = target instanceof Element ? placeOf(target) : undefined
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
      const near = last.near.find(({ isConnected }) => isConnected)
      if (near !== undefined) focusOfRow(near).focus({ preventScroll: true })
      else if (last.scroller?.isConnected === true) focusOn(last.scroller)
      else focusStart(last.panel?.isConnected === true ? last.panel : document.querySelector('main'))
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

/** Where the focus was: read while it is there, for what has gone stands beside nothing. */
interface Place {
  readonly element: Element
  readonly panel: Element | null
  /** What takes the focus in its place, the nearest first. */
  readonly near: readonly HTMLElement[]
  /** The nearest that scrolls, within the panel or view. */
  readonly scroller: HTMLElement | undefined
}

function placeOf(element: Element): Place {
  return { element, panel: element.closest('[data-panel]'), near: nearOf(element), scroller: scrollerOf(element) }
}

function scrollerOf(element: Element): HTMLElement | undefined {
  const outer = element.closest('[data-panel], main')
  for (let at = element.parentElement; at !== null && at !== outer; at = at.parentElement)
    if (at.scrollHeight > at.clientHeight && /auto|scroll/.test(getComputedStyle(at).overflowY)) return at
  return undefined
}

/** Keys that were meant for a field which has gone must not decide about a row. */
function nearOf(element: Element): readonly HTMLElement[] {
  if (isField(element)) return []
  const [row, decisions] = ['li[data-row]', '[data-decisions]'].map((place) => element.closest<HTMLElement>(place))
  if (!row) return decisions ? [decisions] : []
  const rows = [...document.querySelectorAll<HTMLElement>('li[data-row]')]
  const at = rows.indexOf(row)
  return [...rows.slice(at), ...rows.slice(0, at).toReversed()]
}

function focusStart(place: Element | null): void {
  const heading = place?.querySelector<HTMLElement>('h1, h2') ?? place
  if (heading instanceof HTMLElement) focusOn(heading)
}

function focusOn(element: HTMLElement): void {
  if (element.tabIndex < 0) element.tabIndex = -1
  element.focus({ preventScroll: true })
}
