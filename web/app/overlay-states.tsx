import { refuse } from '../components/toast.tsx'

export function sayNotLoaded(): void {
  refuse('This part of the page could not be loaded: the server is away, or newer than the page. Load the page again.')
}

/** The view below stays as it is. */
export function NothingShown() {
  return null
}
