import { type Static, Type } from 'typebox'
import { CACHE_MODE_VALUES } from '../crd/enums.ts'
import { DIGEST_PATTERN } from '../execution/patterns.ts'

/** The file that says what a prepared environment holds (layout.ts); written by deliver, after all else is there. */
export const Seal = Type.Object({
  schemaVersion: Type.Literal(1),
  digest: Type.String({ pattern: DIGEST_PATTERN }),
  /** Where the setup saw the clone and its home, absolute: what was installed may name them. */
  clone: Type.String(),
  home: Type.String(),
  caches: Type.Array(
    Type.Object({
      path: Type.String(),
      mode: Type.Enum(CACHE_MODE_VALUES),
      /** Text files below it, with `/` between segments, that name `clone` or `home`: a copy of them is made to name the task's. */
      relocated: Type.Array(Type.String()),
    }),
  ),
})

export type Seal = Static<typeof Seal>
