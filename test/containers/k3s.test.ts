import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { GenericContainer } from 'testcontainers'
import { loadImage } from '../e2e/k3s-images.ts'
import { buildImage } from './image.ts'

const PROGRAM = join(import.meta.dirname, '..', 'e2e', 'k3s.js')

describe('k3s for test/e2e', () => {
  it('says which image is missing and what to do, and writes no kubeconfig', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'slipway-k3s-test-'))
    try {
      const kubeconfig = join(folder, 'kubeconfig')
      const env = { ...process.env, SLIPWAY_K3S_IMAGE: 'localhost:1/no/k3s:v0' }
      const child = spawn(process.execPath, [PROGRAM, kubeconfig], { env, stdio: ['ignore', 'ignore', 'pipe'] })
      let errors = ''
      child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()))
      assert.deepEqual(await once(child, 'close'), [1, null])
      assert.match(
        errors,
        /^k3s does not start from image localhost:1\/no\/k3s:v0: .*\npull it .*KUBECONFIG instead\n$/s,
      )
      assert.equal(existsSync(kubeconfig), false)
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  it('is given an image of the Docker engine, and keeps no archive of it', async () => {
    const image = await buildImage('k3s-stand-in')
    const standIn = await new GenericContainer(image).start()
    try {
      await loadImage(standIn, image)
      const { output } = await standIn.exec(['cat', '/imported'])
      assert.match(output, new RegExp(`"RepoTags":\\["${image}"\\]`))
      assert.doesNotMatch((await standIn.exec(['ls', '/'])).output, /slipway-image/)
      await assert.rejects(loadImage(standIn, 'localhost/slipway-test-none:v0'), /localhost\/slipway-test-none:v0/)
    } finally {
      await standIn.stop()
    }
  })
})
