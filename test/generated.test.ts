import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { findStale, renderAll, writeStale } from '../tools/generated-files.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const GENERATOR = join(import.meta.dirname, '..', 'tools', 'generate.js')

describe('generated files', () => {
  let folder: string

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'slipway-generated-'))
    for (const source of ['crds', join('docs', 'resources')])
      cpSync(join(ROOT, source), join(folder, source), { recursive: true })
  })

  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  it('are what the generator writes into an empty folder from the same CRDs', async () => {
    const files = await renderAll(folder)
    writeStale(folder, files)
    for (const { path } of files)
      assert.equal(readFileSync(join(folder, path), 'utf8'), readFileSync(join(ROOT, path), 'utf8'), path)
  })

  it('do not change when they are generated a second time', async () => {
    writeStale(folder, await renderAll(folder))
    assert.deepEqual(writeStale(folder, await renderAll(folder)), [])
  })

  it('are rewritten when somebody edits the rule inside its marks', async () => {
    const path = join(folder, 'crds', 'slipway.dev_tasks.yaml')
    const original = readFileSync(path, 'utf8')
    writeFileSync(
      path,
      original.replace("self.status.state in ['COMPLETED', 'PENDING']", "self.status.state in ['QUEUED']"),
    )
    assert.deepEqual(findStale(folder, await renderAll(folder)).includes('crds/slipway.dev_tasks.yaml'), true)
    writeStale(folder, await renderAll(folder))
    assert.equal(readFileSync(path, 'utf8'), original)
  })

  it('follow an enum: a state without a row in the transition table is in types.ts at once', async () => {
    const path = join(folder, 'crds', 'slipway.dev_stories.yaml')
    writeFileSync(path, readFileSync(path, 'utf8').replace('enum: [passed, failed, pending]', 'enum: [passed, failed]'))
    const types = (await renderAll(folder)).find((file) => file.path === 'core/crd/types.ts')
    assert.match(types?.content ?? '', /export type Verdict = 'passed' \| 'failed'\n/)
  })

  it('cannot be made when the marks of the rule are gone', async () => {
    const path = join(folder, 'crds', 'slipway.dev_tasks.yaml')
    writeFileSync(path, readFileSync(path, 'utf8').replace('# BEGIN GENERATED state moves', '# gone'))
    await assert.rejects(renderAll(folder), /the CRD of Task lacks the marks/)
  })

  it('are fresh in this checkout, by the command that says so', async () => {
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [GENERATOR, '--check'])
    assert.deepEqual([stdout, stderr], ['', ''])
  })
})
