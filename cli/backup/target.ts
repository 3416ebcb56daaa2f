/** Objects of a backup in the control plane that they are brought to. */
import { isDeepStrictEqual } from 'node:util'
import {
  type BackupObject,
  type ServedObject,
  type Uids,
  contentOf,
  hasStatus,
  replaceUids,
  statusContent,
  statusFor,
} from '../../core/backup/objects.ts'
import { asRecord } from '../../core/json.ts'
import { API_VERSION } from '../../core/names.ts'
import { omit, withoutAbsent } from '../../core/omit.ts'
import { AGENTS, OUR_RESOURCES, SECRETS } from '../../kube/resources.ts'
import type { KubeClient, KubeObject, Resource } from '../../kube/types.ts'

export const BACKUP_RESOURCES: ReadonlyMap<string, Resource<KubeObject>> = new Map(
  [...OUR_RESOURCES, SECRETS].map((resource) => [resource.kind, resource]),
)

/**
 * How an object of a backup is to be found: `absent`; `equal`; `begun`, when this import has made it and not yet written
 * its status; `changed`, when its status differs and all else is equal; `different`; or `ownerless`, when what owns it was
 * not brought along.
 */
export type Presence = 'absent' | 'equal' | 'begun' | 'changed' | 'different' | 'ownerless'

export interface Looked {
  readonly presence: Presence
  readonly found?: KubeObject
  /** As it is to be, with the status of the backup. */
  readonly wanted: BackupObject
}

export interface Target {
  look(resource: Resource<KubeObject>, object: BackupObject): Promise<Looked>
  /** Whether the control plane would take one that is absent; @throws what it says when it would not */
  tryWrite(resource: Resource<KubeObject>, looked: Looked): Promise<void>
  /** Makes it, or writes its status alone where it is there. */
  write(resource: Resource<KubeObject>, looked: Looked): Promise<void>
  /** Uids of the backup to those here, of what was found or written so far. */
  readonly uids: Uids
}

/** @param isContinued whether an import of the same backup was interrupted */
export function openTarget(
  client: Pick<KubeClient, 'find' | 'create' | 'replaceStatus'>,
  namespace: string,
  isContinued: boolean,
): Target {
  const uids = new Map<string, string>()
  const make = (object: BackupObject): KubeObject => {
    const { status: _, metadata, ...rest } = object
    const { uid: __, generation: ___, creationTimestamp: ____, ...kept } = metadata
    return { ...rest, metadata: { ...kept, namespace } }
  }
  return {
    uids,
    async look(resource, object) {
      const { uid = '', ownerReferences = [] } = object.metadata
      const ours = ownerReferences.filter(({ apiVersion }) => apiVersion === API_VERSION)
      const isOwned = ours.every((owner) => uids.has(owner.uid))
      if (!isOwned) return { presence: 'ownerless', wanted: object }
      const found = await client.find(resource, { namespace, name: replaceUids(object.metadata.name, uids) })
      if (found?.metadata.uid === undefined) {
        const wanted = translate(object, uids)
        // It will be here, so what it owns is not without an owner.
        uids.set(uid, uid)
        return { presence: 'absent', wanted }
      }
      uids.set(uid, found.metadata.uid)
      const wanted = translate(object, uids)
      const presence = compare({ ...found, kind: resource.kind }, wanted, isContinued)
      // What it owns is not brought along either.
      if (isAnother(presence)) uids.delete(uid)
      return { presence, found, wanted }
    },
    async tryWrite(resource, { presence, wanted }) {
      if (presence === 'absent') await client.create(resource, make(wanted), { dryRun: true })
    },
    async write(resource, { found, wanted }) {
      const made = found ?? (await client.create(resource, make(wanted)))
      uids.set(wanted.metadata.uid ?? '', made.metadata.uid ?? '')
      if (!hasStatus(wanted)) return
      // Names of what it has made, say, hold its own uid.
      const status = replaceIn(statusFor(wanted, made.metadata.generation), uids)
      const whole: KubeObject & { readonly status: unknown } = { ...made, status }
      await client.replaceStatus<KubeObject>(resource, whole)
    },
  }
}

function compare(found: ServedObject, wanted: BackupObject, isContinued: boolean): Presence {
  // A webhook or a default may have changed what was made: it is not left without its status for that.
  if (isContinued && hasStatus(wanted) && !hasStatus(found)) return 'begun'
  if (!isDeepStrictEqual(plain(contentOf(found)), plain(contentOf(wanted)))) return 'different'
  // The operator writes it anew.
  if (found.kind === AGENTS.kind) return 'equal'
  return isDeepStrictEqual(plain(statusContent(found.status)), plain(statusContent(wanted.status)))
    ? 'equal'
    : 'changed'
}

/** Whether what is there is not what the backup has. */
export function isAnother(presence: Presence): boolean {
  return presence === 'different' || presence === 'changed'
}

/** As JSON has it: fields that are undefined are absent. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value))
}

/** With the uids of here, but its own; an owner that is not here would have it collected. */
function translate(object: BackupObject, uids: Uids): BackupObject {
  const { uid, ownerReferences = [], ...metadata } = object.metadata
  const owners = ownerReferences.filter((owner) => uids.has(owner.uid))
  const kept = { ...object, metadata: { ...metadata, ...(owners.length > 0 && { ownerReferences: owners }) } }
  const translated = replaceIn(kept, uids)
  return { ...translated, metadata: { ...translated.metadata, ...withoutAbsent({ uid }) } }
}

function replaceIn<T>(value: T, uids: Uids): T {
  const replaced: T = JSON.parse(replaceUids(JSON.stringify(value), uids))
  return replaced
}

/** Without the clone that was not brought along. */
export function withoutWorkspace(object: BackupObject): BackupObject {
  return { ...object, status: omit(asRecord(object.status), ['workspace']) }
}
