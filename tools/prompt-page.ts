import { type PromptValue, PROMPT_USES, PROMPT_VALUES } from '../core/prompts/values.ts'

const BEGIN = '<!-- BEGIN GENERATED values'
const END = '<!-- END GENERATED values -->'

/**
 * docs/prompts.md with its lists of templates and values written anew; the rest is by hand and stays.
 *
 * @throws Error when the marks are missing
 */
export function writePromptValues(page: string): string {
  const begin = page.indexOf(BEGIN)
  const end = page.indexOf(END)
  if (begin === -1 || end < begin) throw new Error('docs/prompts.md lacks the marks of its generated lists')
  const lists = groupByValues().map(([values, names]) => formatValues(names, values))
  return `${page.slice(0, begin)}${BEGIN} (source: core/prompts/values.ts) -->\n\n${lists.join('\n\n')}\n\n${page.slice(end)}`
}

type Template = readonly [name: string, use: string]

/** Templates that may name the same values are listed together. */
function groupByValues(): [readonly PromptValue[], Template[]][] {
  const groups = new Map<readonly PromptValue[], Template[]>()
  const uses = new Map<string, string>(Object.entries(PROMPT_USES))
  for (const [name, values] of Object.entries(PROMPT_VALUES)) {
    groups.set(values, [...(groups.get(values) ?? []), [name, uses.get(name) ?? '']])
  }
  return [...groups]
}

function formatValues(templates: readonly Template[], values: readonly PromptValue[]): string {
  const heading = templates.map(([name]) => `\`${name}\``).join(', ')
  const uses = templates.map(([name, use]) => `- \`${name}\`: ${use}`)
  const rows = values.map(({ path, meaning }) => `- \`${path}\`: ${meaning}`)
  return [`### ${heading}`, '', 'Used for', '', ...uses, '', 'May name', '', ...rows].join('\n')
}
