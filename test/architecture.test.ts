import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, posix, relative } from 'node:path'

const ROOT = join(import.meta.dirname, '..', '..')

/** Which folders each source folder may import from, besides itself. A new folder must be entered here first. */
const LAYERS: Readonly<Record<string, readonly string[]>> = {
  core: [],
  lib: ['core'],
  kube: ['core', 'lib'],
  operator: ['core', 'lib', 'kube'],
  'api-server': ['core', 'lib', 'kube'],
  runner: ['core', 'lib'],
  node: ['lib', 'kube'],
  embedded: ['lib'],
  web: ['core'],
  cli: ['core', 'lib', 'kube', 'operator', 'api-server', 'runner', 'node', 'embedded', 'web'],
  tools: ['core'],
  bench: ['core', 'lib', 'kube', 'operator', 'api-server', 'runner', 'node', 'embedded', 'web', 'cli'],
  test: ['core', 'lib', 'kube', 'operator', 'api-server', 'runner', 'node', 'embedded', 'web', 'cli', 'tools', 'bench'],
}

/** Folders that may import every program, so that the linter has nothing to refuse beyond tests and tools. */
const UNRESTRICTED = ['test', 'bench']

const SOURCE = /\.tsx?$/
const IMPORT = /^\s*(?:import|export)\b[^'"(=]*?from\s+'([^']+)'|^\s*import\s+'([^']+)'|\bimport\('([^']+)'\)/gm

describe('the layers', () => {
  const folders = sourceFolders()

  it('list every folder with sources', () => {
    assert.deepEqual(
      folders.filter((folder) => LAYERS[folder] === undefined),
      [],
    )
  })

  it('are described in docs/architecture.md', () => {
    const page = readFileSync(join(ROOT, 'docs', 'architecture.md'), 'utf8')
    assert.deepEqual(
      folders.filter((folder) => !page.includes(`\`${folder}/\``)),
      [],
    )
  })

  it('are walked through in docs/architecture.md by paths that exist', () => {
    const page = readFileSync(join(ROOT, 'docs', 'architecture.md'), 'utf8')
    const walks = page.slice(page.indexOf('## Where to begin'), page.indexOf('## What survives what'))
    const paths = [...walks.matchAll(/`([\w-]+\/[\w./-]+)`/g)].flatMap(([, path]) => path ?? [])
    assert.ok(paths.length > 20)
    assert.deepEqual(
      paths.filter((path) => !existsSync(join(ROOT, path))),
      [],
    )
  })

  it('are compiled, each of them', () => {
    const { include } = JSON.parse(readFileSync(join(ROOT, 'tsconfig.json'), 'utf8')) as { include: string[] }
    assert.deepEqual(
      folders.filter((folder) => folder !== 'web' && !include.includes(folder)),
      [],
    )
  })

  for (const folder of folders)
    it(`hold for every import in ${folder}/`, () => {
      const allowed = [folder, ...(LAYERS[folder] ?? [])]
      const found = importsOf(folder).filter(({ target }) => !allowed.includes(target))
      assert.deepEqual(found, [])
    })

  it('keep client-node in kube/ alone', () => {
    const others = folders.filter((folder) => !['kube', 'test', 'bench'].includes(folder))
    const users = others.flatMap((folder) =>
      filesBelow(join(ROOT, folder)).filter((file) =>
        specifiers(file).some((name) => name.startsWith('@kubernetes/client-node')),
      ),
    )
    assert.deepEqual(users, [])
  })

  it('keep node: modules and packages other than typebox out of core/', () => {
    const foreign = filesBelow(join(ROOT, 'core')).flatMap((file) =>
      specifiers(file).filter((name) => !name.startsWith('.')),
    )
    assert.deepEqual(
      foreign.filter((name) => name !== 'typebox' && !name.startsWith('typebox/')),
      [],
    )
  })
})

describe('the linter', () => {
  let folder: string

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'slipway-layers-'))
    copyFileSync(join(ROOT, '.oxlintrc.json'), join(folder, '.oxlintrc.json'))
  })

  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  const restricted = Object.keys(LAYERS).filter(
    (name) => !UNRESTRICTED.includes(name) && sourceFolders().includes(name),
  )

  for (const from of restricted)
    it(`refuses in ${from}/ exactly the imports that the layers forbid`, () => {
      const targets = Object.keys(LAYERS).filter((to) => to !== from)
      for (const to of targets) write(`${from}/deep/imports-${to}.ts`, `export * from '../../${to}/thing.ts'\n`)
      const output = lint()
      const refused = targets.filter((to) => output.includes(`imports-${to}.ts`))
      const forbidden = targets.filter((to) => LAYERS[from]?.includes(to) !== true)
      assert.deepEqual(refused, forbidden)
    })

  it('refuses a node: module, a package and a clock in core/', () => {
    write('core/file.ts', "import { readFileSync } from 'node:fs'\nexport const read = readFileSync\n")
    write('core/package.ts', "import { parse } from 'yaml'\nexport const read = parse\n")
    write('core/clock.ts', 'export const now = () => new Date()\n')
    write('core/typebox.ts', "import { Type } from 'typebox'\nexport const read = Type\n")
    const output = lint()
    assert.deepEqual(
      ['file', 'package', 'clock', 'typebox'].filter((name) => output.includes(`${name}.ts`)),
      ['file', 'package', 'clock'],
    )
  })

  function write(path: string, content: string): void {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), content)
  }

  /** What the linter says about the temporary folder, one file name per finding of the layer rules. */
  function lint(): string {
    const oxlint = join(ROOT, 'node_modules', 'oxlint', 'bin', 'oxlint')
    const run = spawnSync(process.execPath, [oxlint, '--format', 'unix', '.'], { cwd: folder, encoding: 'utf8' })
    return run.stdout
      .split('\n')
      .filter((line) => line.includes('no-restricted-'))
      .join('\n')
  }
})

/** Top-level folders that hold TypeScript. */
function sourceFolders(): string[] {
  const skip = /^(\.|node_modules$|dist)/
  const folders = readdirSync(ROOT, { withFileTypes: true }).filter(
    (entry) => entry.isDirectory() && !skip.test(entry.name),
  )
  return folders.map(({ name }) => name).filter((name) => filesBelow(join(ROOT, name)).length > 0)
}

function filesBelow(folder: string): string[] {
  const entries = readdirSync(folder, { withFileTypes: true, recursive: true })
  return entries
    .filter((entry) => entry.isFile() && SOURCE.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !path.includes(`node_modules`))
}

function specifiers(file: string): string[] {
  const matches = readFileSync(file, 'utf8').matchAll(IMPORT)
  return [...matches].flatMap(([, from, bare, dynamic]) => from ?? bare ?? dynamic ?? [])
}

/** The relative imports of a folder, each with the top-level folder it leads to. */
function importsOf(folder: string): { readonly file: string; readonly target: string }[] {
  return filesBelow(join(ROOT, folder)).flatMap((file) => {
    const path = relative(ROOT, file)
    const inside = specifiers(file).filter((name) => name.startsWith('.'))
    return inside.map((name) => ({
      file: `${path} → ${name}`,
      target: topFolder(posix.join(posix.dirname(path), name)),
    }))
  })
}

function topFolder(path: string): string {
  return path.split('/')[0] ?? path
}
