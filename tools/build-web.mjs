// Builds the browser UI from web/ into dist/ui: hashed assets, each with a brotli and a gzip file beside it.
//
// Its stamp is made of the sources that the last build has read, so a change elsewhere rebuilds nothing.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const sources = join(root, 'web')
const output = join(root, 'dist', 'ui')
const stampFile = join(root, 'dist', '.stamp-ui')

/** Where `npm run dev:web` and the build find what Vite needs; both use the same. */
export const viteOptions = {
  root: sources,
  configFile: false,
  logLevel: 'warn',
  clearScreen: false,
  // JSX without the plugin: only the development server needs what that adds.
  oxc: { jsx: { runtime: 'automatic' } },
}

function* filesBelow(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) yield* filesBelow(path)
    else yield path
  }
}

/** One hash over name, size and time of every source of the UI. @param inputs files outside web/ that it was made from */
function stampOf(inputs) {
  const own = [...filesBelow(sources)]
  const others = ['tsconfig.json', 'package-lock.json', 'tools/build-web.mjs', ...inputs].map((name) =>
    join(root, name),
  )
  const hash = createHash('sha256')
  for (const path of [...own, ...others].sort((a, b) => (a < b ? -1 : 1))) {
    const found = statSync(path, { throwIfNoEntry: false })
    hash.update(`${path}\0${found?.size}\0${found?.mtimeMs}\n`)
  }
  return hash.digest('hex')
}

/** Whether the last build was made of the sources that are there. */
export function isUiFresh() {
  if (!existsSync(stampFile) || !existsSync(join(output, 'index.html'))) return false
  const { inputs, stamp } = JSON.parse(readFileSync(stampFile, 'utf8'))
  return stampOf(inputs) === stamp
}

const [brotli, zip] = [promisify(brotliCompress), promisify(gzip)]

/** Writes a file compressed, beside itself, so that the server only chooses. */
async function compress(path) {
  const content = readFileSync(path)
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
    [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
  }
  writeFileSync(`${path}.br`, await brotli(content, { params }))
  writeFileSync(`${path}.gz`, await zip(content, { level: constants.Z_BEST_COMPRESSION }))
}

/** Remembers which files outside web/ went into the bundle: those of core/ that the UI uses, and no others. */
function rememberInputs(inputs) {
  return {
    name: 'slipway-inputs',
    buildEnd() {
      for (const id of this.getModuleIds()) {
        const path = relative(root, id.split('?')[0])
        if (
          !id.startsWith('\0') &&
          !path.startsWith('..') &&
          !path.startsWith('web/') &&
          !path.includes('node_modules')
        )
          inputs.add(path)
      }
    },
  }
}

/** What only some views load, though many share it: the board and the lists need neither a form nor a dialog. */
const APART = [
  {
    name: 'forms',
    test: filesNamed(
      'form form-parts form-page fields finding setup use-form use-save field-errors bind-fields new-id',
    ),
    minShareCount: 2,
    priority: 1,
  },
  { name: 'dialog', test: filesNamed('dialog'), priority: 1 },
]

/**
 * Few files in place of many small ones: a browser has six requests under way at a time, and each waits for a turn of the
 * server. What begins the page, what draws it, what many views share; and what lists, views of one record, forms and
 * dialogs share among themselves.
 */
const CHUNKS = [
  { name: 'start', test: /web\/api\/page-connection\.ts$|vite\/preload-helper|rolldown\/runtime/, priority: 4 },
  { name: 'render', test: /web\/app\/render\.tsx$/, priority: 3 },
  ...APART,
  {
    name: 'parts',
    test: (path) =>
      /web\/(components\/(?!tabs)|model\/|api\/)[^/]+$/.test(path) && !APART.some(({ test }) => test.test(path)),
    minShareCount: 6,
    priority: 2,
  },
  {
    name: 'lists',
    test: filesNamed(
      'meter search-field filter-select sum epic-order stories review-notes typed-commands trash chevron-\\w+ arrow-\\w+',
    ),
    minShareCount: 2,
    priority: 1,
  },
  { name: 'work', test: filesNamed('checks check-signs ci saved-views'), minShareCount: 2 },
  {
    name: 'record',
    test: filesNamed(
      'answer-form deciding-note press-later use-focus-back accept-consequence restart-buttons attempts executions limits timeline markdown edit-lines ansi-text',
    ),
    minShareCount: 2,
  },
]

