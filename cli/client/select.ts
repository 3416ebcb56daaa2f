/** What scripts choose of an answer: fields by name, what a jq program makes of it, or a template of paths. */
import type { JqResult } from 'jq-wasm/inline'
import { asRecord } from '../../core/json.ts'
import { UsageError } from '../command.ts'
import { type OutputForm, type Select, formatJson } from './output.ts'
import { type RecordKind, fieldsOf } from './record-fields.ts'
import { printable } from './text.ts'

const JSONPATH = 'jsonpath='
const FORMS = ['table', 'name', 'json', 'yaml'] as const

/** The values of the flags that say how results are printed. */
export interface FormFlags {
  readonly output: string | undefined
  /** Fields with commas between them. */
  readonly json: string | undefined
  /** A jq program. */
  readonly jq: string | undefined
}

/**
 * How results are printed. Programs and templates are parsed here, before anything is sent.
 *
 * @param prints what the command prints, if it is of one kind
 * @throws UsageError for a form, field, program or template that there is none of
 */
export async function chooseForm({ output, json, jq }: FormFlags, prints?: RecordKind): Promise<OutputForm> {
  if (json === undefined && jq === undefined) {
    if (output?.startsWith(JSONPATH) !== true) return parseForm(output)
    const { parseJsonPath } = await import('./jsonpath.ts')
    const format = parseJsonPath(output.slice(JSONPATH.length))
    return (answer) => printable(format(answer))
  }
  if (output !== undefined && output !== 'json') throw new UsageError('--json and --jq print JSON: leave -o out')
  const pick = json === undefined ? undefined : await pickFields(json.split(','), prints)
  const run = jq === undefined ? formatJson : await loadProgram(jq)
  return (answer, records) => run(pick === undefined ? answer : pick(answer, records))
}

async function parseForm(text: string | undefined): Promise<OutputForm> {
  const form = FORMS.find((known) => known === (text ?? 'table'))
  if (form === undefined)
    throw new UsageError(
      `--output must be one of ${FORMS.join(', ')}, jsonpath=<template>, not ${JSON.stringify(text)}`,
    )
  return form === 'yaml' ? import('./yaml.ts') : form
}

type Pick = (...args: Parameters<Select>) => object

/** A record stays one, a list a list. */
async function pickFields(names: readonly string[], prints: RecordKind | undefined): Promise<Pick> {
  const wanted = names.map((name) => name.trim())
  const known = prints === undefined ? undefined : await fieldsOf(prints)
  if (known !== undefined) checkFields(wanted, known)
  return (answer, records) => {
    const all = records().map(asRecord)
    if (known === undefined && all.length > 0) checkFields(wanted, [...new Set(all.flatMap(Object.keys))])
    // A field that a record does not have is null, as with gh.
    const picked = all.map((record) => Object.fromEntries(wanted.map((name) => [name, record[name] ?? null])))
    const [only] = picked
    return only === undefined || Array.isArray(answer) || records()[0] !== answer ? picked : only
  }
}

function checkFields(wanted: readonly string[], known: readonly string[]): void {
  const unknown = wanted.find((name) => !known.includes(name))
  if (unknown !== undefined)
    throw new UsageError(`--json: there is no field ${JSON.stringify(unknown)}; there are ${known.join(', ')}`)
}

/** jq itself, as WebAssembly: over a megabyte, so it is loaded only here. */
async function loadProgram(program: string): Promise<(input: object) => string> {
  const { loadJq } = await import('jq-wasm/inline')
  const jq = await loadJq()
  const run = (input: object | null): JqResult => jq.raw(input, program, ['-r', '-c'])
  const { exitCode, stderr } = run(null)
  if (exitCode === NO_PROGRAM) throw new UsageError(formatProblem(stderr))
  return (input) => {
    const result = run(input)
    if (result.exitCode !== 0) throw new UsageError(formatProblem(result.stderr))
    return result.stdout === '' ? '' : `${printable(result.stdout)}\n`
  }
}

/** What jq ends with when it cannot compile the program (its manual, "Invoking jq"). */
const NO_PROGRAM = 3

function formatProblem(stderr: string): string {
  return `--jq: ${stderr.replaceAll(/^jq: /gm, '')}`
}
