import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { dropsCommand } from '../../../cli/commands/drops.ts'
import { DROPS_PATH } from '../../../core/execution/layout.ts'
import { type Rig, startRig } from '../../api-server/rig.ts'
import { until } from '../../helpers/until.ts'
import { runCommand } from './run-command.ts'

const FILE_MIB = 200

const buffersMiB = (): number => process.memoryUsage().arrayBuffers / 2 ** 20

describe('a large drop on the command line', () => {
  let api: Rig
  let folder: string
  before(async () => {
    api = await startRig()
    folder = await mkdtemp(join(tmpdir(), 'slipway-large-drop-'))
  })
  after(async () => {
    await api.stop()
    await rm(folder, { recursive: true })
  })

  const staysSmall = async (words: readonly string[]): Promise<void> => {
    const before = buffersMiB()
    let isOver = false
    let most = 0
    const running = runCommand(dropsCommand, words, api.url).finally(() => (isOver = true))
    await until('it is there', () => {
      most = Math.max(most, buffersMiB() - before)
      return isOver
    })
    assert.equal((await running).code, 0)
    assert.ok(most < FILE_MIB / 2, `${most} MiB were held`)
  }

  it('goes to the server without being held in memory', async () => {
    const large = join(folder, 'sent')
    await writeFile(large, '')
    await truncate(large, FILE_MIB * 2 ** 20)
    await staysSmall(['put', large])
    assert.equal((await stat(join(api.volumeRoot, DROPS_PATH, 'sent'))).size, FILE_MIB * 2 ** 20)
  })

  it('goes to its file without being held in memory', async () => {
    const drops = join(api.volumeRoot, DROPS_PATH)
    await mkdir(drops, { recursive: true })
    await writeFile(join(drops, 'large'), '')
    await truncate(join(drops, 'large'), FILE_MIB * 2 ** 20)
    const copy = join(folder, 'large')
    await staysSmall(['get', 'large', '--to', copy])
    assert.equal((await stat(copy)).size, FILE_MIB * 2 ** 20)
  })
})
