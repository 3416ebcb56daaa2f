import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { findStale, renderAll, writeStale } from '../tools/generated-files.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const GENERATOR = join(import.meta.dirname, '..', 'tools', 'generate.js')

describe('generated files', function () {
  // Each starts a program that loads a formatter; ten seconds each on a busy machine.
  let folder: string

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'slipway-generated-'))
    for (const source of [
      'crds',
      'prompts',
      join('docs', 'resources'),
      join('docs', 'prompts.md'),
      join('charts', 'slipway'),
      'test',
      '.oxlintrc.json',
    ])
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
      original.replace("self.status.state in ['COMPLETED', 'PENDING', 'QUEUED']", "self.status.state in ['QUEUED']"),
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
    assert.deepEqual(await generate('--check'), { code: 0, output: '' })
  })

  it('are named by --check when they are stale, and left as they are', async () => {
    await generate('--root', folder)
    const path = join(folder, 'core', 'crd', 'types.ts')
    writeFileSync(path, 'export {}\n')
    const checked = await generate('--check', '--root', folder)
    assert.deepEqual(checked, { code: 1, output: 'core/crd/types.ts is stale; run: npm run generate\n' })
    assert.equal(readFileSync(path, 'utf8'), 'export {}\n')
  })
})

/** Runs the generator as `npm run generate` does. */
async function generate(...args: string[]): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, [GENERATOR, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  const exit = new Promise<number | null>((resolve) => child.once('close', resolve))
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), exit])
  return { code, output: args.includes('--check') ? stdout + stderr : stderr }
}
