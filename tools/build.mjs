// Builds dist/: one bundle per program that ships, the UI, and by `tsc` what tests and tools run, which checks the types.
//
// Plain JavaScript, because it has to run before anything is compiled. `--programs` leaves out what only tests and tools
// need, so that a fresh clone starts soon. `--if-stale` builds nothing whose sources are those of the last build.
import './node-version.mjs'
import { buildUi, isUiFresh } from './build-web.mjs'
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  mkdirSync,
} from 'node:fs'
import { createHash } from 'node:crypto'
import { createRequire } from 'node:module'
import { basename, dirname, join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { tsc } from './tsc.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const sourceFolders = JSON.parse(readFileSync(join(root, 'tsconfig.json'), 'utf8')).include
const shippedFolders = sourceFolders.filter((name) => !['test', 'bench'].includes(name))

/** Code that is not in git: nobody reads it, and what it is made from is. */
const MADE = ['core/crd/schemas.ts', 'runner/validators.ts', 'lib/config-validator.ts'].map((path) => join(root, path))

function* filesBelow(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) yield* filesBelow(path)
    else if (/\.(ts|mjs|js|tsx|css|html|json|yaml|jsonl|txt|csv|md)$/.test(entry.name)) yield path
  }
}

/** What was built last, and of which sources: the file says so by one hash over name, size and time of each. */
function stampOf(name, folders) {
  const hash = createHash('sha256')
  const single = ['package.json', 'package-lock.json', 'tsconfig.json'].map((file) => join(root, file))
  // An image is built without tests.
  const there = folders.map((name) => join(root, name)).filter((path) => existsSync(path))
  for (const folder of there) single.push(...filesBelow(folder))
  for (const path of single.filter((one) => !MADE.includes(one)).sort((a, b) => (a < b ? -1 : 1))) {
    const { size, mtimeMs } = statSync(path)
    hash.update(`${path}\0${size}\0${mtimeMs}\n`)
  }
  const [file, sources] = [join(root, 'dist', name), hash.digest('hex')]
  return {
    isFresh: () => existsSync(file) && readFileSync(file, 'utf8') === sources,
    remove: () => rmSync(file, { force: true }),
    write: () => writeFileSync(file, sources),
  }
}

/** A module of tools/ with what it imports of the program, before tsc has compiled anything. */
async function load(source) {
  const { build } = await import('esbuild')
  const outfile = join(root, 'dist', '.made', source.replace(/ts$/, 'mjs'))
  const how = { bundle: true, packages: 'external', platform: 'node', format: 'esm', logLevel: 'error' }
  await build({ ...how, absWorkingDir: root, entryPoints: [join('tools', source)], outfile })
  return import(pathToFileURL(outfile))
}

/** Makes the code that the rest is compiled with. A file that is right stays untouched: tsc and the UI go by its time. */
async function makeCode() {
  const [schemas, ...validators] = MADE
  const write = (path, content) => {
    if (!existsSync(path) || readFileSync(path, 'utf8') !== content) writeFileSync(path, content)
  }
  const { renderSchemas } = await load('crd-schemas.ts')
  write(schemas, renderSchemas(join(root, 'crds')))
  // These are made from schemas of requests, which take their limits from those of the kinds.
  const { renderRunnerValidators, renderConfigValidator } = await load('validators.ts')
  const contents = [renderRunnerValidators(), renderConfigValidator()]
  validators.forEach((path, i) => write(path, contents[i]))
  rmSync(join(root, 'dist', '.made'), { recursive: true })
}

/** Names stay, for stack traces that say something without the map. */
const bundling = {
  absWorkingDir: root,
  outdir: 'dist/bin',
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  sourcemap: true,
  minifyWhitespace: true,
  minifySyntax: true,
  logLevel: 'error',
}

/** The folder of a package that another one uses. */
function ownOf(user, name) {
  const ofUser = createRequire(join(root, 'node_modules', user, 'package.json'))
  return dirname(ofUser.resolve(`${name}/package.json`))
}

/**
 * Of client-node's configuration we use what reads kubeconfigs and logs in. It also imports the classes of every resource
 * (430 KB) and all of undici (300 KB), which each program in a cluster would hold in memory for ever.
 */
const slimClientNode = {
  name: 'slim-client-node',
  setup({ onResolve, onLoad }) {
    const namespace = 'slim-client-node'
    onResolve({ filter: /^undici$/ }, ({ importer }) =>
      importer.includes('client-node') ? { path: join(root, 'kube', 'undici.ts') } : undefined,
    )
    onResolve({ filter: /^\.\/gen\/index\.js$/ }, ({ importer, path }) =>
      importer.endsWith('/client-node/dist/config.js') ? { path, namespace } : undefined,
    )
    // As config.js calls them in makeApiClient alone.
    onLoad({ filter: /^/, namespace }, () => ({
      contents: `export class ServerConfiguration {}
        export function createConfiguration() { throw new Error("client-node's generated classes are not bundled") }`,
    }))
  },
}

