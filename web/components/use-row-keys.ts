/** Keys of a table: from row to row, select, open. They work while the focus is in the table or nowhere. */
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'

interface RowKeys {
  /** The ids of the rows as they stand. */
  readonly order: readonly string[]
  readonly scroller: RefObject<HTMLElement | null>
  readonly onSelect: (id: string, isRange: boolean) => void
}

const STEPS: Readonly<Record<string, number>> = { j: 1, k: -1, ArrowDown: 1, ArrowUp: -1 }

export function useRowKeys({ order, scroller, onSelect }: RowKeys) {
  const [current, setCurrent] = useState<string>()
  const [wanted, setWanted] = useState<{ readonly id: string }>()
  useLayoutEffect(() => {
    if (wanted === undefined) return
    const row = scroller.current?.querySelector<HTMLElement>(`[data-row="${CSS.escape(wanted.id)}"]`)
    row?.focus({ preventScroll: true })
    row?.scrollIntoView({ block: 'nearest' })
  }, [wanted, scroller])
  const go = (step: number): void => {
    const from = current === undefined ? -1 : order.indexOf(current)
    const id = order[from === -1 ? (step === 1 ? 0 : order.length - 1) : from + step]
    if (id === undefined) return
    setCurrent(id)
    setWanted({ id })
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || !isOurs(event.target, scroller.current)) return
    const step = STEPS[event.key]
    const row = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-row]') : null
    const id = row?.dataset['row']
    if (step !== undefined) go(step)
    else if (event.key.toLowerCase() === 'x' && id !== undefined) onSelect(id, event.shiftKey)
    else if (event.key === 'Enter' && event.target === row) row?.querySelector('a')?.click()
    else return
    event.preventDefault()
  }
  const latest = useRef(onKeyDown)
  useLayoutEffect(() => {
    latest.current = onKeyDown
  })
  useEffect(() => {
    const listener = (event: KeyboardEvent): void => latest.current(event)
    addEventListener('keydown', listener)
    return () => removeEventListener('keydown', listener)
  }, [])
  return { current, setCurrent }
}

/** A key in a field, a dialog or a panel means something else. */
function isOurs(target: EventTarget | null, table: HTMLElement | null): boolean {
  if (target === document.body || target === table) return true
  if (!(target instanceof HTMLElement) || table?.contains(target) !== true) return false
  return !(target instanceof HTMLInputElement) || target.type === 'checkbox'
}
