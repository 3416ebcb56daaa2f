/**
 * A setting that the server makes for itself is written into the configuration file once, even when several servers
 * that share the file start together.
 *
 * The first value to appear at `<file>.<key>.new` wins: link(2) makes it appear whole, and for one only. Everybody
 * writes the winner's value into the file, then removes that file. Whoever comes later finds the value in the file, or,
 * having just won an offer of its own, looks into the file once more. A crash at any point leaves an offer that the next
 * start finishes; there is no lock to go stale.
 */
import { chmod, link, mkdir, readFile, realpath, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { isMap, parseDocument } from 'yaml'
import { hasErrorCode, ifThere, writeFileAtomic } from './files.ts'

/** Lost races in a row after which somebody must be removing what we write. */
const ATTEMPTS = 10

/**
 * The value of a top-level `key` in the YAML file at `path`; where there is none, that of `makeValue`, which is then
 * stored. The file keeps its comments, other keys and order, and becomes readable by its owner only (mode 0600).
 *
 * @param unique tells this process from others that share the file
 * @throws the system's error when the file cannot be read or written; Error when it is no YAML mapping
 */
export async function agreeOnSetting(
  path: string,
  key: string,
  makeValue: () => string,
  unique: string,
): Promise<string> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const file = await resolveLinks(path)
  const offerPath = `${file}.${key}.new`
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const stored = await readSetting(file, key)
    if (stored !== undefined) return stored
    const value = (await offer(offerPath, makeValue(), unique)) ?? (await readIfThere(offerPath))?.trim()
    if (value === undefined) continue
    // Between our look and our offer another may have stored its value and removed its offer.
    const agreed = await readSetting(file, key)
    if (agreed === undefined) await storeSetting(file, key, value)
    await rm(offerPath, { force: true })
    return agreed ?? value
  }
  throw new Error(`${path}: the value of ${key} keeps changing hands`)
}

/** The value when it is the first at `offerPath`, else undefined. */
async function offer(offerPath: string, value: string, unique: string): Promise<string | undefined> {
  const own = `${offerPath}.${unique}`
  await writeFileAtomic(own, `${value}\n`, 0o600)
  try {
    await link(own, offerPath)
    return value
  } catch (error) {
    if (hasErrorCode(error, 'EEXIST')) return undefined
    throw error
  } finally {
    await rm(own, { force: true })
  }
}

async function storeSetting(file: string, key: string, value: string): Promise<void> {
  const document = parseMapping(file, (await readIfThere(file)) ?? '')
  document.set(key, value)
  await writeFileAtomic(file, document.toString({ lineWidth: 0 }), 0o600)
  // The mode of a new file is subject to the umask, which may take more than is wanted.
  await chmod(file, 0o600)
}

async function readSetting(file: string, key: string): Promise<string | undefined> {
  const text = await readIfThere(file)
  const value: unknown = text === undefined ? undefined : parseMapping(file, text).get(key)
  return typeof value === 'string' && value !== '' ? value : undefined
}

function parseMapping(file: string, text: string) {
  const document = parseDocument(text)
  const [problem] = document.errors
  if (problem !== undefined) throw new Error(`${file} is not YAML: ${problem.message}`, { cause: problem })
  // null: an empty file, or one with comments only.
  if (document.contents !== null && !isMap(document.contents)) throw new Error(`${file} must hold keys and values`)
  return document
}

function readIfThere(path: string): Promise<string | undefined> {
  return ifThere(readFile(path, 'utf8'))
}

/** A configuration file that is a link stays one: what it leads to is rewritten. */
async function resolveLinks(path: string): Promise<string> {
  return (await ifThere(realpath(path))) ?? path
}
