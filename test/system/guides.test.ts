import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { needBwrap } from '../helpers/bwrap.ts'
import { needCurl } from '../helpers/curl.ts'
import { needKubectl } from '../helpers/kubectl.ts'
import { type Block, findMissing, isServer, readBlocks } from './guides/page.ts'
import { type Reader, aReader } from './guides/reader.ts'
import { prepareFor } from './guides/stand-ins.ts'

const GUIDES = join(import.meta.dirname, '..', '..', '..', 'docs', 'guides')

/** Where its first block is, for a message. */
async function follow(reader: Reader, block: Block): Promise<void> {
  const where = `line ${block.line}:\n${block.code}\n`
  const isServing = isServer(block)
  const { output, exitCode } = isServing ? { output: await reader.serve(block), exitCode: 0 } : await reader.run(block)
  const printed = `${where}printed:\n${output}`
  assert.equal(exitCode, block.exitCode, printed)
  assert.equal(findMissing(block.prints, output), undefined, printed)
}

describe('guides', function () {
  before(async function () {
    await needBwrap(this)
  })

  for (const file of readdirSync(GUIDES).sort()) {
    const blocks = readBlocks(readFileSync(join(GUIDES, file), 'utf8'))
    const left = blocks.filter(({ notRun }) => notRun !== undefined)
    const reasons = left.map(({ line, notRun }) => `line ${line}: ${notRun}`)

    it(`${file} does and shows what it says${reasons.length === 0 ? '' : `; not run: ${reasons.join('; ')}`}`, async function () {
      if (blocks.some(({ code }) => code.includes('curl'))) needCurl(this)
      if (blocks.some(({ code }) => code.includes('kubectl'))) await needKubectl(this)
      const stage = await prepareFor(file)
      const reader = aReader(stage)
      try {
        stage.settle?.(reader.home)
        for (const block of blocks) if (block.notRun === undefined) await follow(reader, block)
        await stage.verify?.()
      } finally {
        await reader.leave()
        await stage.close?.()
      }
    })
  }
})
