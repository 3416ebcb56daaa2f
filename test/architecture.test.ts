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
import { STEPS } from '../core/execution/steps.ts'
import { LAYERS, LEVELS, OPEN, UNRESTRICTED } from '../tools/layers.ts'

const ROOT = join(import.meta.dirname, '..', '..')

const SOURCE = /\.tsx?$/
const IMPORT = /^\s*(?:import|export)\b[^'"(=]*?from\s+'([^']+)'|^\s*import\s+'([^']+)'|\bimport\('([^']+)'\)/gm
/** In compiled code, where no type is imported. */
const STATIC_IMPORT = /^(?:import|export)\b[^'"(=]*?from\s+'([^']+)'/gm

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
      const found = arrows([folder]).filter(([, to]) => !allowed.includes(topFolder(to)))
      assert.deepEqual(found, [])
    })

  for (const [folder, levels] of Object.entries(LEVELS)) {
    it(`name everything in ${folder}/ on one level`, () => {
      const entries = readdirSync(join(ROOT, folder))
      assert.deepEqual(levels.flat().toSorted(), entries.toSorted())
    })

    it(`stand on what is below them in ${folder}/`, () => {
      const levelOf = (path: string): number => levels.findIndex((units) => units.includes(path.split('/')[1] ?? ''))
      const unitOf = (path: string): string => path.split('/', 2).join('/')
      const found = arrows([folder]).filter(
        ([from, to]) =>
          topFolder(to) === folder &&
          unitOf(from) !== unitOf(to) &&
          levelOf(from) + (OPEN.includes(folder) ? 0 : 1) > levelOf(to),
      )
      assert.deepEqual(found, [])
    })
  }

  // The linter looks for circles too, but not through generated files or an import at run time.
  it('have no circle of files, types included', () => {
    const imports = new Map<string, string[]>()
    for (const [from, to] of arrows(folders.filter((folder) => !UNRESTRICTED.includes(folder))))
      imports.set(from, [...(imports.get(from) ?? []), to])
    const done = new Set<string>()
    const visit = (file: string, path: readonly string[]): void => {
      if (path.includes(file)) assert.fail([...path.slice(path.indexOf(file)), file].join(' → '))
      if (done.has(file)) return
      for (const to of imports.get(file) ?? []) visit(to, [...path, file])
      done.add(file)
    }
    for (const file of imports.keys()) visit(file, [])
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

  // The library of schemas takes longer to load than all the rest of a runner, and three start per task.
  it('keep typebox out of what a step of the runner loads at its start', () => {
    const loaded = new Set(['dist/runner/main.js', ...STEPS.map((name) => `dist/runner/steps/${name}.js`)])
    for (const file of loaded)
      for (const [, name = ''] of readFileSync(join(ROOT, file), 'utf8').matchAll(STATIC_IMPORT))
        if (name.startsWith('.')) loaded.add(posix.join(posix.dirname(file), name))
        else assert.notEqual(name, 'typebox', file)
    assert.ok(loaded.has('dist/runner/agent/inbox.js'))
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

  for (const [folder, levels] of Object.entries(LEVELS))
    it(`refuses in ${folder}/ exactly the imports that its levels forbid`, () => {
      const units = levels.flatMap((names, level) =>
        names.map((name) => ({ name, level, isFile: name.endsWith('.ts') })),
      )
      const expected: string[] = []
      // What is generated is not linted; the imports themselves are looked at above.
      for (const { name, level, isFile } of units.filter((unit) => unit.name !== 'crd')) {
        const others = units.filter((other) => other.name !== name)
        const path = isFile ? `${folder}/${name}` : `${folder}/${name}/thing.ts`
        const imports = others.map((other) => `${isFile ? '.' : '..'}/${other.name}${other.isFile ? '' : '/thing.ts'}`)
        write(path, imports.map((target) => `export * from '${target}'\n`).join(''))
        expected.push(
          ...others.flatMap((other, i) =>
            other.level < level + (OPEN.includes(folder) ? 0 : 1) ? [`${path}:${i + 1}`] : [],
          ),
        )
      }
      const refused = [...lint().matchAll(/^(\S+?\.ts:\d+):/gm)].flatMap(([, place]) => place ?? [])
      assert.deepEqual(refused.toSorted(), expected.toSorted())
    })

  it('keeps features of the UI apart, its components without data, and its model pure', () => {
    write('web/features/a/of-another.ts', "export * from '../b/thing.ts'\n")
    write('web/features/a/of-itself.ts', "export * from './thing.ts'\nexport * from '../../api/thing.ts'\n")
    write('web/components/fetches.ts', "export * from '@tanstack/react-query'\n")
    write('web/components/draws.ts', "export * from 'react'\nexport * from '../model/thing.ts'\n")
    write('web/model/impure.ts', "export * from 'react'\n")
    write('web/api/on-a-server.ts', "export * from 'node:fs'\n")
    const output = lint()
    assert.deepEqual(
      ['of-another', 'of-itself', 'fetches', 'draws', 'impure', 'on-a-server'].filter((name) => output.includes(name)),
      ['of-another', 'fetches', 'impure', 'on-a-server'],
    )
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

/** The relative imports of folders, as pairs of paths: who imports whom. */
function arrows(folders: readonly string[]): (readonly [from: string, to: string])[] {
  return folders.flatMap((folder) =>
    filesBelow(join(ROOT, folder)).flatMap((file) => {
      const path = relative(ROOT, file)
      const inside = specifiers(file).filter((name) => name.startsWith('.'))
      return inside.map((name) => [path, posix.join(posix.dirname(path), name)] as const)
    }),
  )
}

function topFolder(path: string): string {
  return path.split('/')[0] ?? path
}
