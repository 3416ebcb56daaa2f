/** The file by which a clone borrows objects: which mirror it names. */
import { mirrorsPath } from './layout.ts'

/** One generation of the mirrors of a repository. */
export interface Generation {
  /** Of the repository (layout.ts). */
  readonly key: string
  readonly number: number
}

/** Of a clone, from its folder. */
export const ALTERNATES_PATH = '.git/objects/info/alternates'

/** From the objects of a clone to the root of the data volume. */
const TO_ROOT = '../../../../..'

/** The only content that the alternates file of a clone may have. Relative, since each container mounts the volume elsewhere. */
export function formatAlternates({ key, number }: Generation): string {
  return `${TO_ROOT}/${mirrorsPath(key)}/${number}/objects\n`
}

/** Where {@link formatAlternates} leads to; undefined for any other text. */
export function parseAlternates(text: string): Generation | undefined {
  const [, key = '', number] = /\/([0-9a-f]{32})\/mirrors\/([1-9][0-9]{0,8})\/objects\n$/.exec(text) ?? []
  const generation = { key, number: Number(number) }
  return text === formatAlternates(generation) ? generation : undefined
}
