import { Type } from 'typebox'

/** Parameters of a script: core/script-parameters.ts checks which ones there may be. */
export const ScriptQuery = Type.Object({}, { additionalProperties: Type.String() })
