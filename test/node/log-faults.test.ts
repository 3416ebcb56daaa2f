import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { CONTAINER_VARIABLE, findProcessesByEnvironment } from '../../lib/process.ts'
import { type ContainerPaths, containerPaths } from '../../node/layout.ts'
import { LOG_BYTES, logFiles, sizeOf, maintainLog } from '../../node/log-file.ts'
import { textOf } from '../helpers/leaks.ts'
import { leaveOut } from '../helpers/leave-out.ts'
import { recordingLogger } from '../helpers/log.ts'
import { type SmallDisk, findMountProblem, mountSmallDisk } from '../helpers/small-disk.ts'
import { until } from '../helpers/until.ts'
import { causeOf, installFaults, watchFiles } from '../helpers/file-faults.ts'
import { type GivenNode, givenNode, newRoot } from './given.ts'

const LIMIT = 100
const now = new Date('2026-03-01T10:00:00Z')

describe('a log whose rotation fails', () => {
  let uninstall: () => void
  before(() => (uninstall = installFaults()))
  after(() => uninstall())

  /** A log that is to be rotated, and four older parts. */
  async function fullLog(root: string): Promise<ContainerPaths> {
    const paths = containerPaths(root, 'u-1', 'main')
    await mkdir(paths.dir, { recursive: true })
    for (const [n, path] of logFiles(paths.log).entries()) await writeFile(path, `part ${n}\n`)
    await writeFile(paths.log, 'x'.repeat(LIMIT))
    return paths
  }

  const partsOf = async (paths: ContainerPaths): Promise<string> =>
    (await Promise.all(logFiles(paths.log).map((path) => readFile(path, 'utf8').catch(() => '')))).join('')

  it('is cut when it grows faster than it can be copied', async () => {
    const root = await newRoot()
    const paths = await fullLog(root)
    const limit = 1024 * 1024
    await writeFile(paths.log, 'x'.repeat(limit))
    const flood = spawn('bash', ['-c', 'exec head -c 8G /dev/zero >> "$0"', paths.log])
    try {
      for (let look = 0; look < 10; look++) await maintainLog(paths, -1, now, limit).catch(() => undefined)
      for (const part of logFiles(paths.log).slice(0, -1)) assert.ok((await sizeOf(part)) < 11 * limit, part)
    } finally {
      flood.kill('SIGKILL')
      await once(flood, 'exit')
      await rm(root, { recursive: true })
    }
    const flooded = await fullLog(root)
    await writeFile(flooded.log, 'x'.repeat(11 * LIMIT))
    await assert.rejects(maintainLog(flooded, -1, now, LIMIT), { message: 'it grows faster than it can be kept' })
    assert.equal(await sizeOf(flooded.log), 0)
    await rm(root, { recursive: true })
  })

  it('is cut, says why, and loses no older part but the oldest, whichever file operation it was', async () => {
    const root = await newRoot()
    const full = await fullLog(root)
    const { seen } = watchFiles(root, [])
    await maintainLog(full, 0, now, LIMIT)
    const operations = [...seen]
    assert.ok(operations.length > 10, operations.join())
    for (const operation of operations) {
      await rm(root, { recursive: true })
      const paths = await fullLog(root)
      watchFiles(root, [operation])
      await assert.rejects(maintainLog(paths, 0, now, LIMIT), { message: causeOf(operation) }, operation)
      const parts = await partsOf(paths)
      for (const kept of ['part 1', 'part 2', 'part 3'])
        assert.ok(parts.includes(kept), `${operation}: ${kept} is lost`)
      const isUntouched = ['stat', 'appendFile'].includes(operation.split(' ')[0] ?? '')
      if (!isUntouched) assert.ok((await sizeOf(paths.log)) < LIMIT, `${operation}: the log goes on growing`)
      await maintainLog(paths, -1, now, LIMIT)
      assert.equal(await sizeOf(paths.log), 0, operation)
    }
    await rm(root, { recursive: true })
  })
})

