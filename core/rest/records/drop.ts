import { Instant, closed } from '../../schema/fields.ts'
import { type Static, Type } from 'typebox'

/** A file of the drop directory. */
export const DropRecord = closed({ name: Type.String(), size: Type.Integer({ minimum: 0 }), modified_at: Instant })

export type DropRecord = Static<typeof DropRecord>
