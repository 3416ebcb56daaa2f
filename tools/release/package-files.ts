/**
 * What a user installs, as one folder: the bundles, what they read at run time, and a package.json with the packages that
 * are not bundled, locked as here. The npm tarball and the image are both made of it.
 */
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { lockPackages } from './lock-packages.ts'

/** `tools/build.mjs` leaves it out of the bundles: it has a native part. */
const NOT_BUNDLED = ['lmdb']

/** Paths below the repository's root, with what a build has made; folders whole, but for source maps. */
const FILES = [
  'LICENSE',
  'README.md',
  'charts/slipway/files/agents.yaml',
  'dist/api-docs',
  'dist/bin',
  'dist/build.json',
  'dist/crds.json',
  'dist/ui',
  'tools/node-version.mjs',
  'tools/slipway.mjs',
]

/**
 * Writes the package into `folder`, which is made.
 *
 * @param root folder of the repository, built
 * @param source URL of the repository, "" if it is not known
 */
export function writePackage(root: string, folder: string, source: string): void {
  for (const path of FILES) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    cpSync(join(root, path), join(folder, path), {
      recursive: true,
      filter: (from) => !basename(from).endsWith('.map'),
    })
  }
  const { name, version, description, license, type, engines, bin } = readJson(join(root, 'package.json'))
  const { packages, dependencies } = lockPackages(readJson(join(root, 'package-lock.json')), NOT_BUNDLED)
  const own = { name, version, license, engines, bin, dependencies }
  const repository = source === '' ? {} : { repository: { type: 'git', url: source } }
  writeJson(join(folder, 'package.json'), { ...own, description, type, ...repository })
  const lock = { name, version, lockfileVersion: 3, requires: true, packages: { '': own, ...packages } }
  writeJson(join(folder, 'npm-shrinkwrap.json'), lock)
}

function readJson(path: string): Readonly<Record<string, unknown>> {
  const content: unknown = JSON.parse(readFileSync(path, 'utf8'))
  return { ...Object(content) }
}

function writeJson(path: string, content: object): void {
  writeFileSync(path, `${JSON.stringify(content, undefined, 2)}\n`)
}
