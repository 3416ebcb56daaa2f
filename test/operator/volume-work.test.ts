import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { threadPoolSize } from '../../lib/thread-pool.ts'
import { removeFolders } from '../../operator/volume.ts'
import {
  type VolumeGate,
  type VolumePiece,
  createVolumeGate,
  STALLED_MS,
  VolumeNotAnswering,
} from '../../operator/volume-work.ts'
import { type ManualClock, manualClock } from '../helpers/clock.ts'
import { recordingLogger } from '../helpers/log.ts'

const READ: VolumePiece = { kind: 'read', path: 'executions/a' }
const PREPARE: VolumePiece = { kind: 'prepare', path: 'executions/a' }

describe('file work on the data volume', () => {
  let clock: ManualClock
  let log: ReturnType<typeof recordingLogger>
  let begun: number
  let answers: (() => void)[]

  beforeEach(() => {
    clock = manualClock()
    log = recordingLogger()
    begun = 0
    answers = []
  })

  const open = (threads?: number): VolumeGate =>
    createVolumeGate({ clock, logger: log.logger, ...(threads !== undefined && { threads }) })
  const hang = (): Promise<void> => {
    begun += 1
    return new Promise((resolve) => answers.push(resolve))
  }
  const answer = async (): Promise<void> => {
    for (let next = answers.shift(); next !== undefined; next = answers.shift()) {
      next()
      await clock.advance(0)
    }
  }

  for (const [threads, reads, prepared] of [
    [undefined, 3, 3],
    [1, 1, 1],
    [64, 48, 12],
  ] as const) {
    it(`leaves threads of ${threads ?? 'the default pool'} for all else: ${reads} reads at once, or ${prepared} that prepare a folder`, async () => {
      for (const [piece, most] of [[READ, reads] as const, [PREPARE, prepared] as const]) {
        const gate = open(threads)
        begun = 0
        const all = Array.from({ length: most + 2 }, () => gate.run(piece, hang))
        await clock.advance(0)
        assert.equal(begun, most)
        await answer()
        await Promise.all(all)
      }
    })
  }

  it('is refused while very much of it waits for a volume that does not answer, and is taken again later', async () => {
    const gate = open()
    const all = Array.from({ length: 200 }, () => gate.run(READ, hang))
    await clock.advance(STALLED_MS - 1)
    all.push(gate.run(READ, hang))
    await clock.advance(1)
    await assert.rejects(gate.run(READ, hang), VolumeNotAnswering)
    const answering = Promise.all(all)
    while (answers.length > 0) await answer()
    await answering
    assert.equal(await gate.run(READ, () => Promise.resolve('read')), 'read')
  })

  it('is said to hang once in the log, and once of each who waits, until all of it has ended', async () => {
    const gate = open(64)
    const told: string[] = []
    const all = ['a', 'b'].map((name) =>
      gate.run({ kind: 'read', path: `executions/${name}` }, hang, { onStalled: () => void told.push(name) }),
    )
    await clock.advance(STALLED_MS - 1)
    assert.deepEqual([told, gate.stalled(), log.lines], [[], 0, []])
    await clock.advance(60_000)
    assert.deepEqual([told, gate.stalled()], [['a', 'b'], 2])
    await answer()
    await Promise.all(all)
    assert.deepEqual(
      log.lines.map(({ msg, path }) => [msg, path]),
      [
        ['the data volume does not answer; what needs no file goes on', 'executions/a'],
        ['the data volume answers again', undefined],
      ],
    )
    assert.equal(gate.stalled(), 0)
  })

  it('does not begin when leadership is lost before it is its turn', async () => {
    const gate = open(1)
    const lost = new AbortController()
    const first = gate.run(READ, hang)
    const second = gate.run(READ, hang, { lost: lost.signal })
    lost.abort(new Error('another leads'))
    await assert.rejects(second, /another leads/)
    await answer()
    await first
    assert.equal(begun, 1)
  })

  it('touches nothing any more between two calls once leadership is lost', async () => {
    const root = await mkdtemp(join(tmpdir(), 'slipway-fence-'))
    try {
      await mkdir(join(root, 'sandboxes/a/repo'), { recursive: true })
      await writeFile(join(root, 'sandboxes/a/repo/work'), '')
      const lost = AbortSignal.abort(new Error('another leads'))
      await assert.rejects(removeFolders(root, ['sandboxes/a'], lost), /another leads/)
      assert.deepEqual(await readdir(join(root, 'sandboxes/a/repo')), ['work'])
    } finally {
      await rm(root, { recursive: true })
    }
  })
})

describe('the size of the thread pool', () => {
  for (const [value, size] of [
    [undefined, 4],
    ['', 4],
    ['many', 4],
    ['64', 64],
    ['0', 1],
    ['9999', 1024],
  ] as const) {
    it(`is ${size} for UV_THREADPOOL_SIZE=${value}`, () =>
      assert.equal(threadPoolSize({ UV_THREADPOOL_SIZE: value }), size))
  }
})
