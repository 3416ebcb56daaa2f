/** A line break in a text of people is one on the page, as at GitHub; markdown alone would make a space of it. Pure. */

/** The parts of a markdown tree's node (mdast) that matter here. */
export interface MarkdownNode {
  type: string
  value?: string
  children?: MarkdownNode[]
}

/** A step of remark: each line break within a paragraph becomes a break; code and HTML are no text and stay. */
export function lineBreaks(): (tree: MarkdownNode) => void {
  return breakLines
}

function breakLines(node: MarkdownNode): void {
  if (node.children === undefined) return
  node.children = node.children.flatMap((child) => (child.type === 'text' ? linesOf(child) : [child]))
  node.children.forEach(breakLines)
}

function linesOf({ value = '' }: MarkdownNode): readonly MarkdownNode[] {
  return value
    .split(/\r\n|\r|\n/)
    .flatMap((line, index) => [
      ...(index === 0 ? [] : [{ type: 'break' }]),
      ...(line === '' ? [] : [{ type: 'text', value: line }]),
    ])
}
