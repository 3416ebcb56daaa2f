/**
 * What a person can do about a run that ended without success: of a task, or of a query, which
 * nobody can resume. It closes the message of the error, after a colon.
 */
export const HINTS = {
  look: {
    task: 'look at its output, then resume the task',
    query: "look at the execution's output, then ask again, or name another agent",
  },
  lookOrRestart: {
    task: 'look at its output, then resume or run the task again',
    query: "look at the execution's output, then ask again, or name another agent",
  },
  reachProvider: {
    task: 'check that the provider can be reached from here; it is tried again by itself while attempts are left',
    query: 'check that the provider can be reached from here, then ask again, or name another agent',
  },
  waitForQuota: {
    task: 'undrain the agent when there is quota again, or run the task with another one; else it is tried again by itself while attempts are left',
    query: 'ask again when there is quota again, or name another agent',
  },
  raiseBudget: {
    task: 'raise budget_usd and resume the task, or cancel it',
    query: 'ask for less, or name another agent',
  },
  startAnew: {
    task: 'run the task again, which begins a new session, or give it less at once',
    query: 'ask for less, or name another agent',
  },
  goOn: { task: 'resume the task to let it go on', query: 'ask for less, or name another agent' },
  changeTask: { task: 'change the task, then run it again', query: 'ask in other words, or name another agent' },
  changeModel: {
    task: 'choose a model that the provider has, for the task or the agent, then run it again',
    query: 'choose a model that the provider has for the agent, or name another agent',
  },
  triesAgain: {
    task: 'it is tried again by itself while attempts are left',
    query: 'ask again in a moment, or name another agent',
  },
  takeLonger: { task: 'resume the task, or give it a longer timeout', query: 'ask for less, or name another agent' },
} as const

const LIMIT_ENDS = 'the limit ends at '

/** The hint for a limit with a known end. Whether the task goes on then, its attempts and its agent decide (core/task/going-on.ts). */
export function limitEndsAt(until: string): string {
  return `${LIMIT_ENDS}${until}`
}

/** The message of a run's error with the advice for who asked a query in place of that for a task. */
export function hintForCaller(message: string): string {
  for (const { task, query } of Object.values(HINTS))
    if (message.endsWith(`: ${task}`)) return `${message.slice(0, -task.length)}${query}`
  const at = message.lastIndexOf(`: ${LIMIT_ENDS}`)
  if (at < 0) return message
  return `${message.slice(0, at)}: ask again after ${message.slice(at + LIMIT_ENDS.length + 2)}, or name another agent`
}
