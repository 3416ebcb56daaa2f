/**
 * The time as the server has it: all times of records are the server's, so a machine whose clock is wrong still shows
 * how long something has taken.
 */
import { useSyncExternalStore } from 'react'
import { skewFrom } from './skew.ts'

let skewMs = 0

export function noteServerTime(date: string | null, nowMs: number): void {
  skewMs = skewFrom(date, nowMs)
}

/** Milliseconds since 1970 by the server's clock. */
export function serverNow(): number {
  return Date.now() + skewMs
}

const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined
let shown = 0

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  timer ??= setInterval(() => {
    shown = serverNow()
    for (const each of listeners) each()
  }, 1_000)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

/** The server's time, rounded down to `stepMs`: who shows minutes is rendered once a minute. */
export function useServerTime(stepMs: 1_000 | 60_000 = 60_000): number {
  return useSyncExternalStore(subscribe, () => {
    if (timer === undefined || shown === 0) shown = serverNow()
    return Math.floor(shown / stepMs) * stepMs
  })
}
