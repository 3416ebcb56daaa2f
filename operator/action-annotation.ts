/**
 * Decisions by annotation, as far as they are the same for every kind that takes them.
 *
 * With an id an action counts once: the pair of both is remembered in the status, in the same write that takes or
 * refuses it, and the annotations are left where they are, so that a manifest that holds them never differs from the
 * object. Without an id the annotations are removed once they are carried out; interrupted in between, the action is
 * decided again, and the state that it led to refuses it. Specification §4.28 to §4.31.
 */
import { createHash } from 'node:crypto'
import type { LastAction, SpentAction } from '../core/crd/types.ts'
import { ANNOTATOR } from '../core/decision.ts'
import { ANNOTATIONS } from '../core/names.ts'
import { type ActionMemory, isSpent, spendAction } from '../core/spent-actions.ts'
import { toTimestamp } from '../core/time.ts'
import { clip } from '../core/text.ts'
import { findShownName } from '../lib/user-name.ts'
import type { Action, Annotated } from './action.ts'

const MAX_ACTION = 63
const MAX_ID = 253
const MAX_REFUSAL = 1024

/** An action that somebody asks for by annotation, and that was not taken yet. */
export interface AskedAction {
  /** As it was written. */
  readonly action: string
  readonly id?: string | undefined
  /** Who asks, as it is recorded. */
  readonly by: string
}

/**
 * The action that is asked for. A name beside it that nothing proves is not believed: anybody could write it.
 *
 * Source: specification §4.32.
 *
 * @param admissionPolicies whether the API server proves `slipway.dev/by`
 * @returns undefined where nothing is asked for, or what was taken or refused before
 */
export function findAskedAction({ object }: Annotated, admissionPolicies = false): AskedAction | undefined {
  const { annotations = {} } = object.metadata
  const { [ANNOTATIONS.action]: action, [ANNOTATIONS.actionId]: id, [ANNOTATIONS.by]: name = '' } = annotations
  if (action === undefined) return undefined
  const by = (admissionPolicies ? findShownName(name) : undefined) ?? ANNOTATOR
  const asked = { action, id, by }
  const spent = toSpent(asked)
  return spent !== undefined && isSpent(object.status ?? {}, spent) ? undefined : asked
}

/**
 * The part of a status that remembers an action as taken or refused.
 *
 * @param before the status that it was decided from
 * @param refused why it was refused, in words; undefined when it was taken
 */
export function rememberAction(
  before: ActionMemory | undefined,
  asked: AskedAction,
  now: Date,
  refused?: string,
): ActionMemory {
  const spent = toSpent(asked)
  const { action } = asked
  const lastAction: LastAction = {
    action: clip(action, MAX_ACTION),
    at: toTimestamp(now),
    ...(spent && { id: spent.id }),
    ...(refused !== undefined && { refused: clip(refused, MAX_REFUSAL) }),
  }
  return { lastAction, ...(spent && { spentActions: spendAction(before?.spentActions, spent) }) }
}

/** The writes still needed for the annotations of an action that was carried out. */
export function clearAskedAction(of: Annotated, { id }: AskedAction, names: readonly string[]): Action[] {
  return id === undefined
    ? [{ kind: 'clearAnnotations', of, names: [ANNOTATIONS.action, ANNOTATIONS.by, ...names] }]
    : []
}

function toSpent({ action, id }: Pick<AskedAction, 'action' | 'id'>): SpentAction | undefined {
  if (id === undefined) return undefined
  const kept = id.length <= MAX_ID ? id : `sha256:${createHash('sha256').update(id).digest('hex')}`
  return { action: clip(action, MAX_ACTION), id: kept }
}
