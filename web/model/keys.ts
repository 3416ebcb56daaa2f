/** The keys, for the pages that list them. */
export const KEYS: readonly (readonly [keys: string, meaning: string])[] = [
  ['Ctrl K', 'Go to a view, a story or a task'],
  ['?', 'Show these keys'],
  ['/', 'Search in the view'],
  ['g i', 'Inbox'],
  ['g s', 'Stories'],
  ['g t', 'Tasks'],
  ['g a', 'Agents'],
  ['j · k', 'In the inbox: next and previous row'],
  ['a · r · 1…9', 'In the inbox: accept, reject, choose an option'],
  ['Alt ↑ · Alt ↓', 'On a card: move it within its column'],
  ['Esc', 'Close what lies over the view'],
]
