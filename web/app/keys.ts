/** What a key means in every view: pure. */

/** The parts of a keyboard event that its meaning depends on. */
export interface Key {
  readonly key: string
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly altKey: boolean
}

export type KeyCommand =
  | { readonly kind: 'overlay'; readonly overlay: 'palette' | 'keys' }
  | { readonly kind: 'search' }
  | { readonly kind: 'new-task' }
  | { readonly kind: 'undo' }
  /** The first of two keys: the next one names a view. */
  | { readonly kind: 'prefix'; readonly key: 'g' }
  | { readonly kind: 'view'; readonly key: string }

/** @param isTyping the key belongs to a field that has the focus */
export function readKey(
  { key, ctrlKey, metaKey, altKey }: Key,
  { prefix, isTyping }: { readonly prefix: 'g' | undefined; readonly isTyping: boolean },
): KeyCommand | undefined {
  if ((ctrlKey || metaKey) && key.toLowerCase() === 'k') return { kind: 'overlay', overlay: 'palette' }
  // In a field it takes back what is typed.
  if (key.toLowerCase() === 'z' && !isTyping && !altKey) return { kind: 'undo' }
  if (isTyping || ctrlKey || metaKey || altKey) return undefined
  if (prefix === 'g') return { kind: 'view', key }
  if (key === '?') return { kind: 'overlay', overlay: 'keys' }
  if (key === '/') return { kind: 'search' }
  if (key === 'c') return { kind: 'new-task' }
  return key === 'g' ? { kind: 'prefix', key } : undefined
}