/** @param names what files may be called, without their endings */
function filesNamed(names) {
  return new RegExp(`/(${names.replaceAll(' ', '|')})\\.(tsx?|m?js)$`)
}

/** What `web/app/router.ts` says: the pattern of each view's address, and the module that shows it. */
function readRoutes() {
  const source = readFileSync(join(sources, 'app', 'router.ts'), 'utf8')
  const routes = [...source.matchAll(/path: '([^']+)',(?:(?!path:)[^])*?import\('\.\.\/([^']+)'\)/g)]
  const expected = source.split('createRoute({').length - 1
  if (routes.length !== expected)
    throw new Error(`router.ts has ${expected} views, of which ${routes.length} were read`)
  return routes.map(([, pattern, module]) => ({ pattern, module: join(sources, module) }))
}

/**
 * Writes preload.json: by the pattern of each view's address the files that its first picture needs, the entry's first.
 * The server names them beside the page, so that a browser loads all of them at once in place of one after another.
 */
function listPreloads() {
  return {
    name: 'slipway-preloads',
    generateBundle(_options, bundle) {
      const chunks = Object.values(bundle).filter(({ type }) => type === 'chunk')
      const chunkOf = (module) => chunks.find(({ moduleIds }) => moduleIds.includes(module))
      const withImports = (chunk, seen = new Set()) => {
        if (chunk === undefined) throw new Error('a view has no chunk of its own')
        if (seen.has(chunk)) return seen
        seen.add(chunk)
        for (const name of chunk.imports) withImports(bundle[name], seen)
        return seen
      }
      const [entry] = chunks.filter(({ isEntry }) => isEntry)
      const first = [entry, chunkOf(join(sources, 'app', 'render.tsx'))].flatMap((chunk) => [...withImports(chunk)])
      const filesOf = (module) => {
        const needed = [...new Set([...first, ...withImports(chunkOf(module))])]
        const files = needed.flatMap(({ fileName, viteMetadata }) => [fileName, ...(viteMetadata?.importedCss ?? [])])
        // The page waits for the script of the theme before anything runs: behind the others it would hold up all.
        return ['theme.js', ...new Set(files)].map((name) => `/${name}`)
      }
      const preloads = Object.fromEntries(readRoutes().map(({ pattern, module }) => [pattern, filesOf(module)]))
      this.emitFile({ type: 'asset', fileName: 'preload.json', source: JSON.stringify(preloads) })
    },
  }
}

/** Many packages say "use client", which means something to servers that render React, and nothing here. */
function reportUnlessDirective(level, log, report) {
  if (log.code !== 'MODULE_LEVEL_DIRECTIVE') report(level, log)
}

async function bundle(inputs) {
  const { build } = await import('vite')
  await build({
    ...viteOptions,
    plugins: [rememberInputs(inputs), listPreloads()],
    build: {
      outDir: output,
      emptyOutDir: true,
      target: 'es2022',
      // No asset inside another one: the policy allows no data: script, and hashed files are cached for ever.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      rolldownOptions: { onLog: reportUnlessDirective, output: { codeSplitting: { groups: CHUNKS } } },
    },
  })
}

/** Builds the UI. Its types are checked elsewhere (build.mjs): the bundler does not look at them. */
export async function buildUi() {
  rmSync(stampFile, { force: true })
  const inputs = new Set()
  const before = stampOf([])
  await bundle(inputs)
  const compressible = [...filesBelow(output)].filter((path) => /\.(js|css|html|svg)$/.test(path))
  await Promise.all(compressible.map(compress))
  // What was edited while it was built may be in it or not.
  if (stampOf([]) === before) writeFileSync(stampFile, JSON.stringify({ inputs: [...inputs], stamp: stampOf(inputs) }))
}
