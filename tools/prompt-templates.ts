import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { format } from 'prettier'
import { STYLE } from './crd-data.ts'

/** core/prompts/templates.ts: the files of prompts/ as data, so that no program has to find them when it runs. */
export function renderTemplates(folder: string): Promise<string> {
  const source = `// Generated from prompts/ by tools/generate.ts; do not edit.

/** The templates of prompts/ by name: what an agent is told unless its Agent says otherwise. */
export const PROMPT_TEMPLATES = ${JSON.stringify(readTemplates(folder))} as const

/** What several templates share, from prompts/parts/; a template includes one as {{> name}}. */
export const PROMPT_PARTS = ${JSON.stringify(readTemplates(join(folder, 'parts')))} as const

export type PromptName = keyof typeof PROMPT_TEMPLATES
`
  return format(source, STYLE)
}

function readTemplates(folder: string): Record<string, string> {
  const files = readdirSync(folder).filter((file) => file.endsWith('.md'))
  return Object.fromEntries(files.sort().map((file) => [templateName(file), readFileSync(join(folder, file), 'utf8')]))
}

/** `some-thing.md` → `someThing`, as fields of an Agent are called. */
function templateName(file: string): string {
  return file.slice(0, -'.md'.length).replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
}
