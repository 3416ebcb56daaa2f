/** Whether this person looks at stories as a board or as a list, kept in this browser for addresses that do not say. */
import type { Shape } from './search.ts'
import { SHAPES } from './search.ts'

const KEY = 'slipway.stories.view'

export function lastShape(): Shape {
  const stored = localStorage.getItem(KEY)
  return SHAPES.find((shape) => shape === stored) ?? 'board'
}

export function rememberShape(shape: Shape): void {
  localStorage.setItem(KEY, shape)
}
