import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from './commands.ts'

export const CHECKSUMS = 'SHA256SUMS'

/**
 * Packs entries of a folder so that equal content gives an equal file (reproducible-builds.org/docs/archives).
 *
 * @param epoch seconds since 1970 that every file gets as its time; needs GNU tar
 */
export function writeTar(folder: string, entries: readonly string[], file: string, epoch: number): void {
  const same = ['--sort=name', '--owner=0', '--group=0', '--numeric-owner', '--mode=u+rw,go+r-w', `--mtime=@${epoch}`]
  // Without the name and the time that gzip would write.
  const zip = file.endsWith('.tgz') ? ['--use-compress-program', 'gzip --no-name -9'] : []
  run({ cwd: folder }, 'tar', '--create', '--format=ustar', ...same, ...zip, `--file=${file}`, ...entries)
}

/** Writes the SHA-256 of every file of a folder as `sha256sum --check` reads it. @returns the names, sorted */
export function writeChecksums(folder: string): string[] {
  const names = readdirSync(folder)
    .filter((name) => name !== CHECKSUMS)
    .sort()
  const sums = names.map((name) => `${sha256(join(folder, name))}  ${name}\n`)
  writeFileSync(join(folder, CHECKSUMS), sums.join(''))
  return names
}

function sha256(path: string): string {
  return createHash('sha256').update(readFileSync(path)).digest('hex')
}
