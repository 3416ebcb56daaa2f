import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import type { GraphItem, GraphLink } from '../../../web/components/graph/graph-types.ts'
import { groupByState, isTooLarge } from '../../../web/components/graph/groups.ts'
import { layoutGraph, NODE_HEIGHT, NODE_WIDTH } from '../../../web/components/graph/layout.ts'
import { blockedNodes, isBlockedLink, relationWords, stepFrom } from '../../../web/components/graph/paths.ts'
import type { Tone } from '../../../web/model/state-words.ts'
import { findGrowth } from '../../helpers/growth.ts'
import { runs } from '../../helpers/runs.ts'

const link = (from: string, to: string, kind: GraphLink['kind'] = 'depends_on'): GraphLink => ({ from, to, kind })
const item = (id: string, tone: Tone = 'wait'): GraphItem => ({
  id,
  name: id.toUpperCase(),
  role: 'task',
  words: { tone, icon: 'clock', text: tone },
})

/** A graph whose edges lead from a lower to a higher number, as those of tasks do: none of them waits for itself. */
const graphs = fc.integer({ min: 1, max: 40 }).chain((size) =>
  fc
    .array(fc.tuple(fc.nat({ max: size - 1 }), fc.nat({ max: size - 1 }), fc.boolean()), { maxLength: 80 })
    .map((pairs) => ({
      ids: Array.from({ length: size }, (_, index) => `n${index}`),
      links: pairs
        .filter(([a, b]) => a !== b)
        .map(([a, b, isParent]) =>
          link(`n${Math.min(a, b)}`, `n${Math.max(a, b)}`, isParent ? 'parent_task_id' : 'depends_on'),
        ),
    })),
)

describe('the layout of a graph', () => {
  it('has every edge lead to a later layer, and no two nodes overlap', () => {
    fc.assert(
      fc.property(graphs, ({ ids, links }) => {
        const { nodes, links: drawn, width, height } = layoutGraph(ids, links)
        const places = new Map(nodes.map((node) => [node.id, node]))
        assert.equal(places.size, ids.length)
        for (const { from, to, path } of drawn) {
          assert.ok((places.get(from)?.layer ?? 0) < (places.get(to)?.layer ?? 0), `${from} ${to}`)
          assert.match(path, /^M[\d.-]+ [\d.-]+C/)
        }
        for (const { x, y } of nodes)
          assert.ok(x >= 0 && y >= 0 && x + NODE_WIDTH <= width && y + NODE_HEIGHT <= height)
        for (const [index, a] of nodes.entries())
          for (const b of nodes.slice(index + 1))
            assert.ok(Math.abs(a.x - b.x) >= NODE_WIDTH || Math.abs(a.y - b.y) >= NODE_HEIGHT, `${a.id} ${b.id}`)
      }),
      { numRuns: runs(60) },
    )
  })

  it('takes an empty graph, and leaves out links to nodes that are not there', () => {
    assert.deepEqual(layoutGraph([], []), { width: 0, height: 0, nodes: [], links: [] })
    assert.equal(layoutGraph(['a'], [link('a', 'gone'), link('a', 'a')]).links.length, 0)
  })

  it('takes as long as the graph is large', async () => {
    const growth = await findGrowth(
      (size) => {
        const ids = Array.from({ length: size }, (_, index) => `n${index}`)
        const links = ids.slice(1).map((id, index) => link(`n${Math.floor(index / 2)}`, id))
        layoutGraph(ids, links)
      },
      { sizes: [100], suspiciousMs: 1_000 },
    )
    assert.equal(growth, undefined)
  })
})

describe('the arrow keys in a graph', () => {
  const layout = layoutGraph(['a', 'b', 'c', 'd'], [link('a', 'b'), link('a', 'c'), link('c', 'd')])

  it('lead along the edges, and up and down in a layer', () => {
    assert.ok(['b', 'c'].includes(stepFrom(layout, 'a', 'ArrowRight') ?? ''))
    assert.equal(stepFrom(layout, 'd', 'ArrowLeft'), 'c')
    assert.deepEqual(
      new Set([stepFrom(layout, 'b', 'ArrowDown'), stepFrom(layout, 'b', 'ArrowUp')]),
      new Set(['c', undefined]),
    )
    assert.deepEqual([stepFrom(layout, 'd', 'ArrowRight'), stepFrom(layout, 'd', 'Home')], [undefined, 'a'])
  })

  it('reach every node of a graph that hangs together', () => {
    const seen = new Set(['a'])
    for (const id of seen)
      for (const key of ['ArrowRight', 'ArrowLeft', 'ArrowUp', 'ArrowDown'] as const) {
        const next = stepFrom(layout, id, key)
        if (next !== undefined) seen.add(next)
      }
    assert.equal(seen.size, 4)
  })
})

describe('what is held up', () => {
  const links = [link('a', 'b'), link('b', 'c'), link('b', 'part', 'parent_task_id'), link('x', 'c')]

  it('is all that waits for what failed, a parent for its subtask too, and not what is done', () => {
    const items = [item('a', 'done'), item('b'), item('c'), item('part', 'fail'), item('x', 'done')]
    const blocked = blockedNodes(items, links)
    assert.deepEqual([...blocked].sort(), ['b', 'c', 'part'])
    assert.deepEqual(
      links.filter((each) => isBlockedLink(each, blocked)).map(({ from, to }) => from + to),
      ['bc', 'bpart'],
    )
  })

  it('is nothing while nothing failed', () => {
    assert.equal(blockedNodes([item('a', 'run'), item('b')], links).size, 0)
  })

  it('is told in words', () => {
    const items = ['a', 'b', 'c', 'part', 'x'].map((id) => item(id))
    const words = relationWords(items, links)
    assert.deepEqual([...words.values()], ['', 'waits for A', 'waits for B, X', 'part of B', ''])
  })
})

describe('a graph of very many nodes', () => {
  const many = (size: number): readonly GraphItem[] => Array.from({ length: size }, (_, index) => item(`n${index}`))

  it('is a picture up to two hundred of them', () => {
    assert.equal(isTooLarge(many(200)), false)
    assert.equal(isTooLarge(many(201)), true)
  })

  it('is a list under its states, with what needs a person first', () => {
    const items = [item('a', 'done'), item('b', 'wait'), item('c', 'fail'), item('d', 'wait'), item('e', 'ask')]
    const groups = groupByState(items).map(({ text, items: members }) => [text, members.map(({ id }) => id).join()])
    assert.deepEqual(groups, [
      ['ask', 'e'],
      ['fail', 'c'],
      ['wait', 'b,d'],
      ['done', 'a'],
    ])
  })

  it('says of 2,500 nodes what each hangs on and what is held up, in time that grows as they do', async () => {
    const growth = await findGrowth(
      (size) => {
        const items = many(size).map((each) => ({ ...each, words: { ...each.words, tone: 'fail' as const } }))
        const links = items.slice(1).map(({ id }, index) => link(`n${index}`, id))
        assert.equal(blockedNodes(items, links).size, size)
        assert.equal(relationWords(items, links).get(`n${size - 1}`), `waits for N${size - 2}`)
      },
      { sizes: [2_500], suspiciousMs: 300 },
    )
    assert.equal(growth, undefined)
  })
})
