/** What a page holds that a person would miss if it went elsewhere. */
import { createContext, use, useEffect, useSyncExternalStore } from 'react'
import type { Place } from '../model/leaving.ts'
import { createWatched } from '../model/watched.ts'

const held = new Set<object>()

/** Something is being written, or is under way, in this page: it is not sent elsewhere by a notification. */
export function useHeld(isHeld: boolean): void {
  useEffect(() => {
    if (!isHeld) return undefined
    const hold = {}
    held.add(hold)
    return () => void held.delete(hold)
  }, [isHeld])
}

/** What a person is asked before it is lost. */
export interface LeavingQuestion {
  readonly title: string
  /** What would be lost. */
  readonly text: string
}

/** The question about a form. */
export const LOSING_TYPED: LeavingQuestion = {
  title: 'Leave without saving?',
  text: 'What you have typed here is not saved, and would be lost.',
}

/** Something that is nowhere kept. */
export interface Unsaved {
  readonly question: LeavingQuestion
  readonly place: Place
}

/** Where on the page something is drawn. */
export const PlaceContext = createContext<Place>('view')

const unsaved = createWatched<readonly Unsaved[]>([])

/** The same for what is nowhere kept: the page asks before it goes elsewhere, and before it is closed or reloaded. */
export function useUnsaved(isUnsaved: boolean, question: LeavingQuestion = LOSING_TYPED): void {
  useHeld(isUnsaved)
  const place = use(PlaceContext)
  useEffect(() => {
    if (!isUnsaved) return undefined
    const own = { question, place }
    unsaved.set([...unsaved.read(), own])
    return () => unsaved.set(unsaved.read().filter((other) => other !== own))
  }, [isUnsaved, question, place])
}

/** The unsaved parts of the page. */
export const unsavedNow = unsaved.read

/** The same, for a component that draws it. */
export function useUnsavedNow(): readonly Unsaved[] {
  return useSyncExternalStore(unsaved.subscribe, unsaved.read)
}

const closing = createWatched<(() => void) | undefined>(undefined)

/** Asks whether a form that a person closes may lose what was typed in it, and closes it then. */
export const askToClose: (close: () => void) => void = closing.set

/** What closes the form about which the person is being asked; and what ends the question. */
export function useClosing(): readonly [(() => void) | undefined, () => void] {
  return [useSyncExternalStore(closing.subscribe, closing.read), () => closing.set(undefined)]
}

export function isHeld(): boolean {
  return held.size > 0
}
