import type { Screen } from '../../../cli/command.ts'

/** A terminal of the tests, whose size they change. */
export interface FakeScreen extends Screen {
  resize(width: number, height: number): void
  /** As Ctrl-Z does, and then fg. */
  suspend(): void
  resume(): void
  /** Who is told of a new size. */
  listeners(): number
}

export function fakeScreen(width = 80, height = 24): FakeScreen {
  let size = { width, height }
  const callbacks = new Set<() => void>()
  let suspended: { leave: () => void; enter: () => void } | undefined
  return {
    size: () => size,
    onResize(callback) {
      callbacks.add(callback)
      return () => void callbacks.delete(callback)
    },
    onSuspend(leave, enter) {
      suspended = { leave, enter }
      return () => (suspended = undefined)
    },
    suspend: () => suspended?.leave(),
    resume: () => suspended?.enter(),
    resize(width, height) {
      size = { width, height }
      for (const callback of callbacks) callback()
    },
    listeners: () => callbacks.size,
  }
}
