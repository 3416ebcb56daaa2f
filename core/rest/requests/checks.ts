import { Type } from 'typebox'
import { crdListOf, crdString } from '../../schema/crd-limits.ts'
import { closed, maybe } from '../../schema/fields.ts'
import { Seconds } from './shapes.ts'

const at = (path: string): string => `spec.checks[].${path}`
const word = (path: string) => crdString('Project', at(path))

/** A program that work must pass before a person is asked to review it, within the limits of its CRD. */
export const check = closed({
  name: word('name'),
  run: word('run'),
  timeout_seconds: maybe(Seconds),
  required: maybe(Type.Boolean()),
  image: maybe(word('image')),
  env: maybe(crdListOf('Project', at('env'), closed({ name: word('env[].name'), value: word('env[].value') }))),
})

export const checks = crdListOf('Project', 'spec.checks', check)
