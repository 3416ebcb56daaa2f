/**
 * To which namespace of which control plane the folders of a data volume belong: the mark that keeps an operator from
 * sweeping the volume of another, or that of objects which were lost (specification §3.24).
 */
import { countOf, formatCount } from '../sentences/amounts.ts'
import { asRecord, parseObject } from '../json.ts'

/** The mark of a namespace, on the volume; absent parts are as with earlier versions. */
export interface Belonging {
  /** metadata.uid of the Namespace: another control plane gives the same name another uid. */
  readonly uid?: string | undefined
  /** What an operator found in the way, until a person decides. */
  readonly held?: HeldVolume | undefined
  /** What a person let go of it, for the next sweep. */
  readonly adopted?: Omit<HeldVolume, 'text'> | undefined
}

export interface HeldVolume {
  /** The Namespace's uid, as the operator knows it. */
  readonly uid: string
  /** Folders without a task or execution that still is. */
  readonly unowned: number
  readonly text: string
}

/** Relative to the volume. */
export function belongingPath(namespace: string): string {
  return `${BELONGINGS_PATH}/${namespace}.json`
}

export const BELONGINGS_PATH = 'belongs'

export function formatBelonging(belonging: Belonging): string {
  return `${JSON.stringify(belonging)}\n`
}

/** A field that this version would not write counts as absent: then the folders themselves decide. */
export function parseBelonging(text: string): Belonging {
  const { uid, held, adopted } = parseObject(text)
  const found = { held: toHeld(held), adopted: toHeld(adopted) }
  return {
    ...(typeof uid === 'string' && uid !== '' && { uid }),
    ...(found.held !== undefined && { held: found.held }),
    ...(found.adopted !== undefined && { adopted: found.adopted }),
  }
}

function toHeld(value: unknown): HeldVolume | undefined {
  const { uid, unowned, text = '' } = asRecord(value)
  if (typeof uid !== 'string' || typeof unowned !== 'number' || typeof text !== 'string') return undefined
  return { uid, unowned, text }
}

/** On a volume that is known to be ours, a sweep removes at most so many folders, or such a share of all, without asking. */
const [FEW, SHARE] = [10, 0.1]

/** Whether a sweep has to ask first: while an operator looks on, deletions are told of, and few are found afterwards. */
export function isTooMuch(unowned: number, folders: number, allowed = 0): boolean {
  return unowned > Math.max(FEW, folders * SHARE, allowed)
}

/** Whether a volume without a mark, as earlier versions left it, is that of the objects that are here. */
export function isOurs(unowned: number, folders: number): boolean {
  return unowned * 2 <= folders
}

const WAY_OUT =
  'Bring the objects back with slipway import, or decide with slipway adopt that this volume stays and the folders without an owner go'

/** @param was uid of the mark; undefined: the volume bears none */
export function describeForeign(namespace: string, was: string | undefined, unowned: number, folders: number): string {
  const whose =
    was === undefined ? 'bears no mark' : `belongs to another control plane (its namespace has the uid ${was})`
  return `the data volume of the namespace ${namespace} ${whose}, and ${ownerless(unowned, folders)}: nothing is removed, and no task starts. ${WAY_OUT}`
}

export function describeLoss(unowned: number, folders: number): string {
  return `on the data volume ${ownerless(unowned, folders)}, more than a sweep removes unasked: nothing is removed. ${WAY_OUT}`
}

function ownerless(unowned: number, folders: number): string {
  return `${formatCount(unowned)} of ${countOf(folders, 'folder')} have no task or execution here`
}
