import { Type } from 'typebox'
import { CACHE_MODES } from '../../enum-values.ts'
import { crdListOf, crdString } from '../../schema/crd-limits.ts'
import { closed, maybe } from '../../schema/fields.ts'
import { Seconds } from './shapes.ts'

const at = (path: string): string => `spec.environment.${path}`
const word = (path: string) => crdString('Project', at(path))

/** A folder that is kept of what the setup leaves behind. */
export const cachedFolder = closed({ path: word('cache[].path'), mode: maybe(Type.Enum(CACHE_MODES)) })

/** What agents of a project find installed, within the limits of its CRD. */
export const environment = closed({
  setup: word('setup'),
  env: maybe(
    crdListOf(
      'Project',
      at('env'),
      closed({
        name: word('env[].name'),
        value: maybe(word('env[].value')),
        secret_key: maybe(closed({ name: word('env[].secretKey.name'), key: word('env[].secretKey.key') })),
      }),
    ),
  ),
  cache: maybe(crdListOf('Project', at('cache'), cachedFolder)),
  keys: maybe(crdListOf('Project', at('keys'), word('keys[]'))),
  timeout_seconds: maybe(Seconds),
  required: maybe(Type.Boolean()),
})
