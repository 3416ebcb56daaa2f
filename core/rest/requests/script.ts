import { Type } from 'typebox'

/** Parameters of a script: which ones there may be is judged by core/script.ts. */
export const ScriptQuery = Type.Object({}, { additionalProperties: Type.String() })
