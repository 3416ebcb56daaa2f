import { type Static, Type } from 'typebox'
import { CACHE_MODE_VALUES } from '../crd/enums.ts'

/**
 * How an environment is made, in the runner's terms: what Project.spec.environment says, or the file of the repository
 * that says the same without secrets (layout.ts).
 */
export const Recipe = Type.Object({
  setup: Type.String({ minLength: 1 }),
  /** With `secretKey` in the place of a value where that is in a Secret: `<name>/<key>`, which is a part of the digest. */
  env: Type.Array(
    Type.Object({
      name: Type.String(),
      value: Type.Optional(Type.String()),
      secretKey: Type.Optional(Type.String()),
    }),
  ),
  /** Paths from the top of the clone, or from the home with `~/` before it. */
  cache: Type.Array(Type.Object({ path: Type.String(), mode: Type.Enum(CACHE_MODE_VALUES) })),
  /** Paths from the top of the repository. */
  keys: Type.Array(Type.String()),
  timeoutSeconds: Type.Number({ exclusiveMinimum: 0 }),
  /** Whether a task fails when the setup has. */
  required: Type.Boolean(),
})

export type Recipe = Static<typeof Recipe>

/** How long a setup may take that says nothing, in seconds. */
export const DEFAULT_SETUP_SECONDS = 30 * 60
