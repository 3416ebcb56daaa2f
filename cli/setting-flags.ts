import { CONFIG_SETTINGS } from '../lib/config-schema.ts'
import type { Flag } from './command.ts'

/** Of each setting one, for commands that serve. */
export const SETTING_FLAGS = CONFIG_SETTINGS.map(({ flag, kind }): Flag => ({
  name: flag,
  ...(kind === 'boolean' ? {} : { value: 'value', isRepeated: kind === 'list' }),
  description: '',
}))
