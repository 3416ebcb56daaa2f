import { Ajv, type Options } from 'ajv'
import standalone from 'ajv/dist/standalone/index.js'
import type { TSchema } from 'typebox'
import { Seal } from '../core/environment/seal.ts'
import { BranchMove } from '../core/execution/branch-move.ts'
import { CheckVerdictFile } from '../core/execution/checks.ts'
import { Given } from '../core/execution/given.ts'
import { InboxMessage, MessageReceipt } from '../core/execution/messages.ts'
import { Prepared } from '../core/execution/prepared.ts'
import { AgentOutcome, EarlierOutcome } from '../core/execution/result.ts'
import { RunSpec } from '../core/execution/run-spec.ts'
import { Staged } from '../core/execution/staged.ts'
import { Config } from '../lib/config-schema.ts'

/** What the runner reads and others wrote, by the name of its type, with the file of core/ that has it. */
const RUNNER_SCHEMAS: Readonly<Record<string, readonly [schema: TSchema, file: string]>> = {
  AgentOutcome: [AgentOutcome, 'execution/result'],
  BranchMove: [BranchMove, 'execution/branch-move'],
  CheckVerdictFile: [CheckVerdictFile, 'execution/checks'],
  EarlierOutcome: [EarlierOutcome, 'execution/result'],
  Given: [Given, 'execution/given'],
  InboxMessage: [InboxMessage, 'execution/messages'],
  MessageReceipt: [MessageReceipt, 'execution/messages'],
  Prepared: [Prepared, 'execution/prepared'],
  RunSpec: [RunSpec, 'execution/run-spec'],
  Seal: [Seal, 'environment/seal'],
  Staged: [Staged, 'execution/staged'],
}

/**
 * runner/validators.ts: one function per schema. Three runners start per task, and the library that compiles a schema
 * would cost each of them more than all the rest of its start; what it compiles to costs nothing.
 */
export function renderRunnerValidators(): string {
  const names = Object.keys(RUNNER_SCHEMAS)
  const schemas = Object.fromEntries(names.map((name) => [name, RUNNER_SCHEMAS[name]?.[0]]))
  // Fields of a newer operator are left out.
  const code = renderValidators(schemas, { removeAdditional: 'all' }).replaceAll(
    /export const is(\w+) = /g,
    'export const is$1: ValidateFunction<$1> = ',
  )
  const imports = names.map((name) => `import type { ${name} } from '../core/${RUNNER_SCHEMAS[name]?.[1]}.ts'\n`)
  return `${headerOf('the schemas of core/execution/ and core/environment/', code)}${imports.join('')}${code}`
}

/**
 * lib/config-validator.ts: whether a configuration is right, which every start asks. What is wrong with one that is not
 * is found by the library, so this function keeps no messages.
 */
export function renderConfigValidator(): string {
  const code = renderValidators({ Config }, { messages: false })
  return `${headerOf('lib/config-schema.ts', code)}${code.replace('isConfig = ', 'isConfig: ValidateFunction = ')}`
}

/** What the library calls at run time. */
const PARTS = ['ucs2length', 'equal']

function headerOf(source: string, code: string): string {
  const parts = PARTS.filter((part) => code.includes(`${part}.default`))
  return `// Made from ${source} by the build; do not edit.
// @ts-nocheck: types stand at the exports alone.
/* oxlint-disable */
import type { ValidateFunction } from 'ajv'
${parts.map((part) => `import ${part} from 'ajv/dist/runtime/${part}.js'\n`).join('')}`
}

/** The code of a function `is<Name>` for each schema. */
function renderValidators(schemas: Readonly<Record<string, TSchema | undefined>>, options: Options): string {
  const ajv = new Ajv({
    strict: false,
    strictNumbers: true,
    code: { source: true, esm: true, lines: true },
    ...options,
  })
  for (const [name, schema] of Object.entries(schemas)) ajv.addSchema(JSON.parse(JSON.stringify(schema)), name)
  const refs = Object.fromEntries(Object.keys(schemas).map((name) => [`is${name}`, name]))
  const code = PARTS.reduce(
    (text, part) => text.replaceAll(`require("ajv/dist/runtime/${part}").default`, `${part}.default`),
    standalone.default(ajv, refs).replace('"use strict";', ''),
  )
  if (code.includes('require(')) throw new Error('a validator needs another part of ajv at run time')
  return `${code.trim()}\n`
}
