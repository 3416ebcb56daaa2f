import type { EDGE_KINDS, NODE_ROLES } from '../../../core/story/graph.ts'
import type { StateWords } from '../../model/state-words.ts'

/** A task, or the check at the end of a story, as the graph shows it. */
export interface GraphItem {
  readonly id: string
  readonly name: string
  readonly role: (typeof NODE_ROLES)[number]
  readonly words: StateWords
  /** Beside the state: who works on it, what it cost. */
  readonly detail?: string | undefined
}

/** From what comes first to what waits for it, or from the parent to its subtask. */
export interface GraphLink {
  readonly from: string
  readonly to: string
  readonly kind: (typeof EDGE_KINDS)[number]
}
