import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { writeTar } from './archive.ts'
import { run } from './commands.ts'

/** The folders below charts/ that are charts, by their names; a folder without Chart.yaml is none. */
export function findCharts(root: string): string[] {
  const folders = readdirSync(join(root, 'charts')).sort()
  return folders.filter((name) => existsSync(join(root, 'charts', name, 'Chart.yaml')))
}

/**
 * Packs every chart with the release's version, as `helm package` does, and again without the times that helm writes.
 *
 * @param work folder for what comes between
 * @throws ReleaseError if helm refuses a chart
 */
export function writeCharts(
  root: string,
  work: string,
  folder: string,
  release: { version: string; epoch: number },
): void {
  const { version, epoch } = release
  for (const name of findCharts(root)) {
    const packed = join(work, 'charts', name)
    mkdirSync(packed, { recursive: true })
    const versions = ['--version', version, '--app-version', version]
    run({ cwd: root }, 'helm', 'package', join('charts', name), ...versions, '--destination', packed)
    run({ cwd: packed }, 'tar', '--extract', '--touch', '--gzip', `--file=${name}-${version}.tgz`)
    writeTar(packed, [name], join(folder, `${name}-${version}.tgz`), epoch)
  }
}
