import assert from 'node:assert/strict'
import type { Container, Pod, Volume } from '../../kube/builtin.ts'
import { EVENTS } from '../../kube/resources.ts'
import { systemClock } from '../../lib/clock.ts'
import { needBwrap } from '../helpers/bwrap.ts'
import { recordingLogger } from '../helpers/log.ts'
import { until } from '../helpers/until.ts'
import { type GivenNode, type TestPod, givenNode } from './given.ts'

/** What an API server mounts into every pod, unless told not to. */
const SERVICE_ACCOUNT = {
  name: 'token',
  projected: { sources: [{ serviceAccountToken: { path: 'token' } }] },
} as Volume
const AT = '/var/run/secrets/kubernetes.io/serviceaccount'
const withoutCommand: Container = { name: 'main', image: 'nginx' }

const CASES: Readonly<Record<string, readonly [TestPod, RegExp]>> = {
  'a volume of a kind that it does not know': [
    { volumes: [SERVICE_ACCOUNT], container: { volumeMounts: [{ name: 'token', mountPath: AT }] } },
    /^volume token: this kind of volume is not supported/,
  ],
  'no command, but that of its image': [{ containers: [withoutCommand] }, /^container main has no command/],
  'a claim at a path below a file': [
    {
      volumes: [{ name: 'v', hostPath: { path: '/etc/passwd' } }],
      container: { volumeMounts: [{ name: 'v', mountPath: '/etc/passwd', subPath: 'below' }] },
    },
    /ENOTDIR/,
  ],
  'a program with an endless name': [{ container: { command: ['/x'.repeat(100_000)] } }, /^exec: "\/x\/x/],
  'more arguments than the kernel takes': [{ container: { args: ['x'.repeat(3_000_000)] } }, /E2BIG/],
}

for (const runtime of ['process', 'bwrap'] as const) {
  describe(`a pod that the node cannot start, with runtime ${runtime}`, () => {
    let given: GivenNode
    let lines: readonly Record<string, unknown>[]
    before(async function () {
      if (runtime === 'bwrap') await needBwrap(this)
    })
    beforeEach(async () => {
      const log = recordingLogger()
      lines = log.lines
      given = await givenNode({ runtime, logger: log.logger })
    })
    afterEach(() => given.end())

    const eventsOf = async ({ metadata }: Pod) =>
      (await given.api.client.list(EVENTS)).items.filter(({ involvedObject }) => involvedObject.uid === metadata.uid)

    for (const [what, [spec, reason]] of Object.entries(CASES)) {
      it(`because it has ${what}, fails with the reason, one Event and one line`, async () => {
        await given.run(spec)
        const pod = await given.finished('pod')
        const terminated = pod.status?.containerStatuses?.[0]?.state?.terminated
        assert.deepEqual([pod.status?.phase, terminated?.exitCode, terminated?.reason], ['Failed', 128, 'StartError'])
        assert.match(terminated?.message ?? '', reason)
        await given.api.deletePod('pod')
        await until('the API has forgotten the pod', () => given.api.findPod('pod') === undefined)
        await until('there is an Event', async () => (await eventsOf(pod)).length > 0)
        const told = (await eventsOf(pod)).map(({ type, reason: why, message, count }) => [type, why, message, count])
        assert.deepEqual(told, [['Warning', 'Failed', `Error: ${terminated?.message ?? ''}`.slice(0, 1024), 1]])
        const complaints = lines.filter(({ level }) => Number(level) >= 40)
        assert.deepEqual(
          complaints.map(({ msg }) => msg),
          ['a container cannot start'],
        )
      })
    }
  })
}

describe('a pod that waits for a Secret', () => {
  it('tells so once, however often the node looks for it', async () => {
    const { logger, lines } = recordingLogger()
    const hurried = { ...systemClock, schedule: (ms: number, call: () => void) => systemClock.schedule(ms / 50, call) }
    const started = Date.now()
    const clock = { ...hurried, now: () => new Date(started + (Date.now() - started) * 50) }
    const given = await givenNode({ logger, clock })
    try {
      let looks = 0
      const find = given.api.client.find.bind(given.api.client)
      Object.assign(given.api.client, { find: (...args: Parameters<typeof find>) => ((looks += 1), find(...args)) })
      const secretKeyRef = { name: 'later', key: 'word' }
      await given.run({ container: { env: [{ name: 'WORD', valueFrom: { secretKeyRef } }] } })
      await until('the node has looked five times', () => looks > 5)
      const events = (await given.api.client.list(EVENTS)).items
      assert.deepEqual(
        events.map(({ message, count }) => [message, count]),
        [['Error: secret "later" not found', 1]],
      )
      assert.equal(lines.filter(({ level }) => Number(level) >= 40).length, 1)
    } finally {
      await given.end()
    }
  })
})
