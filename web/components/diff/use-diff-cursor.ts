/** The row that the keyboard is at, and the ways to move it. */
import type { Virtualizer } from '@tanstack/react-virtual'
import { type Ref, type RefObject, useImperativeHandle, useState, useEffect, useEffectEvent } from 'react'
import { headerAt } from './row-cache.ts'
import { type Row, placeOfLine } from './rows.ts'
import type { DiffModel } from './use-diff-model.ts'

export interface DiffListHandle {
  showFile(path: string): void
}

interface CursorOptions {
  readonly model: DiffModel
  readonly virtual: Virtualizer<HTMLDivElement, Element>
  readonly scroller: RefObject<HTMLDivElement | null>
  readonly isReadOnly: boolean
  readonly handle: Ref<DiffListHandle>
}

/** @returns key of the row that the keyboard is at */
export function useDiffCursor({ model, virtual, scroller, isReadOnly, handle }: CursorOptions): string | undefined {
  const { rows, headers } = model
  const [cursor, setCursor] = useState<string>()
  /** That of the keyboard; without one, the first row that is seen. */
  const current = (): number => {
    const found = cursor === undefined ? -1 : rows.findIndex(({ key }) => key === cursor)
    return found === -1 ? (virtual.range?.startIndex ?? 0) : found
  }
  const goTo = (index: number, align: 'start' | 'auto'): void => {
    const row = rows[index]
    if (row === undefined) return
    setCursor(row.key)
    virtual.scrollToIndex(index, { align })
  }
  useImperativeHandle(handle, () => ({
    showFile(path) {
      const index = headers.findIndex((header) => isHeaderOf(rows[header], path))
      if (index === -1) return
      model.fold(path, false)
      goTo(headers[index] ?? 0, 'start')
    },
  }))
  const comment = (): void => {
    const index = isLine(rows[current()]) ? current() : nextLine(rows, current(), 1)
    const row = rows[index]
    const line = row?.kind === 'line' ? row.line : row?.kind === 'pair' ? (row.right ?? row.left) : undefined
    const file = row === undefined ? undefined : model.views[row.fileIndex]?.file
    if (row === undefined || line === undefined || file === undefined) return
    setCursor(row.key)
    model.setOpen(placeOfLine(file.path, line))
  }
  useDiffKeys(scroller, {
    toFile(step) {
      const at = headerAt(headers, current())
      const isAtStart = cursor === undefined && current() === 0
      goTo(headers[isAtStart && step === 1 ? 0 : at + step] ?? headers[at] ?? 0, 'start')
      scroller.current?.focus({ preventScroll: true })
    },
    toLine: (step) => goTo(nextLine(rows, current(), step), 'auto'),
    comment: isReadOnly ? undefined : comment,
    toggleViewed() {
      const view = model.views[headerAt(headers, current())]
      if (view !== undefined) model.setViewed(view.file.path, !view.isViewed)
    },
  })
  return cursor
}

function isHeaderOf(row: Row | undefined, path: string): boolean {
  return row?.kind === 'file' && row.view.file.path === path
}

function isLine(row: Row | undefined): boolean {
  return row?.kind === 'line' || row?.kind === 'pair'
}

/** The next row with a line in that direction; the same one where there is none. */
function nextLine(rows: readonly Row[], from: number, step: 1 | -1): number {
  for (let index = from + step; index >= 0 && index < rows.length; index += step) if (isLine(rows[index])) return index
  return from
}

interface DiffKeys {
  toFile(step: 1 | -1): void
  toLine(step: 1 | -1): void
  /** Undefined where none may be written: the key is then another one's. */
  readonly comment: (() => void) | undefined
  toggleViewed(): void
}

/**
 * Keys of a diff: j and k by file, arrows by line, c for a comment, v for viewed.
 *
 * @param list has the lines; the arrows are its own only while it has the focus
 */
function useDiffKeys(list: RefObject<HTMLElement | null>, keys: DiffKeys): void {
  const onKeyDown = useEffectEvent((event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return
    if (!isForDiff(event.target, list.current)) return
    const isInList = event.target === list.current
    const action = {
      j: () => keys.toFile(1),
      k: () => keys.toFile(-1),
      c: keys.comment,
      v: () => keys.toggleViewed(),
      ArrowDown: isInList ? () => keys.toLine(1) : undefined,
      ArrowUp: isInList ? () => keys.toLine(-1) : undefined,
    }[event.key]
    if (action === undefined) return
    event.preventDefault()
    event.stopPropagation()
    action()
  })
  useEffect(() => {
    const listener = (event: KeyboardEvent): void => onKeyDown(event)
    // Before the keys that hold everywhere: while a diff can be commented, `c` is a comment and no new task.
    addEventListener('keydown', listener, true)
    return () => removeEventListener('keydown', listener, true)
  }, [])
}

/** Not while something is typed, nor in a dialog that lies over the diff. */
function isForDiff(target: EventTarget | null, list: HTMLElement | null): boolean {
  if (!(target instanceof HTMLElement) || list === null) return false
  if (target.isContentEditable || /^(TEXTAREA|SELECT)$/.test(target.tagName)) return false
  if (target instanceof HTMLInputElement && target.type !== 'checkbox') return false
  // One that is open within a list has its keys alone: outside of it they are the list's.
  const peek = list.closest('[data-peek]')
  if (peek !== null && !peek.contains(target)) return false
  const dialog = target.closest('[role="dialog"], [role="alertdialog"]')
  return dialog === null || dialog.contains(list)
}
