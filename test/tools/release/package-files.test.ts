import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writePackage } from '../../../tools/release/package-files.ts'

const ROOT = join(import.meta.dirname, '..', '..', '..', '..')

/** Everything that may be in it. What is not listed is a source, a test, a map, or somebody's secret. */
const ALLOWED = [
  /^(LICENSE|README\.md|package\.json|npm-shrinkwrap\.json)$/,
  /^charts\/slipway\/files\/agents\.yaml$/,
  /^dist\/(build|crds)\.json$/,
  /^dist\/api-docs\/(page\.(html|js)|swagger-ui\.(css|js)|LICENSE|NOTICE)$/,
  /^dist\/bin\/[\w-]+\.js$/,
  /^dist\/bin\/runner\/(runner\.js|program\.(js|cache)|package\.json)$/,
  /^dist\/bin\/(recordings\/(claude|codex)\/[\w.-]+\.jsonl|shop\/[\w./-]+)$/,
  /^dist\/ui\/([\w.-]+|assets\/[\w.-]+)$/,
  /^tools\/(slipway|node-version)\.mjs$/,
]

describe('what is installed', () => {
  let folder: string
  let content: { files: string[]; size: number }
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'slipway-package-'))
    writePackage(ROOT, folder, 'https://git.example.com/slipway')
    const args = ['pack', '--dry-run', '--json', '--ignore-scripts']
    const printed: unknown = JSON.parse(execFileSync('npm', args, { cwd: folder, encoding: 'utf8', stdio: 'pipe' }))
    const [packed]: { files: { path: string }[]; size: number }[] = Object.values(Object(printed))
    content = { files: (packed?.files ?? []).map(({ path }) => path), size: packed?.size ?? 0 }
  })
  after(() => rmSync(folder, { recursive: true }))

  it('is what runs, and no source, test, source map or anything that lay beside them', () => {
    assert.deepEqual(
      content.files.filter((path) => !ALLOWED.some((allowed) => allowed.test(path))),
      [],
    )
    assert.ok(content.files.length > 100)
  })

  it('is all that was written: npm leaves nothing out', () => {
    const written = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    assert.equal(content.files.length, written.length)
  })

  it('is downloaded in less than 6 MB', () => {
    assert.ok(content.size < 6_000_000, `${content.size} bytes`)
  })

  it('names the path of nobody’s machine', () => {
    const texts = content.files.filter((path) => /\.(js|mjs|json|html|cache)$/.test(path))
    assert.deepEqual(
      texts.filter((path) => readFileSync(join(folder, path), 'utf8').includes(ROOT)),
      [],
    )
  })

  it('depends on exactly what was tested, by integrity, for every platform', () => {
    const { dependencies, bin, scripts } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    const { packages } = JSON.parse(readFileSync(join(folder, 'npm-shrinkwrap.json'), 'utf8'))
    const own = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')).packages
    assert.deepEqual([Object.keys(dependencies), scripts], [['lmdb'], undefined])
    assert.deepEqual(Object.keys(bin), ['slipway', 'kubectl-slipway'])
    for (const [path, locked] of Object.entries<Record<string, unknown>>(packages)) {
      if (path === '') continue
      assert.deepEqual([path, locked['version'], locked['integrity']], [path, own[path].version, own[path].integrity])
    }
    for (const platform of ['linux-x64', 'linux-arm64', 'darwin-arm64', 'win32-x64'])
      assert.ok(packages[`node_modules/@lmdb/lmdb-${platform}`], platform)
  })
})
