import assert from 'node:assert/strict'
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SECRETS } from '../../kube/resources.ts'
import { type Clock, systemClock } from '../../lib/clock.ts'
import { podsDir } from '../../node/layout.ts'
import { recordingLogger } from '../helpers/log.ts'
import { watchUnhandled } from '../helpers/unhandled.ts'
import { until } from '../helpers/until.ts'
import { type FaultyFolder, causeOf, failOnce, installFaults, watchFiles } from '../helpers/file-faults.ts'
import { type Given, type GivenNode, type TestPod, givenNode, newRoot, script } from './given.ts'

/** Time passes ten times as fast, so that nobody waits for what is tried again, or started again. */
const SPEED = 10
const startedAt = Date.now()
const hurried: Clock = {
  now: () => new Date(startedAt + (Date.now() - startedAt) * SPEED),
  schedule: (ms, callback) => systemClock.schedule(ms / SPEED, callback),
}

/** Operations that fail in the life of one node, and lives at the same time. */
const [FAULTS, AT_ONCE] = [5, 4]

describe('a file operation of the node that fails once', function () {
  let unhandled: ReturnType<typeof watchUnhandled>
  let uninstall: () => void
  before(() => {
    unhandled = watchUnhandled()
    uninstall = installFaults()
  })
  after(() => {
    uninstall()
    unhandled.stop()
  })

  it('ends no server: its pod goes on or fails, and the cause is named', async () => {
    const all = [...(await liveThrough([])).seen].toSorted()
    assert.ok(all.length > 80, all.join('\n'))
    // Of those that are done side by side, such as the removal of files, only the first would be told: so they are spread.
    const lives = Math.ceil(all.length / FAULTS)
    const left = Array.from({ length: lives }, (_, life) => all.filter((_name, n) => n % lives === life))
    const met = new Set<string>()
    const work = async (): Promise<void> => {
      for (let faults = left.pop(); faults !== undefined; faults = left.pop()) {
        for (const name of (await liveThrough(faults)).failed) met.add(name)
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, work))
    assert.deepEqual(unhandled.reasons, [])
    // Some depend on the moment, such as the second look at a log.
    assert.ok(met.size > all.length * 0.8, all.filter((name) => !met.has(name)).join('\n'))
  })

  /** @param act what is done while the pod waits for its gate */
  async function runWhileListFails(act: (given: GivenNode) => Promise<unknown>): Promise<void> {
    const given = await givenNode({ clock: hurried })
    try {
      const gate = join(given.volume, 'gate')
      await given.run({ script: `until [ -e ${gate} ]; do sleep 0.02; done`, finalizers: ['test/keep'] })
      await given.running('pod')
      const failure = failOnce('readdir', '/proc')
      await act(given)
      writeFileSync(gate, '')
      await given.finished('pod')
      await until('the list was asked for', failure.isOver)
      assert.deepEqual(unhandled.reasons, [])
    } finally {
      await given.end()
    }
  }

  it('ends no server when it lists the processes at the end of a container', () =>
    runWhileListFails(() => Promise.resolve()))

  it('ends no server when it lists the processes to end them', () =>
    runWhileListFails((given) => given.api.deletePod('pod', 1)))
})

/** A node's whole life: pods that end, fail, are taken over by the next node, and are removed. */
async function liveThrough(failing: readonly string[]): Promise<FaultyFolder> {
  const root = await newRoot()
  const files = watchFiles(root, failing)
  const { logger, lines } = recordingLogger()
  const told: string[] = []
  const given = await begin({ root, clock: hurried, logger }, told)
  const data = { word: Buffer.from('hello').toString('base64') }
  given.api.put(SECRETS, { metadata: { name: 'keys', namespace: 'default' }, data } as never)
  try {
    await given.run(failsOnce(given))
    await given.run({ name: 'stays', script: `until [ -e ${given.volume}/gate ]; do sleep 0.02; done` })
    await until('the second pod is there', () => isPast(given, 'stays'))
    await given.node.stop()
    await again(given, told)
    writeFileSync(join(given.volume, 'gate'), '')
    const ended = [await given.finished('again'), await given.finished('stays')]
    for (const { metadata } of ended) await given.api.deletePod(metadata.name)
    await until('their files are gone', () => podsIn(given.dir) === 0)
    told.push(...lines.map((line) => JSON.stringify(line)), JSON.stringify(ended))
    const unnamed = [...files.failed].filter((name) => !told.some((text) => text.includes(causeOf(name))))
    assert.deepEqual(unnamed, [], 'causes that nothing names')
    for (const { metadata, status } of ended.filter((pod) => pod.status?.phase === 'Failed')) {
      assert.match(JSON.stringify(status), /ENOSPC/, `${metadata.name} does not say why it failed`)
    }
    return files
  } catch (error) {
    const failed = [...files.failed].join(', ')
    throw new Error(`${failed} failed, and then: ${String(error)}\n${JSON.stringify(lines)}`, { cause: error })
  } finally {
    await given.end()
  }
}

function podsIn(dir: string): number {
  return existsSync(podsDir(dir)) ? readdirSync(podsDir(dir)).length : 0
}

/** A node that cannot start says why, leaves nothing at work, and starts the next time. */
async function begin(options: Given, told: string[]): Promise<GivenNode> {
  return givenNode(options).catch((error: unknown) => {
    told.push(String(error))
    return begin(options, told)
  })
}

async function again(given: GivenNode, told: string[]): Promise<void> {
  await given.again().catch((error: unknown) => {
    told.push(String(error))
    return again(given, told)
  })
}

/** A pod with all that makes the node touch files: every kind of volume, a message, a restart. */
function failsOnce({ volume, secrets }: GivenNode): TestPod {
  const flag = join(volume, 'inside', 'flag')
  const volumeMounts = [
    { name: 'claim', mountPath: join(volume, 'inside'), subPath: 'inside' },
    { name: 'keys', mountPath: join(secrets, 'keys') },
    { name: 'own', mountPath: '/tmp' },
  ]
  const main = `cat ${secrets}/keys/word; echo ended >"$TERMINATION_MESSAGE_PATH"; [ -e ${flag} ] || { touch ${flag}; exit 5; }`
  return {
    name: 'again',
    restartPolicy: 'OnFailure',
    volumes: [
      { name: 'claim', persistentVolumeClaim: { claimName: 'data' } },
      { name: 'keys', secret: { secretName: 'keys' } },
      { name: 'own', emptyDir: {} },
    ],
    initContainers: [script('init', 'echo first')],
    containers: [{ ...script('main', main), volumeMounts }],
  }
}

function isPast(given: GivenNode, name: string): boolean {
  return (given.api.getPod(name).status?.phase ?? 'Pending') !== 'Pending'
}
