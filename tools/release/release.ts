/**
 * Makes the files of a release from the last commit, and from nothing else: the commit is exported, its packages are
 * installed from the lock file, and it is built there. Times in the files are the commit's, so that two runs for one
 * commit give the same files.
 */
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
import { join, resolve } from 'node:path'
import { writeChecksums } from './archive.ts'
import { writeBillOfMaterials } from './bill-of-materials.ts'
import { findCharts, writeCharts } from './charts.ts'
import { capture, ReleaseError, requireProgram, run } from './commands.ts'
import { writeImages } from './images.ts'
import { releaseNotes } from './notes.ts'
import type { ReleaseOptions } from './options.ts'
import { writePackage } from './package-files.ts'

/**
 * Writes the files of a release.
 *
 * @param root folder of the repository
 * @param say takes one line for people per step
 * @returns the names of the files
 * @throws ReleaseError before anything is built, if something is missing
 */
export function makeRelease(root: string, options: ReleaseOptions, say: (line: string) => void): string[] {
  const folder = resolve(options.folder)
  requireTools(options)
  requireEmpty(folder)
  const commit = capture({ cwd: root }, 'git', 'rev-parse', 'HEAD')
  const epoch = Number(capture({ cwd: root }, 'git', 'log', '-1', '--format=%ct'))
  if (capture({ cwd: root }, 'git', 'status', '--porcelain') !== '') say('changes that are not committed are left out')
  const work = mkdtempSync(join(tmpdir(), 'slipway-release-'))
  try {
    const tree = exportCommit(root, work, commit)
    const version = readVersion(tree)
    const { source, tag } = options
    const notes = releaseNotes(readFileSync(join(tree, 'CHANGELOG.md'), 'utf8'), { version, tag, commit, source })
    say(`building ${version} of commit ${commit}`)
    build(tree, commit, epoch)
    mkdirSync(folder, { recursive: true })
    writeTarball(tree, work, join(folder, `slipway-cli-${version}.tgz`), source)
    writeBillOfMaterials(tree, join(folder, `slipway-${version}.cdx.json`), epoch)
    writeFileSync(join(folder, 'RELEASE-NOTES.md'), notes)
    if (options.withCharts) packCharts(tree, work, folder, { version, epoch }, say)
    if (options.withImages) {
      say('building the images')
      writeImages(work, folder, { ...options, context: tree, version, commit, epoch })
    }
    return writeChecksums(folder)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

function requireTools({ withImages, withCharts }: ReleaseOptions): void {
  if (withImages)
    requireProgram(
      'buildah',
      'install it (apt-get install buildah; Linux only), or leave the images out with --without-images',
    )
  if (withCharts) requireProgram('helm', 'install it (helm.sh/docs), or leave the charts out with --without-charts')
}

function requireEmpty(folder: string): void {
  if (existsSync(folder) && readdirSync(folder).length > 0)
    throw new ReleaseError(`${folder} is not empty: name another folder, or remove what is in it`)
}

/** Without .git, node_modules, dist/ and whatever else lies beside the commit's files. */
function exportCommit(root: string, work: string, commit: string): string {
  const tree = join(work, 'tree')
  mkdirSync(tree)
  run({ cwd: root }, 'git', 'archive', '--format=tar', `--output=${tree}.tar`, commit)
  run({ cwd: tree }, 'tar', '--extract', `--file=${tree}.tar`)
  return tree
}

function readVersion(tree: string): string {
  const { version }: { version: unknown } = JSON.parse(readFileSync(join(tree, 'package.json'), 'utf8'))
  return String(version)
}

function build(tree: string, commit: string, epoch: number): void {
  run({ cwd: tree }, 'npm', 'ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error')
  const env = { SLIPWAY_COMMIT: commit, SOURCE_DATE_EPOCH: String(epoch) }
  run({ cwd: tree, env }, process.execPath, join('tools', 'build.mjs'), '--programs')
}

/** The command line as npm packs it, which gives the same file for the same content; not under the chart's file name. */
function writeTarball(tree: string, work: string, file: string, source: string): void {
  const files = join(work, 'package')
  writePackage(tree, files, source)
  const packed = capture(
    { cwd: files },
    'npm',
    'pack',
    '--ignore-scripts',
    '--loglevel=error',
    `--pack-destination=${work}`,
  )
  copyFileSync(join(work, packed), file)
}

function packCharts(
  tree: string,
  work: string,
  folder: string,
  release: { version: string; epoch: number },
  say: (line: string) => void,
): void {
  if (findCharts(tree).length === 0) say('charts/ holds no Chart.yaml, so there is no chart to pack')
  writeCharts(tree, work, folder, release)
}
