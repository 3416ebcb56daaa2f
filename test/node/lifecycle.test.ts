import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { GivenNode } from './given.ts'
import { givenNode, script } from './given.ts'

describe('a pod on the node', () => {
  let given: GivenNode
  beforeEach(async () => {
    given = await givenNode()
  })
  afterEach(() => given.end())

  it('runs its init containers one after another, then its main container, and succeeds', async () => {
    const order = join(given.volume, 'order')
    await given.run({
      initContainers: [script('one', `sleep 0.1; echo one >>${order}`), script('two', `echo two >>${order}`)],
      script: `echo main >>${order}`,
    })
    const pod = await given.finished('pod')
    assert.equal(pod.status?.phase, 'Succeeded')
    assert.equal(await readFile(order, 'utf8'), 'one\ntwo\nmain\n')
  })

  it('fails with the exit code of its container and what it wrote as termination message', async () => {
    await given.run({ script: 'printf "out of luck" >"$TERMINATION_MESSAGE_PATH"; exit 7' })
    const pod = await given.finished('pod')
    const terminated = pod.status?.containerStatuses?.[0]?.state?.terminated
    assert.deepEqual(
      [pod.status?.phase, terminated?.exitCode, terminated?.reason, terminated?.message],
      ['Failed', 7, 'Error', 'out of luck'],
    )
  })
})
