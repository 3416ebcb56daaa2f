/** Names of the runner's steps, apart from the schema: the runner must start without loading a schema library. */
export const RUN_SPEC_VARIABLE = 'SLIPWAY_RUN'

export const STEPS = ['prepare', 'agent', 'deliver'] as const
export type StepName = (typeof STEPS)[number]
