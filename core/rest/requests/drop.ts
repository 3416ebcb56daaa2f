import { closed } from '../../schema/fields.ts'
import { Type } from 'typebox'

/** Files of one upload. */
export const MAX_DROPS = 100

/** The parts of an upload: `file`, once for each file. */
export const DropUpload = closed({ file: Type.Array(Type.String({ format: 'binary' }), { maxItems: MAX_DROPS }) })
