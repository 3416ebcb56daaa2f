import type { StepContext } from '../context.ts'

/** Values that are shorter are likely to stand in files anyway. */
const MIN_SECRET_LENGTH = 6

/** A variable of a setup whose value nobody else may see. */
export interface SetupSecret {
  readonly name: string
  readonly value: string
}

/** The secrets that the setup of this run gets, and that a seal must not hold. */
export function findSetupSecrets({ run, env }: Pick<StepContext, 'run' | 'env'>): readonly SetupSecret[] {
  const all = (run.seal?.secrets ?? []).map((name) => ({ name, value: (env[name] ?? '').trim() }))
  return all.filter(({ value }) => value.length >= MIN_SECRET_LENGTH)
}
