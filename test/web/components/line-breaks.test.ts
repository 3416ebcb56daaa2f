import assert from 'node:assert/strict'
import { type MarkdownNode, lineBreaks } from '../../../web/components/line-breaks.ts'

const text = (value: string): MarkdownNode => ({ type: 'text', value })
const BREAK = { type: 'break' }

function broken(...children: MarkdownNode[]): readonly MarkdownNode[] | undefined {
  const tree = { type: 'root', children: [{ type: 'paragraph', children }] }
  lineBreaks()(tree)
  return tree.children[0]?.children
}

describe('line breaks in markdown', () => {
  it('stay line breaks, also within emphasis', () => {
    assert.deepEqual(broken(text('first\nsecond\r\nthird')), [
      text('first'),
      BREAK,
      text('second'),
      BREAK,
      text('third'),
    ])
    assert.deepEqual(broken({ type: 'strong', children: [text('a\nb')] }), [
      { type: 'strong', children: [text('a'), BREAK, text('b')] },
    ])
  })

  it('are made of no other text, and of no code', () => {
    assert.deepEqual(broken(text('one line')), [text('one line')])
    assert.deepEqual(broken({ type: 'inlineCode', value: 'a\nb' }), [{ type: 'inlineCode', value: 'a\nb' }])
  })
})
