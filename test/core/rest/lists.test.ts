import assert from 'node:assert/strict'
import { Type } from 'typebox'
import { PAGE } from '../../../core/rest/requests/shapes.ts'
import { ROUTES } from '../../../core/rest/routes.ts'
import type { Route } from '../../../core/rest/route.ts'

/** What answers with a bare array, which decisions (section 5) hand out in pages. */
function isList({ method, responses }: Route): boolean {
  const { 200: answer } = responses
  return method === 'GET' && answer?.kind === 'json' && Type.IsArray(answer.schema)
}

describe('the rows of the route table that list', () => {
  const lists = ROUTES.filter(isList)

  it('are found by their answer, among them tasks and workspaces', () => {
    const ids: readonly string[] = lists.map(({ id }) => id)
    assert.ok(
      ['listTasks', 'listWorkspaces', 'listArtifacts'].every((id) => ids.includes(id)),
      ids.join(),
    )
  })

  it('all take limit and cursor, and may answer 400 to them', () => {
    const names = Object.keys(PAGE)
    const without = lists.filter(({ query, errors }) => {
      const taken = Object.keys(query.properties)
      return !names.every((name) => taken.includes(name)) || !errors.some((status) => status === 400)
    })
    assert.deepEqual(
      without.map(({ id }) => id),
      [],
    )
  })
})
