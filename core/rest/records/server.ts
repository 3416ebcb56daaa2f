import { closed } from '../fields.ts'
import { Type } from 'typebox'
import type { Static } from 'typebox'

export const VersionRecord = closed({ version: Type.String(), commit: Type.String(), built_at: Type.String() })

export const HealthRecord = closed({ status: Type.String() })

export const ErrorRecord = closed({ error: Type.String() })

export type VersionRecord = Static<typeof VersionRecord>
