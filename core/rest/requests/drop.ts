import { closed } from '../fields.ts'
import { Type } from 'typebox'

/** Largest drop file (specification §12.1). */
export const MAX_DROP_BYTES = 512 * 1024 * 1024
/** Files of one upload. */
export const MAX_DROPS = 100

/** The parts of an upload: `file`, once for each file. */
export const DropUpload = closed({ file: Type.Array(Type.String({ format: 'binary' }), { maxItems: MAX_DROPS }) })
