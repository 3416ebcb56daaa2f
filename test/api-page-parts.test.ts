import assert from 'node:assert/strict'
import { parsePage, renderPage } from '../tools/api-page/page.ts'
import { shorten } from '../tools/api-page/shorten.ts'
import { nameCommits, toHere, toPage } from '../tools/api-page/stand-ins.ts'

const ALL = { keep: [], lines: [] }
const PAGE = [
  '# Title',
  '```console keep=id,task.state lines=HTTP',
  '$ one \\',
  '  more',
  'old',
  '',
  '$ two',
  '```',
  'End.',
  '',
]

describe('the parts of a recorded page', () => {
  it('are its prose, and commands with all their lines and without what they printed', () => {
    const [, terminal] = parsePage(PAGE.join('\n'))
    assert.deepEqual(terminal, {
      kind: 'terminal',
      fence: '```console keep=id,task.state lines=HTTP',
      shown: { keep: ['id', 'task.state'], lines: ['HTTP'] },
      commands: ['one \\\n  more', 'two'],
    })
  })

  it('make the page again, with new output in the place of the old', () => {
    const parts = parsePage(PAGE.join('\n'))
    const printed = new Map(parts.flatMap((part) => (part.kind === 'terminal' ? [[part, ['new', '']] as const] : [])))
    assert.equal(renderPage(parts, printed), PAGE.join('\n').replace('old', 'new'))
  })

  it('are refused when a block does not end', () => {
    assert.throws(() => parsePage('prose\n```console\n$ one'), /line 2: this block has no end/)
  })
})

describe('what a recorded page shows of an output', () => {
  it('keeps the named fields, at any depth and in arrays, and marks once what is left out between them', () => {
    const record = { id: 'a', b: 1, c: 2, task: { state: 'READY', name: 'x' } }
    const line = JSON.stringify([record, record])
    const one = '{"id":"a",…,"task":{"state":"READY",…}}'
    assert.equal(shorten(`${line}\n`, { keep: ['id', 'task.state'], lines: [] }), `[${one},${one}]`)
  })

  it('keeps lines by their beginnings, beside those of JSON', () => {
    const output = 'HTTP/1.1 200 OK\r\nA: 1\r\nB: 2\r\n\r\n{"x":1}'.replaceAll('\r', '')
    assert.equal(shorten(output, { keep: [], lines: ['HTTP'] }), 'HTTP/1.1 200 OK\n…\n{"x":1}')
  })

  it('cuts long texts and long arrays', () => {
    const text = 'x'.repeat(200)
    assert.equal(shorten(JSON.stringify([1, 2, 3, 4, 5]), ALL), '[1,2,…]')
    assert.equal(shorten(text, ALL), `${'x'.repeat(80)}…`)
  })

  it('names folder and ports as the page does, and every time alike', () => {
    const here = { folder: '/tmp/other', port: 40123, metricsPort: 40124 }
    assert.equal(toHere('cat /tmp/tour/a; curl localhost:8080', here), 'cat /tmp/other/a; curl localhost:40123')
    const printed = 'http://127.0.0.1:40123 /tmp/other/a 2026-01-02T03:04:05.678Z'
    assert.equal(toPage(printed, here), 'http://127.0.0.1:8080 /tmp/tour/a 2026-11-21T12:00:00Z')
  })

  it('gives different commits different names, and one commit the same name everywhere', () => {
    const name = nameCommits()
    const [a, b] = ['a'.repeat(40), 'b'.repeat(40)]
    const [first, second] = name(`${a} ${b}`).split(' ')
    assert.notEqual(first, second)
    assert.equal(name(b), second)
  })
})
