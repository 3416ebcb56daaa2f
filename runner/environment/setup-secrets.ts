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
  return (run.seal?.secrets ?? []).flatMap((name) => {
    const whole = (env[name] ?? '').trim()
    // A program may keep one line of a file that is a secret.
    const parts = new Set([whole, ...whole.split('\n').map((line) => line.trim())])
    return [...parts].flatMap((value) => (value.length >= MIN_SECRET_LENGTH ? [{ name, value }] : []))
  })
}
