/** The status of a story as people read it. */
import type { StoryStatus } from '../../core/crd/types.ts'
import type { StateWords } from './task-state.ts'

/** What a status is called. */
export const STATUS_WORDS: Readonly<Record<StoryStatus, string>> = {
  DISCOVERY: 'Discovery',
  FRAMING: 'Framing',
  BACKLOG: 'Backlog',
  PRIORITIZED: 'Prioritized',
  IN_PROGRESS: 'In progress',
  SHIPPABLE: 'Shippable',
  VALIDATING: 'Validating',
  REVIEW_READY: 'Ready to accept',
  DONE: 'Done',
}

const SIGNS: Readonly<Record<StoryStatus, Omit<StateWords, 'text'>>> = {
  DISCOVERY: { tone: 'wait', icon: 'clock' },
  FRAMING: { tone: 'wait', icon: 'clock' },
  BACKLOG: { tone: 'wait', icon: 'clock' },
  PRIORITIZED: { tone: 'wait', icon: 'clock' },
  IN_PROGRESS: { tone: 'run', icon: 'play' },
  SHIPPABLE: { tone: 'done', icon: 'done' },
  VALIDATING: { tone: 'run', icon: 'play' },
  REVIEW_READY: { tone: 'ready', icon: 'eye' },
  DONE: { tone: 'done', icon: 'done' },
}

/** A story's status as word, colour and icon. */
export function storyStatusWords(status: StoryStatus): StateWords {
  return { ...SIGNS[status], text: STATUS_WORDS[status] }
}
