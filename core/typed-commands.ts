/**
 * What a person types on the command line, as messages say it: each command stands here once, whether the record of a
 * waiting task names it or the end of `slipway run -f`.
 */
import type { HumanTrigger } from './task/transitions.ts'

/** The command of each decision about a task, the likeliest first. Source: docs/cli.md. */
export const DECISION_TYPED = {
  accept: (id) => `slipway accept ${id}`,
  resume: (id) => `slipway resume ${id}`,
  revise: (id) => `slipway revise ${id} -m "<what is to be changed>"`,
  waive: (id) => `slipway waive ${id} -m "<why>"`,
  reject: (id) => `slipway reject ${id} -m "<what is missing>"`,
  answer: (id) => `slipway answer ${id} "<answer>"`,
  run: (id) => `slipway restart ${id}`,
  cancel: (id) => `slipway cancel ${id}`,
} as const satisfies Record<HumanTrigger, (id: string) => string>

/** Takes the work of a task over, to go on by hand. */
export function typedCheckout(id: string): string {
  return `slipway checkout ${id}`
}

/** Gives work back that was taken over; typed in the folder where it is. */
export function typedHandback(id: string): string {
  return `slipway handback ${id}`
}

/** Lets go of work that was taken over, whoever has it. */
export function typedRelease(id: string): string {
  return `slipway checkout ${id} --release`
}

/** Ends a drain and a limit of an agent. */
export function typedUndrain(agent: string): string {
  return `slipway undrain ${agent}`
}

/** Says of every agent why it does not work. */
export const TYPED_AGENTS = 'slipway agents'

/** A reason for waiting without the commands in it, for pages, whose buttons and links do the same. */
export function withoutTyped(text: string): string {
  return text.replaceAll(/(; start it)?[;:] slipway .*?(?=; |\. |$)/g, '')
}
