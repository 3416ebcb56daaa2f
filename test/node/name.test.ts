import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { openNodeName } from '../../node/name.ts'
import { newRoot } from './given.ts'
import { runs } from '../helpers/runs.ts'

describe('the name of a node', () => {
  let dir: string
  beforeEach(async () => {
    dir = await newRoot()
  })
  afterEach(() => rm(dir, { recursive: true, force: true }))
  const open = (host: string, folder = dir) => openNodeName(folder, { prefix: 'slipway', host, randomBytes })

  it('is made of the name of the host and a random part, and kept when the host gets another name', async () => {
    const name = await open('My-Laptop.example.org')
    assert.match(name, /^slipway-my-laptop-[0-9a-f]{8}$/)
    assert.deepEqual(await open('other'), name)
  })

  it('is that of the node which its own control plane has, when its folder was removed', async () => {
    const naming = { prefix: 'slipway', host: 'host', randomBytes }
    const name = await open('host')
    await rm(dir, { recursive: true })
    assert.deepEqual(await openNodeName(dir, { ...naming, registered: name }), name)
    assert.deepEqual(await open('host'), name)
  })

  it('differs between two folders of hosts that are called the same', async () => {
    const [a, b] = await Promise.all([open('host', join(dir, 'a')), open('host', join(dir, 'b'))])
    assert.notEqual(a, b)
  })

  it('can be the name of a Node and the value of a label, whatever the host is called', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 80 }), async (host) => {
        const folder = join(dir, randomBytes(6).toString('hex'))
        const name = await open(host, folder)
        assert.match(name, /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/)
        assert.ok(name.length <= 63, name)
        assert.deepEqual(await open('again', folder), name)
      }),
      { numRuns: runs(50) },
    )
  })

  it('is read from the file of a version that also kept a former one', async () => {
    await writeFile(join(dir, 'name.json'), '{"name":"slipway-a-1","former":"slipway-local"}')
    assert.equal(await open('host'), 'slipway-a-1')
  })

  for (const content of ['', 'null', '{"name":"../up"}']) {
    it(`is refused with its file when that holds ${JSON.stringify(content)}`, async () => {
      await writeFile(join(dir, 'name.json'), content)
      await assert.rejects(open('host'), /name\.json does not hold the name of a node: remove it/)
    })
  }
})
