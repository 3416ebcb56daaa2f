import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { createRouteFinder } from '../../api-server/route-finder.ts'
import { ROUTES } from '../../core/rest/routes.ts'

const find = createRouteFinder(ROUTES)
const idOf = (method: string, path: string): string | undefined => find(method, path)?.row.id

describe('the route finder', () => {
  it('finds every row of the table by its own path, with whatever stands in its parameters', () => {
    fc.assert(
      fc.property(fc.constantFrom(...ROUTES), fc.string({ minLength: 12 }), ({ id, method, path }, value) => {
        const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
        const found = find(
          method,
          path.replaceAll(/\{\w+\}/g, () => encodeURIComponent(value)),
        )
        assert.equal(found?.row.id, id)
        assert.deepEqual({ ...found?.params }, Object.fromEntries(names.map((name) => [name, value])))
      }),
    )
  })

  it('takes a word of the table for that word, not for the parameter that another row has there', () => {
    assert.equal(idOf('GET', '/api/agents/status'), 'getAgentsStatus')
    assert.equal(idOf('GET', '/api/agents/statuses'), 'getAgent')
  })

  it('answers HEAD as GET', () => {
    assert.equal(idOf('HEAD', '/api/tasks'), 'listTasks')
  })

  it('matches a path as it is written', () => {
    for (const path of [
      '/API/tasks',
      '/api/Tasks',
      '/api/tasks/',
      '/api//tasks',
      '/api/tasks/a/b',
      '/api/tasks/%61/',
      '',
    ])
      assert.equal(idOf('GET', path), undefined, path)
    assert.equal(idOf('PATCH', '/api/tasks'), undefined)
  })

  it('leaves a segment that is not encoded properly as it is', () => {
    assert.deepEqual({ ...find('GET', '/api/tasks/100%')?.params }, { id: '100%' })
  })
})
