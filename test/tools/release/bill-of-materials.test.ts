import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeBillOfMaterials } from '../../../tools/release/bill-of-materials.ts'

const ROOT = join(import.meta.dirname, '..', '..', '..', '..')

describe('the bill of materials', () => {
  let folder: string
  let text: string
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'slipway-bill-'))
    text = write('first')
  })
  after(() => rmSync(folder, { recursive: true }))

  function write(name: string): string {
    const file = join(folder, `${name}.json`)
    writeBillOfMaterials(ROOT, file, 1_700_000_000)
    return readFileSync(file, 'utf8')
  }

  it('lists what is bundled into programs and UI or installed beside them, and no tool', () => {
    const { bomFormat, components } = JSON.parse(text)
    const names = new Set(components.map(({ name }: { name: string }) => name))
    const shipped = [
      'koa',
      'undici',
      'lmdb',
      'msgpackr',
      'react',
      'react-dom',
      'scheduler',
      'helmet',
      'swagger-ui-dist',
    ]
    const tools = ['typescript', 'esbuild', 'vite', 'mocha', 'prettier', 'oxlint', 'playwright-core', '@types/node']
    assert.equal(bomFormat, 'CycloneDX')
    assert.deepEqual([shipped.filter((name) => !names.has(name)), tools.filter((name) => names.has(name))], [[], []])
  })

  it('gives every component a version, a licence and a checksum', () => {
    const { components } = JSON.parse(text)
    for (const { name, version, hashes, licenses } of components)
      assert.ok(version && hashes?.length > 0 && licenses?.length > 0, name)
  })

  it('is the same for the same commit', () => assert.equal(write('second'), text))
})
