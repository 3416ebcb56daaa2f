// Runs on a real kube-apiserver too.
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { Type } from 'typebox'
import { chainOrder } from '../../../api-server/records/order.ts'
import { paginateChain } from '../../../api-server/records/pages.ts'
import { agentOutputPath } from '../../../core/execution/layout.ts'
import type { Route } from '../../../core/rest/route.ts'
import { ROUTES } from '../../../core/rest/routes.ts'
import type { JsonValue } from '../../../embedded/schema/json.ts'
import { anAgent, anExecution, aProject, aStory, aTask } from '../../helpers/build.ts'
import { type Rig, itemsOf, startRig } from '../rig.ts'

const LISTS = ROUTES.filter(({ method, responses }: Route) => {
  const { 200: answer } = responses
  return method === 'GET' && answer?.kind === 'json' && Type.IsArray(answer.schema)
})
/** What `{id}` stands for, by the folder of the path. */
const PARENTS: Readonly<Record<string, string>> = {
  tasks: 'parent',
  executions: 'parent-1',
  stories: 's1',
  epics: 'e1',
}

function pathOf(template: string): string {
  return template.replace('{id}', PARENTS[template.split('/')[2] ?? ''] ?? '')
}

describe('lists in pages', () => {
  let api: Rig
  let scriptsDir: string
  before(async () => {
    scriptsDir = mkdtempSync(join(tmpdir(), 'slipway-pages-'))
    writeFileSync(join(scriptsDir, 'mine'), '#!/bin/sh\n', { mode: 0o755 })
    api = await startRig({ scriptsDir })
    for (const name of ['e1', 'e2']) await api.post('/api/epics', { id: name, name })
    for (const name of ['s1', 's2', 's3']) await api.givenStory(aStory({ name, spec: { epicId: 'e1' } }))
    await api.givenAgent(anAgent({ name: 'second' }))
    for (const name of ['p1', 'p2']) await api.givenProject(aProject({ name }))
    await api.given(aTask({ name: 'parent' }))
    for (const name of ['k1', 'k2', 'k3']) {
      await api.given(aTask({ name, spec: { parentTaskId: 'parent', dependsOn: name === 'k1' ? ['k2'] : [] } }))
      await api.post('/api/stories/s1/tasks', { name, id: `${name}-s` })
      await api.post('/api/stories/s1/events', { kind: 'retro_captured', payload: { text: name } })
    }
    const artifacts = join(api.volumeRoot, agentOutputPath('parent-1'), 'artifacts')
    mkdirSync(artifacts, { recursive: true })
    for (const n of [1, 2, 3]) {
      await api.givenExecution(anExecution({ name: `parent-${n}` }))
      writeFileSync(join(artifacts, `${n}.txt`), '')
      mkdirSync(join(api.workspaceRoot, `w${n}`))
    }
    const form = new FormData()
    for (const name of ['a', 'b', 'c']) form.append('file', new Blob(['x']), name)
    assert.equal((await fetch(`${api.url}/api/drops`, { method: 'POST', body: form })).status, 201)
  })
  after(async () => {
    await api.stop()
    rmSync(scriptsDir, { recursive: true })
  })

  for (const { id, path } of LISTS) {
    it(`${id}: page by page it is the whole list, and a foreign cursor is 400`, async () => {
      const whole = itemsOf((await api.get(pathOf(path))).body)
      assert.ok(whole.length >= 2, `${whole.length} items`)
      const pages: JsonValue[] = []
      for (let next: string | undefined = `${pathOf(path)}?limit=1`; next !== undefined;) {
        const { status, body, headers }: Awaited<ReturnType<Rig['get']>> = await api.get(next)
        assert.equal(status, 200, next)
        assert.equal(itemsOf(body).length, 1)
        pages.push(...itemsOf(body))
        next = /^<(.*)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1]
      }
      assert.deepEqual(pages, whole)
      assert.equal((await api.get(`${pathOf(path)}?cursor=abc`)).status, 400)
    })
  }
})

describe('the pages of a chain', () => {
  const tasks = fc
    .array(fc.array(fc.nat(9), { maxLength: 3 }), { minLength: 1, maxLength: 10 })
    .map((links) =>
      links.map((dependsOn, i) => aTask({ name: `t${i}`, spec: { dependsOn: dependsOn.map((n) => `t${n}`) } })),
    )

  it('together are the chain, whatever waits for what and however long a page is', () => {
    fc.assert(
      fc.property(tasks, fc.integer({ min: 1, max: 4 }), (chain, limit) => {
        const names: string[] = []
        for (let cursor: string | null | undefined; cursor !== null;) {
          const page = paginateChain(chain, cursor === undefined ? { limit } : { limit, cursor })
          names.push(...page.items.map(({ metadata }) => metadata.name))
          const link = /<(.*)>/.exec(page.headers('/x')['Link'] ?? '')?.[1]
          cursor = link === undefined ? null : new URL(link, 'http://x').searchParams.get('cursor')
        }
        assert.deepEqual(
          names,
          chainOrder(chain).map(({ metadata }) => metadata.name),
        )
      }),
    )
  })
})
