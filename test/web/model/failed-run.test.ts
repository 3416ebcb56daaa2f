import assert from 'node:assert/strict'
import { taskStateLabel } from '../../../core/sentences/states.ts'
import { doneWords, hasFailed, findWorkspace } from '../../../web/model/failed-run.ts'

const begun = [{ name: 'prepare' }, { name: 'agent', started_at: '2026-01-01T00:00:00Z' }]

describe('a run that ended without success', () => {
  for (const [state, error, expected] of [
    ['FAILED', undefined, true],
    ['TIMED_OUT', undefined, true],
    ['BUDGET_EXCEEDED', undefined, true],
    ['CANCELLED', 'the execution was cancelled', true],
    ['CANCELLED', undefined, false],
    ['READY', 'not delivered', false],
  ] as const)
    it(`${expected ? 'is' : 'is not'} one that is ${state} with the error ${error ?? 'left out'}`, () => {
      assert.equal(hasFailed({ state, ...(error === undefined ? {} : { error }) }), expected)
    })

  it('is told by its state, and by its class where that says more', () => {
    assert.equal(taskStateLabel({ state: 'FAILED', error_category: 'credentials' }, String), 'Failed: login missing')
    assert.equal(taskStateLabel({ state: 'FAILED' }, String), 'Failed')
    assert.notEqual(taskStateLabel({ state: 'TIMED_OUT', error_category: 'timeout' }, String), '')
  })

  it('has done what its diff says, and in words nothing where there is none', () => {
    const changes = { files: 2, insertions: 1, deletions: 0 }
    assert.equal(doneWords({ phases: begun, changes }), undefined)
    assert.match(doneWords({ phases: begun }) ?? '', /committed nothing/)
    assert.match(doneWords({ phases: [], changes }) ?? '', /not begun/)
    assert.match(doneWords(undefined) ?? '', /not begun/)
  })

  it('has its workspace on the machine of the server, or in the pod of the server', () => {
    const at = (sandbox_dir: string) => ({ phases: begun, sandbox_dir, task_id: 'a' })
    const here = { folder: '/data/volume/sandboxes/a/repo', command: 'slipway shell a' }
    assert.deepEqual(findWorkspace(at('/data/volume/sandboxes/a'), 'default'), here)
    assert.equal(
      findWorkspace(at('/slipway/sandboxes/a'), 'team')?.command,
      "kubectl exec -it deploy/slipway-api-server -n team -- sh -c 'cd /slipway/sandboxes/a/repo && exec sh'",
    )
    assert.equal(findWorkspace(at('/slipway/sandboxes/a'), undefined), undefined)
    assert.equal(
      findWorkspace({ phases: [{ name: 'prepare' }], sandbox_dir: '/a', task_id: 'a' }, 'default'),
      undefined,
    )
    assert.equal(findWorkspace(undefined, 'default'), undefined)
  })
})
