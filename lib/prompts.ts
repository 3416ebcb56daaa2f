import Mustache from 'mustache'
import { type PromptName, PROMPT_PARTS, PROMPT_TEMPLATES } from '../core/prompts/templates.ts'
import { PROMPT_VALUES } from '../core/prompts/values.ts'

/**
 * What agents are told, from templates: those of prompts/, or the Agent's own in their place.
 *
 * The language is Mustache without HTML escaping. A template may name documented values and include templates of
 * prompts/ by name; anything else is a fault. So no property of a JavaScript object can be reached, and a misspelt
 * name is noticed, not printed as nothing. What is rendered is bounded: lists inside lists of lists end with an error.
 */

/** An Agent's own templates by name. */
export type PromptOverrides = Partial<Readonly<Record<PromptName, string>>>

/** Why a template cannot be used. */
export interface TemplateFault {
  /** Counted from 1. */
  readonly line: number
  readonly message: string
}

/** A prompt could not be made; the message says from which template and why. */
export class BadTemplate extends Error {
  readonly code = 'BAD_TEMPLATE'
  override readonly name = 'BadTemplate'
}

/** As much as the runner reads of a prompt. */
const MAX_PROMPT_LENGTH = 4 * 1024 * 1024
/** Far beyond any real template: one section per item of every list is some hundred. */
const MAX_SECTIONS = 10_000

const PARTIALS: Readonly<Record<string, string>> = { ...PROMPT_TEMPLATES, ...PROMPT_PARTS }

/**
 * The text of a prompt.
 *
 * @param data what the template may name, documented in core/prompts/values.ts
 * @throws BadTemplate for an override that {@link findTemplateFault} refuses, and for a text beyond all bounds
 */
export function renderPrompt(name: PromptName, data: object, overrides: PromptOverrides = {}): string {
  const own = overrides[name]
  const fault = own === undefined ? undefined : findTemplateFault(name, own)
  if (fault !== undefined) throw new BadTemplate(formatFaultMessage(name, fault))
  const text = createWriter(name).render(own ?? PROMPT_TEMPLATES[name], data, PARTIALS, { escape: String })
  return `${text.trim()}\n`
}

/** Says what is wrong with a template of an Agent; undefined when nothing is. */
export function findTemplateFault(name: PromptName, template: string): TemplateFault | undefined {
  const parsed = parse(template)
  if ('fault' in parsed) return parsed.fault
  const known = namesOf(name)
  const found = tagsOf(parsed.tokens).find(({ kind, value }) => !isKnown(kind, value, known))
  if (found === undefined) return undefined
  const what = found.kind === '>' ? 'template to include' : 'value'
  return { line: lineAt(template, found.at), message: `there is no ${what} ${found.value}; docs/prompts.md lists them` }
}

/** The first fault of an Agent's templates, naming field and line; undefined when all can be used. */
export function badPromptsReason(overrides: PromptOverrides | undefined): string | undefined {
  if (overrides === undefined) return undefined
  // Every classification asks, and an Agent in a cache is the same object until it changes.
  const known = judged.get(overrides)
  if (known !== undefined) return known.fault
  const fault = findFault(overrides)
  judged.set(overrides, { fault })
  return fault
}

const judged = new WeakMap<PromptOverrides, { readonly fault: string | undefined }>()

function findFault(overrides: PromptOverrides): string | undefined {
  for (const name of promptNames()) {
    const own = overrides[name]
    const fault = own === undefined ? undefined : findTemplateFault(name, own)
    if (fault !== undefined) return formatFaultMessage(name, fault)
  }
  return undefined
}

function formatFaultMessage(name: PromptName, { line, message }: TemplateFault): string {
  return `prompts.${name}, line ${line}: ${message}`
}

function promptNames(): PromptName[] {
  const isName = (key: string): key is PromptName => key in PROMPT_TEMPLATES
  return Object.keys(PROMPT_TEMPLATES).filter(isName)
}

type Token = readonly unknown[]

function parse(template: string): { readonly tokens: readonly Token[] } | { readonly fault: TemplateFault } {
  try {
    const tokens: readonly Token[] = new Mustache.Writer().parse(template)
    return { tokens }
  } catch (error) {
    // The package throws plain Errors of the form `Unclosed section "a" at 12`.
    if (!(error instanceof Error)) throw error
    const at = Number(/ at (\d+)$/.exec(error.message)?.[1] ?? 0)
    return { fault: { line: lineAt(template, at), message: error.message.replace(/ at \d+$/, '') } }
  }
}

interface Tag {
  readonly kind: string
  readonly value: string
  readonly at: number
}

/** Token: kind, value, begin, end, and for a section its own tokens. */
function tagsOf(tokens: readonly Token[]): Tag[] {
  return tokens.flatMap(([kind, value, at, , inner]) => {
    if (typeof kind !== 'string' || typeof value !== 'string' || typeof at !== 'number') return []
    return [{ kind, value, at }, ...(Array.isArray(inner) ? tagsOf(inner) : [])]
  })
}

const WITHOUT_NAME: ReadonlySet<string> = new Set(['text', '!', '='])

function isKnown(kind: string, value: string, known: ReadonlySet<string>): boolean {
  if (WITHOUT_NAME.has(kind)) return true
  return kind === '>' ? Object.hasOwn(PARTIALS, value) : known.has(value)
}

/** Inside a section values go by the rest of their path, and `.` is the section's own. */
function namesOf(name: PromptName): ReadonlySet<string> {
  const paths = PROMPT_VALUES[name].map(({ path }) => path.split(/\[\]\.|\./))
  const names = paths.flatMap((segments) => segments.flatMap((_, from) => prefixes(segments.slice(from))))
  return new Set(['.', ...names, ...names.map((value) => `${value}.length`)])
}

function prefixes(segments: readonly string[]): string[] {
  return segments.map((_, i) => segments.slice(0, i + 1).join('.'))
}

function lineAt(template: string, position: number): number {
  return template.slice(0, position).split('\n').length
}

function createWriter(name: PromptName): Mustache.Writer {
  const writer = new Mustache.Writer()
  const render = writer.renderTokens.bind(writer)
  let sections = 0
  writer.renderTokens = (...args) => {
    sections += 1
    const text = sections > MAX_SECTIONS ? undefined : render(...args)
    if (text === undefined || text.length > MAX_PROMPT_LENGTH) {
      throw new BadTemplate(`prompts.${name}: the text is too long, more than any agent reads`)
    }
    return text
  }
  return writer
}
