import assert from 'node:assert/strict'
import {
  AGENT_IMAGE,
  api,
  GIT_SERVER,
  IMAGE,
  kubectl,
  makeProject,
  MINUTE,
  podsOf,
  submit,
  untilState,
} from './cluster.ts'

describe('a task that wants an image of its own', () => {
  before(() => makeProject('images', { remote_url: `http://${GIT_SERVER}/sample.git` }))

  it('runs its agent there, with Node and the runner copied from our image; only there', async () => {
    const script = 'echo "node: $(command -v node)"; id -u; echo x > x.txt'
    await submit('elsewhere', 'images', script, { container_image: AGENT_IMAGE })
    await untilState('elsewhere', 'READY', 2 * MINUTE)
    assert.equal(await api.getExecutionStdout({ params: { id: 'elsewhere-1' } }), 'node: \n10001\n')
    const images = await kubectl(
      'get',
      'pods',
      '-l',
      'slipway.dev/task=elsewhere',
      '-o',
      'jsonpath={range .items[0].spec}{.initContainers[*].image} {.containers[*].image}{end}',
    )
    const [own, foreign] = [IMAGE, AGENT_IMAGE]
    assert.deepEqual(images.split(' '), [own, own, foreign, own])
  })

  it('fails, and says what an image needs, where there is no C library for Node', async () => {
    await submit('nothing', 'images', 'echo never', { container_image: 'localhost/busybox:rig' })
    const { error, error_category: category } = await untilState('nothing', 'FAILED', MINUTE)
    assert.equal(category, 'failed')
    assert.match(String(error), /glibc/)
    const [pod] = await podsOf('nothing')
    assert.doesNotMatch(JSON.stringify(pod?.['status']), /"running"/)
  })
})
