/**
 * A guide as a reader follows it: fenced blocks of language `sh`, run in their order in one terminal; a block whose last
 * command is `slipway serve` runs in a terminal of its own. A block of language `text` right behind it shows what
 * it prints; `…` is anything. An HTML comment right before a block, which no reader sees, says what a test needs to know:
 * `not run: <reason>` or `exit code: <number>`.
 */
export interface Block {
  /** Line of the page on which it begins, from 1. */
  readonly line: number
  readonly code: string
  /** Why it cannot run here. */
  readonly notRun?: string | undefined
  readonly exitCode: number
  /** Lines that it prints, in this order, perhaps with others between them. */
  readonly prints: readonly string[]
}

const BLOCK = /^(?:<!-- (not run|exit code): ([^]*?) -->\n+)?```sh\n([^]*?)^```\n(?:\n```text\n([^]*?)^```\n)?/gm

/** Every block of a guide. @throws Error when a block of language `sh` is in a form that would be passed over */
export function readBlocks(markdown: string): Block[] {
  const blocks = [...markdown.matchAll(BLOCK)].map((found) => {
    const [, note, value = '', code = '', prints = ''] = found
    return {
      line: markdown.slice(0, found.index).split('\n').length,
      code: code.trimEnd(),
      notRun: note === 'not run' ? value.replaceAll(/\s+/g, ' ') : undefined,
      exitCode: note === 'exit code' ? Number(value) : 0,
      prints: prints.split('\n').filter((line) => line !== ''),
    }
  })
  const fences = markdown.match(/^\s*```sh/gm) ?? []
  if (fences.length !== blocks.length) throw new Error(`${fences.length} blocks begin, ${blocks.length} can be read`)
  return blocks
}

/** Whether a block starts a server, which stays in its terminal. */
export function isServer({ code }: Block): boolean {
  return /(^|&& )slipway serve$/.test(code.split('\n').at(-1) ?? '')
}

/** The first line that `output` lacks behind the lines before it; undefined when it has all of them. */
export function findMissing(prints: readonly string[], output: string): string | undefined {
  let rest = output.split('\n').map(squeeze)
  return prints.find((line) => {
    const pattern = new RegExp(`^${squeeze(line).split('…').map(escapePattern).join('.*')}$`)
    const at = rest.findIndex((printed) => pattern.test(printed))
    rest = rest.slice(at + 1)
    return at === -1
  })
}

/** Columns are as wide as their widest cell. */
function squeeze(line: string): string {
  return line.trim().replaceAll(/ +/g, ' ')
}

function escapePattern(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
}
