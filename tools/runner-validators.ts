import { Ajv } from 'ajv'
import standalone from 'ajv/dist/standalone/index.js'
import type { TSchema } from 'typebox'
import { AgentConfig } from '../core/execution/agent-config.ts'
import { Prepared } from '../core/execution/prepared.ts'
import { AgentOutcome, EarlierOutcome } from '../core/execution/result.ts'
import { RunSpec } from '../core/execution/run-spec.ts'

/** What the runner reads and others wrote, by the name of its type, with the file of core/execution that has it. */
const SCHEMAS: Readonly<Record<string, readonly [schema: TSchema, file: string]>> = {
  AgentConfig: [AgentConfig, 'agent-config'],
  AgentOutcome: [AgentOutcome, 'result'],
  EarlierOutcome: [EarlierOutcome, 'result'],
  Prepared: [Prepared, 'prepared'],
  RunSpec: [RunSpec, 'run-spec'],
}

const HEADER = `// Generated from the schemas of core/execution/ by tools/generate.ts; do not edit.
// @ts-nocheck: types stand at the exports alone.
/* oxlint-disable */
import type { ValidateFunction } from 'ajv'
import ucs2length from 'ajv/dist/runtime/ucs2length.js'
`

/**
 * runner/validators.ts: one function per schema. Three runners start per task, and the library that compiles a schema
 * would cost each of them more than all the rest of its start; what it compiles to costs nothing.
 */
export function renderRunnerValidators(): string {
  const ajv = new Ajv({
    strict: false,
    strictNumbers: true,
    // Fields of a newer operator are left out.
    removeAdditional: 'all',
    code: { source: true, esm: true, lines: true },
  })
  const names = Object.keys(SCHEMAS)
  for (const name of names) ajv.addSchema(JSON.parse(JSON.stringify(SCHEMAS[name]?.[0])), name)
  const refs = Object.fromEntries(names.map((name) => [`is${name}`, name]))
  const code = standalone
    .default(ajv, refs)
    .replace('"use strict";', '')
    .replaceAll('require("ajv/dist/runtime/ucs2length").default', 'ucs2length.default')
    .replaceAll(/export const is(\w+) = /g, 'export const is$1: ValidateFunction<$1> = ')
  if (code.includes('require(')) throw new Error('the validators of the runner need another part of ajv at run time')
  const imports = names.map((name) => `import type { ${name} } from '../core/execution/${SCHEMAS[name]?.[1]}.ts'\n`)
  return `${HEADER}${imports.join('')}${code.trim()}\n`
}