describe('what becomes of a container', () => {
  let given: GivenNode
  afterEach(() => given.end())
  const write = (name: string): void => writeFileSync(join(given.volume, name), '')
  const wait = (name: string): string => `until [ -e ${given.volume}/${name} ]; do sleep 0.02; done`
  const logOf = async (name: string): Promise<string> => {
    const { uid = '' } = given.api.getPod(name).metadata
    return readFileSync(containerPaths(given.dir, uid, 'main').log, 'latin1')
  }

  /** Pid of the `cat` that writes the log; 0 while there is none. */
  const pipe = async (): Promise<number> => {
    const { uid } = given.api.getPod('pod').metadata
    const pids = await findProcessesByEnvironment(CONTAINER_VARIABLE, `${uid}/main`)
    return pids.find((pid) => textOf(`/proc/${pid}/comm`) === 'cat\n') ?? 0
  }

  it('whose log pipe is killed: it goes on, and its log too', async () => {
    given = await givenNode()
    await given.run({ script: `echo before; ${wait('gate')}; for n in 1 2 3; do echo "after $n"; done; exit 6` })
    await given.running('pod')
    await until('the log has its first line', async () => (await logOf('pod')) === 'before\n')
    const first = await pipe()
    process.kill(first, 'SIGKILL')
    await until('there is another one', async () => ![0, first].includes(await pipe()))
    write('gate')
    const pod = await given.finished('pod')
    assert.equal(pod.status?.containerStatuses?.[0]?.state?.terminated?.exitCode, 6)
    assert.equal(await logOf('pod'), 'before\nafter 1\nafter 2\nafter 3\n')
  })

  describe('on a disk that is full (needs root and mount)', () => {
    let disk: SmallDisk
    let lines: readonly Record<string, unknown>[]
    before(async function () {
      const folder = await newRoot()
      const problem = findMountProblem('tmpfs', folder)
      await rm(folder, { recursive: true })
      if (problem !== undefined) leaveOut(this, `a tmpfs cannot be mounted: ${problem}`)
    })
    /** @param sizeBytes of the disk that holds the node's folder alone */
    async function givenSmallDisk(sizeBytes: number): Promise<void> {
      const root = await newRoot()
      disk = mountSmallDisk('tmpfs', join(root, 'node'), String(sizeBytes))
      const log = recordingLogger()
      lines = log.lines
      given = await givenNode({ root, logger: log.logger })
    }
    afterEach(async () => {
      await given.node.stop({ endPods: true })
      disk.unmount()
    })

    it('has room for the log and none for its rotation: the log is cut, and it goes on', async () => {
      await givenSmallDisk(LOG_BYTES * 1.5)
      await given.run({ script: `head -c ${LOG_BYTES} /dev/zero; ${wait('gate')}; echo after; exit 6` })
      await given.running('pod')
      const isTold = (): boolean => lines.some(({ msg }) => msg === 'the log of a container is cut')
      await until('the node says that it cut the log', isTold)
      assert.match(JSON.stringify(lines), /ENOSPC/)
      write('gate')
      const pod = await given.finished('pod')
      assert.equal(pod.status?.containerStatuses?.[0]?.state?.terminated?.exitCode, 6)
      assert.equal(await logOf('pod'), 'after\n')
    })

    it('has no room at all: it goes on, and its log as soon as there is room', async () => {
      await givenSmallDisk(1024 * 1024)
      await given.run({
        script: `${wait('full')}; echo lost; ${wait('free')}; echo kept; ${wait('gate')}; exit 6`,
      })
      await given.running('pod')
      await until('the log is open', async () => (await pipe()) !== 0)
      const first = await pipe()
      disk.fill()
      write('full')
      await until('the line could not be written', async () => ![0, first].includes(await pipe()))
      disk.free()
      write('free')
      await until('the log goes on', async () => (await logOf('pod')) === 'kept\n')
      write('gate')
      const pod = await given.finished('pod')
      assert.equal(pod.status?.containerStatuses?.[0]?.state?.terminated?.exitCode, 6)
    })
  })
})