/** CommonJS dependencies inside an ES module bundle still call require(). */
const requiring = {
  js: "import { createRequire as slipwayRequire } from 'node:module';const require = slipwayRequire(import.meta.url);",
}

/**
 * Puts what every command loads into one file. The bundler cuts it into some fifty, by which parts share what, and to open
 * them takes a third of the time of a short command. Parts that are loaded later find it under the names of those files.
 */
async function joinStart(build, outputs) {
  const isMain = ([, { entryPoint }]) => entryPoint === 'cli/main.ts'
  const [main] = Object.entries(outputs).find(isMain)
  const start = new Set([main])
  for (const path of start)
    for (const { path: next, kind } of outputs[path].imports)
      if (kind === 'import-statement' && outputs[next]) start.add(next)
  const parts = [...start].map((path, i) => ({
    path: join(root, path),
    from: `./${basename(path)}`,
    names: outputs[path].exports.map((name) => ({ name, joined: path === main ? name : `part${i}_${name}` })),
  }))
  const listNames = (names, write) => `export {${names.map(write).join(', ')}}`
  const contents = parts.map(
    ({ from, names }) => `${listNames(names, ({ name, joined }) => `${name} as ${joined}`)} from '${from}'\n`,
  )
  const later = Object.keys(outputs).filter((path) => !start.has(path))
  const joined = await build({
    ...bundling,
    stdin: { contents: contents.join(''), resolveDir: join(root, 'dist', 'bin') },
    outdir: undefined,
    outfile: main,
    external: ['lmdb', ...later.map((path) => `./${basename(path)}`)],
    write: false,
  })
  for (const { path, names } of parts) {
    rmSync(`${path}.map`)
    writeFileSync(
      path,
      `${listNames(names, ({ name, joined }) => `${joined} as ${name}`)} from './${basename(main)}'\n`,
    )
  }
  for (const { path, contents } of joined.outputFiles) writeFileSync(path, contents)
}

async function bundle() {
  const { build } = await import('esbuild')
  const { metafile } = await build({
    ...bundling,
    metafile: true,
    entryPoints: { slipway: 'cli/slipway.ts' },
    // A module imported only when needed is a file of its own, which other starts need not even parse.
    splitting: true,
    external: ['lmdb'],
    plugins: [slimClientNode],
    // Koa's parts bring three copies of the same table of content types, each read at every start.
    alias: { 'mime-db': ownOf('koa', 'mime-db'), 'mime-types': ownOf('koa', 'mime-types') },
    banner: requiring,
  })
  await joinStart(build, metafile.outputs)
  await bundleRunner(build)
  // Beside the runner, where sandboxes see them.
  await build({ ...bundling, entryPoints: { replay: 'cli/demo/replay-main.ts' } })
  for (const name of ['recordings', 'shop'])
    cpSync(join(root, 'cli', 'demo', name), join(root, 'dist', 'bin', name), { recursive: true })
  await build({
    ...bundling,
    entryPoints: { 'store-check': 'embedded/storage/store-check.ts' },
    external: ['lmdb'],
  })
  for (const name of ['slipway.js', 'runner/runner.js']) chmodSync(join(root, 'dist', 'bin', name), 0o755)
}

/** The runner, as runner/start.ts reads it: a folder that needs no other. */
async function bundleRunner(build) {
  const folder = join(root, 'dist', 'bin', 'runner')
  // What CommonJS imports is loaded when it is first used, and it starts 5 ms sooner than a module.
  const common = { ...bundling, outdir: folder, format: 'cjs', supported: { 'dynamic-import': false } }
  const here = { 'import.meta.dirname': '__dirname' }
  await build({ ...common, entryPoints: { runner: 'runner/start.ts' }, define: here })
  const asFunction = {
    banner: { js: '(function(require){"use strict";const module={exports:{}};' },
    footer: { js: ';return module.exports})' },
  }
  await build({ ...common, entryPoints: { program: 'runner/main.ts' }, ...asFunction })
  writeFileSync(join(folder, 'package.json'), '{"type":"commonjs"}\n')
  // So V8 makes the same of the same program each time.
  const compile = ['--predictable', join(root, 'tools', 'compile-runner.mjs'), folder]
  const made = spawnSync(process.execPath, compile, { encoding: 'utf8' })
  if (made.status !== 0) throw new Error(`the runner does not load: ${made.stderr}`)
}

