import assert from 'node:assert/strict'
import { DECISION_RIGHTS, OPERATION_RIGHTS } from '../../../core/rest/rights.ts'
import type { Route } from '../../../core/rest/route.ts'
import { type OperationId, ROUTES } from '../../../core/rest/routes.ts'
import { HUMAN_TRIGGERS } from '../../../core/task/transitions.ts'

const READING = ['get', 'list', 'watch']
/** What everybody who is signed in may do, or what asks for nobody at all. */
const FOR_EVERYBODY = ['getSession', 'getVapidKey', 'getVersion', 'getOpenApiDocument', 'unsubscribePush']

const verbsOf = (id: OperationId): (string | undefined)[] => OPERATION_RIGHTS[id].map((right) => right.split(' ')[0])

describe('the rights of the operations', () => {
  it('there is a row for each operation of the route table, and none besides', () => {
    assert.deepEqual(Object.keys(OPERATION_RIGHTS).sort(), ROUTES.map(({ id }) => id).sort())
  })

  for (const row of ROUTES) {
    const { id, method, path, isOpen }: Route<OperationId> = row
    const isOpenTo = isOpen === true && id !== 'receiveWebhook'
    const isFree = isOpenTo || !path.startsWith('/api/') || FOR_EVERYBODY.includes(id)
    it(`${id} asks for ${isFree ? 'no right' : method === 'GET' ? 'rights to read' : 'a right to change something'}`, () => {
      const verbs = verbsOf(id)
      if (isFree) assert.deepEqual(verbs, [])
      else if (method === 'GET' || path.startsWith('/api/push/'))
        assert.ok(verbs.length > 0 && verbs.every((verb) => READING.includes(String(verb))), String(verbs))
      else assert.ok(verbs.length > 0 && verbs.every((verb) => !READING.includes(String(verb))), String(verbs))
    })
  }

  for (const action of HUMAN_TRIGGERS) {
    it(`a task is ${action}ed by a verb of its own`, () => {
      assert.deepEqual(OPERATION_RIGHTS[`${action}Task`], [`${action} tasks`])
      assert.ok(DECISION_RIGHTS.some((right) => right === `${action} tasks`))
    })
  }
})
