/**
 * A page of prose with recorded terminals: fenced blocks of language `console`, in which a line that begins with `$ `
 * is a command, the lines after it that begin with two spaces are the rest of the command, and what follows is what it
 * printed. The words behind `console` say what to keep of that (see {@link Shown}). Readers see none of them.
 */

/** What the page shows of what the commands of a block print; what is left out is `…`. */
export interface Shown {
  /** Paths of JSON fields, such as `state` or `tasks.id`; all when empty. Arrays are passed through. */
  readonly keep: readonly string[]
  /** Beginnings of the lines that are not JSON; all when empty. */
  readonly lines: readonly string[]
}

export interface Terminal {
  readonly kind: 'terminal'
  /** The line that opens the block, as it stands. */
  readonly fence: string
  readonly shown: Shown
  readonly commands: readonly string[]
}

export type Part = Terminal | { readonly kind: 'prose'; readonly lines: readonly string[] }

/** Takes a page apart. What the terminals have printed is dropped: it is about to be recorded again. */
export function parsePage(markdown: string): Part[] {
  const parts: Part[] = []
  let prose: string[] = []
  const lines = markdown.split('\n')
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? ''
    if (!/^```console( |$)/.test(line)) {
      prose.push(line)
      continue
    }
    const end = lines.indexOf('```', at)
    if (end === -1) throw new Error(`line ${at + 1}: this block has no end`)
    parts.push({ kind: 'prose', lines: prose })
    parts.push({
      kind: 'terminal',
      fence: line,
      shown: parseShown(line),
      commands: findCommands(lines.slice(at + 1, end)),
    })
    prose = []
    at = end
  }
  return [...parts, { kind: 'prose', lines: prose }]
}

function parseShown(fence: string): Shown {
  const words = new Map(fence.split(' ').map((word) => [word.split('=')[0], word.split('=')[1]?.split(',') ?? []]))
  return { keep: words.get('keep') ?? [], lines: words.get('lines') ?? [] }
}

function findCommands(lines: readonly string[]): string[] {
  const commands: string[] = []
  let isOpen = false
  for (const line of lines) {
    if (line.startsWith('$ ')) commands.push(line.slice(2))
    else if (isOpen && line.startsWith('  ')) commands.push(`${commands.pop() ?? ''}\n${line}`)
    isOpen = line.startsWith('$ ') || (isOpen && line.startsWith('  '))
  }
  return commands
}

/** Puts a page together again, with what each command of each terminal printed. */
export function renderPage(parts: readonly Part[], printed: ReadonlyMap<Terminal, readonly string[]>): string {
  const render = (part: Part): readonly string[] =>
    part.kind === 'prose' ? part.lines : [part.fence, ...session(part.commands, printed.get(part) ?? []), '```']
  return parts.flatMap(render).join('\n')
}

/** A blank line sets a command apart from what the one before it printed. */
function session(commands: readonly string[], outputs: readonly string[]): string[] {
  return commands.flatMap((command, index) => {
    const output = outputs[index] ?? ''
    const isSetApart = index > 0 && (outputs[index - 1] ?? '') !== ''
    return [...(isSetApart ? [''] : []), `$ ${command}`, ...(output === '' ? [] : output.split('\n'))]
  })
}
