import assert from 'node:assert/strict'
import { existsSync, statSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { CONTAINER_VARIABLE, findProcessesByEnvironment, findStartTime } from '../../lib/process.ts'
import { podsDir } from '../../node/layout.ts'
import { until } from '../helpers/until.ts'
import { type GivenNode, givenNode } from './given.ts'

describe('the end of a pod', () => {
  let given: GivenNode
  beforeEach(async () => {
    given = await givenNode()
  })
  afterEach(() => given.end())

  const at = (name: string): string => join(given.volume, name)
  const isGone = async (name: string): Promise<boolean> =>
    (await findStartTime(Number(await readFile(at(name), 'utf8')))) === undefined
  const written = (name: string) =>
    until(`${name} is written`, () => existsSync(at(name)) && statSync(at(name)).size > 0)

  it('lets the container finish within the grace of a deletion', async () => {
    await given.run({
      script: `trap 'echo ended >${at('last')}; exit 0' TERM; echo >${at('ready')}; while :; do sleep 0.05; done`,
    })
    await written('ready')
    await given.api.deletePod('pod')
    await until('the API has forgotten the pod', () => given.api.findPod('pod') === undefined)
    assert.equal(await readFile(at('last'), 'utf8'), 'ended\n')
  })

  it('is SIGKILL for the whole group when the grace is over', async () => {
    const fork = `trap '' TERM; echo $BASHPID >${at('fork')}; while :; do sleep 1; done`
    await given.run({ script: `trap '' TERM; (${fork}) & while :; do sleep 1; done`, terminationGracePeriodSeconds: 1 })
    await written('fork')
    await given.api.deletePod('pod')
    await until('the API has forgotten the pod', () => given.api.findPod('pod') === undefined)
    assert.ok(await isGone('fork'))
  })

  it('is reported before a finalizer lets the pod go', async () => {
    await given.run({ script: 'sleep 60', finalizers: ['test/keep'] })
    await given.running('pod')
    await given.api.deletePod('pod')
    const pod = await given.finished('pod')
    assert.deepEqual(
      [pod.status?.phase, pod.status?.containerStatuses?.[0]?.state?.terminated?.exitCode],
      ['Failed', 143],
    )
  })

  it('comes at once when the API has dropped the pod by force', async () => {
    await given.run({ script: `trap '' TERM; echo $$ >${at('pid')}; while :; do sleep 1; done` })
    await written('pid')
    given.api.dropPod('pod')
    await until('the process is gone', () => isGone('pid'))
    await until('its files are gone', async () => (await readdir(podsDir(given.dir))).length === 0)
  })

  describe('on a system with /proc', () => {
    before(function () {
      if (!existsSync('/proc/self/environ')) this.skip()
    })

    it('reaches a daemon that left its group and session and ignores SIGTERM', async () => {
      const daemon = `trap "" TERM; echo $$ >${at('daemon')}; while :; do sleep 1; done`
      await given.run({
        script: `set -m; (bash -c '${daemon}' </dev/null &>/dev/null &) & wait; until [ -e ${at('daemon')} ]; do sleep 0.02; done`,
      })
      const pod = await given.finished('pod')
      assert.equal(pod.status?.phase, 'Succeeded')
      assert.ok(await isGone('daemon'))
      assert.deepEqual(await findProcessesByEnvironment(CONTAINER_VARIABLE, `${pod.metadata.uid}/main`), [])
    })

    it('does not wait for a daemon that keeps the output open', async () => {
      await given.run({ script: `set -m; (sleep 300 &) & wait; echo done` })
      const pod = await given.finished('pod')
      assert.equal(pod.status?.phase, 'Succeeded')
    })
  })
})
