// Builds the browser UI from web/ into dist/ui: hashed assets, each with a brotli and a gzip file beside it.
//
// Its stamp is made of the sources that the last build has read, so a change elsewhere rebuilds nothing.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { tsc } from './tsc.mjs'

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

function isFresh() {
  if (!existsSync(stampFile) || !existsSync(join(output, 'index.html'))) return false
  const { inputs, stamp } = JSON.parse(readFileSync(stampFile, 'utf8'))
  return stampOf(inputs) === stamp
}

const [brotli, zip] = [promisify(brotliCompress), promisify(gzip)]

/** What is served compressed, beside the file itself: the server only chooses. */
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

/** Many packages say "use client", which means something to servers that render React, and nothing here. */
function reportUnlessDirective(level, log, report) {
  if (log.code !== 'MODULE_LEVEL_DIRECTIVE') report(level, log)
}

async function bundle(inputs) {
  const { build } = await import('vite')
  await build({
    ...viteOptions,
    plugins: [rememberInputs(inputs)],
    build: {
      outDir: output,
      emptyOutDir: true,
      target: 'es2022',
      // No asset inside another one: the policy allows no data: script, and hashed files are cached for ever.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      rolldownOptions: { onLog: reportUnlessDirective },
    },
  })
}

/** Builds the UI. @param ifStale true: only when one of its sources has changed */
export async function buildWeb(ifStale) {
  if (ifStale && isFresh()) return
  process.stderr.write('building dist/ui …\n')
  rmSync(stampFile, { force: true })
  const inputs = new Set()
  // The types are checked beside the bundling, which does not look at them.
  await Promise.all([bundle(inputs), tsc(sources, '.tsbuildinfo-ui')])
  const compressible = [...filesBelow(output)].filter((path) => /\.(js|css|html|svg)$/.test(path))
  await Promise.all(compressible.map(compress))
  writeFileSync(stampFile, JSON.stringify({ inputs: [...inputs], stamp: stampOf(inputs) }))
}
