/** Reasons of the Events that decisions leave; `move` is a change of a story's status that is no accept. */
const REASONS = {
  run: 'Run',
  accept: 'Accept',
  reject: 'Reject',
  cancel: 'Cancel',
  resume: 'Resume',
  answer: 'Answer',
  revise: 'Revise',
  waive: 'Waive',
  message: 'Message',
  checkout: 'CheckedOut',
  release: 'Released',
  handback: 'HandedBack',
  move: 'Moved',
  approve: 'Approved',
  undrain: 'Undrained',
  build: 'EnvironmentRequested',
  removeEnvironment: 'EnvironmentRemoved',
} as const

export interface DecisionEvent {
  readonly type: 'Normal'
  readonly reason: (typeof REASONS)[keyof typeof REASONS]
  readonly message: string
}

/**
 * The Kubernetes Event that a decision leaves on its object, whether the API server performs it or, asked for by
 * annotation, the operator.
 *
 * @param done what was done, in the contract's words: `task accepted`
 * @param by who decided, as `decisions` records it
 */
export function decisionEvent(action: keyof typeof REASONS, done: string, by: string): DecisionEvent {
  return { type: 'Normal', reason: REASONS[action], message: `${done} by ${by}` }
}

/** The Event of a task that is queued again because a task that depends on it is run. */
export function resetEvent(dependent: string, by: string): DecisionEvent {
  return decisionEvent('run', `queued again because ${dependent} depends on it and was run`, by)
}