/** The page at /api/docs with its renderer, which is a development dependency: what ships needs no packages. */
function apiDocs() {
  const folder = join(root, 'dist', 'api-docs')
  const page = join(root, 'api-server', 'http', 'docs-page')
  const renderer = join(root, 'node_modules', 'swagger-ui-dist')
  mkdirSync(folder)
  for (const name of ['page.html', 'page.js']) copyFileSync(join(page, name), join(folder, name))
  for (const [from, to] of [
    ['swagger-ui.css', 'swagger-ui.css'],
    ['swagger-ui-bundle.js', 'swagger-ui.js'],
  ]) {
    // Source maps do not ship, so nothing may refer to them.
    const source = readFileSync(join(renderer, from), 'utf8').replace(
      /\n?\/[/*]# sourceMappingURL=\S+( ?\*\/)?\s*$/,
      '\n',
    )
    writeFileSync(join(folder, to), source)
  }
  for (const name of ['LICENSE', 'NOTICE']) copyFileSync(join(renderer, name), join(folder, name))
}

/** The CRDs in the form that a start reads fastest; what people read and the chart ships is the YAML. */
async function crds() {
  const { parse } = await import('yaml')
  const files = readdirSync(join(root, 'crds')).filter((name) => name.endsWith('.yaml'))
  return files.sort().map((name) => parse(readFileSync(join(root, 'crds', name), 'utf8')))
}

/** What tsc made of sources that are gone: it only adds, and mocha would go on running their tests. */
function removeOrphans() {
  for (const folder of [...sourceFolders, 'web']) {
    const compiled = join(root, 'dist', folder)
    if (!existsSync(compiled)) continue
    for (const path of filesBelow(compiled)) {
      const source = join(root, relative(join(root, 'dist'), path)).replace(/\.js$/, '.ts')
      if (path.endsWith('.js') && !existsSync(source))
        for (const end of ['', '.map']) rmSync(path + end, { force: true })
    }
  }
}

/**
 * What the build says of itself at GET /api/version. An image is built without .git and is told its commit, and its time
 * as well if the same sources are to give the same image (reproducible-builds.org/docs/source-date-epoch).
 */
function buildFacts() {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const { SLIPWAY_COMMIT: commit = headCommit(), SOURCE_DATE_EPOCH: epoch } = process.env
  const builtAt = epoch ? new Date(Number(epoch) * 1000) : new Date()
  return { version, commit, builtAt: builtAt.toISOString() }
}

function headCommit() {
  const git = spawnSync('git', ['-C', root, 'rev-parse', '--verify', '--quiet', 'HEAD'], { encoding: 'utf8' })
  return git.status === 0 ? git.stdout.trim() : ''
}

if (!existsSync(join(root, 'node_modules', 'typescript'))) {
  process.stderr.write('the packages that Slipway is made from are not installed: run "npm ci" first\n')
  process.exit(1)
}
const ifStale = process.argv.includes('--if-stale')
const isWhole = !process.argv.includes('--programs')
mkdirSync(join(root, 'dist'), { recursive: true })

const programs = stampOf('.stamp-programs', [...shippedFolders, 'crds'])
// Tests compile the pure parts of web/ as well.
const compiled = stampOf('.stamp', [...sourceFolders, 'crds', 'web'])
const areCodesThere = MADE.every((path) => existsSync(path))

async function buildPrograms() {
  // A build that fails half way is stale, and what is left of the last one must not stay beside it.
  programs.remove()
  for (const made of ['bin', 'api-docs']) rmSync(join(root, 'dist', made), { recursive: true, force: true })
  await bundle()
  apiDocs()
  writeFileSync(join(root, 'dist', 'crds.json'), JSON.stringify(await crds()))
  writeFileSync(join(root, 'dist', 'build.json'), JSON.stringify(buildFacts()))
  programs.write()
}

async function compile() {
  compiled.remove()
  removeOrphans()
  await Promise.all([tsc(root, '.tsbuildinfo'), tsc(join(root, 'web'), '.tsbuildinfo-ui')])
  compiled.write()
}

const jobs = [
  { what: 'the programs', isFresh: programs.isFresh() && areCodesThere, build: buildPrograms },
  { what: 'the UI', isFresh: isUiFresh(), build: buildUi },
  ...(isWhole ? [{ what: 'tests and tools, with types checked', isFresh: compiled.isFresh(), build: compile }] : []),
].filter(({ isFresh }) => !(ifStale && isFresh))

async function show({ what, build }) {
  const start = performance.now()
  await build()
  process.stderr.write(`  built ${what} in ${((performance.now() - start) / 1000).toFixed(1)} s\n`)
}

if (jobs.length > 0) {
  process.stderr.write(`building dist/: ${jobs.map(({ what }) => what).join('; ')} …\n`)
  await makeCode()
  await Promise.all(jobs.map(show))
}
