import process from 'node:process'
import { shellWord } from '../../core/shell.ts'
import { canPlace, noSessionWords, placeSession } from '../checkout/session.ts'
import { personGit } from '../checkout/person-git.ts'
import { choosePlace, makeWorkingCopy } from '../checkout/working-copy.ts'
import type { ClientCommand, ClientInvocation } from '../client-command.ts'
import { formatNext } from '../client/outcome.ts'
import { print } from '../client/output.ts'
import { oneLine, printable } from '../client/text.ts'
import { UsageError } from '../command.ts'
import { reasonOfGit } from '../checkout/reason.ts'
import { messageOf } from '../../lib/error-message.ts'

export const checkoutCommand: ClientCommand = {
  kind: 'client',
  name: 'checkout',
  summary: "Take a task's work over, to go on by hand",
  details: [
    'Makes a worktree beside the clone of the same repository that you are in, else a clone below the working folder, with the',
    "task's commits, its uncommitted work, and the session of claude, codex or gemini. Nothing that the agent has left runs by this: hooks,",
    'filters and submodules are off. Look at what it changed before you run anything there. The task waits for you until',
    '"slipway handback" in that folder, or "slipway checkout <task> --release".',
  ].join('\n'),
  examples: [
    'slipway checkout add-login',
    'slipway checkout add-login ../login',
    'slipway checkout add-login --release',
  ],
  words: [
    { name: 'task', mayBeShort: true },
    { name: 'folder', isOptional: true },
  ],
  flags: [{ name: 'release', description: 'Let go of the task without handing anything back' }],
  run: (invocation) => (invocation.switches.has('release') ? releaseTask(invocation) : checkOut(invocation)),
}

async function releaseTask({ session, terminal, signal, words: [id = '', folder] }: ClientInvocation): Promise<number> {
  if (folder !== undefined) throw new UsageError('checkout: --release goes without a folder: none is changed')
  const result = await session.api.releaseTask({ params: { id } }, { signal })
  print(terminal, session.form, result, () => `${id}: ${result.message}\n`)
  return 0
}

async function checkOut(invocation: ClientInvocation): Promise<number> {
  const {
    session,
    terminal,
    signal,
    words: [id = '', folder],
  } = invocation
  const { api } = session
  const { env } = process
  const params = { id }
  const record = await api.checkoutTask({ params }, { signal })
  const { repository_url: url, branch, is_shared: isShared, held_at: heldAt, is_new: isNew, clone } = record
  const options = personGit({ env, signal })
  const work = {
    task: record.task_id,
    url,
    branch,
    isShared,
    isPushed: clone?.is_pushed,
    getBundle: (have: readonly string[]) =>
      api.getCheckoutBundle({ params, query: have.length === 0 ? {} : { have: have.join(',') } }, { signal }),
  }
  let target: string
  try {
    const place = await choosePlace(options, work, { cwd: process.cwd(), folder, heldAt: isNew ? undefined : heldAt })
    target = place.target
    if (place.made === undefined) {
      const remarks = await makeWorkingCopy(options, work, place, heldAt)
      // A checkout at the same time that had begun the hold may have failed, and ended it.
      const { checked_out: held } = isNew ? { checked_out: { at: heldAt } } : await api.getTask({ params }, { signal })
      if (held?.at !== heldAt) await api.checkoutTask({ params }, { signal })
      const how = place.base === undefined ? 'a clone' : `a worktree of ${place.base}`
      terminal.err(`${id}: checked out into ${target}, ${how}\n`)
      for (const remark of remarks) terminal.err(`${oneLine(remark, 1000)}\n`)
    } else terminal.err(`${id}: checked out into ${target} already, where nothing is changed\n`)
  } catch (error) {
    // Nobody goes on by hand where there is nothing. A hold that another checkout began is that one's.
    if (isNew) await letGo(invocation)
    throw reasonOfGit('checkout', error)
  }
  const typed = await takeSession({ session, terminal, signal, record, folder: target })
  print(terminal, session.form, record, () => '')
  terminal.err(printable(formatNext([typed ?? `cd ${shellWord(target)}`, `slipway handback ${id}`])))
  return 0
}

/** What failed before is what the person reads of; a hold that stays they are told how to end. */
async function letGo({ session, terminal, words: [id = ''] }: ClientInvocation): Promise<void> {
  try {
    await session.api.releaseTask({ params: { id } }, {})
  } catch (error) {
    const reason = messageOf(error)
    terminal.err(`${id} is still checked out by you: slipway checkout ${id} --release (${oneLine(reason, 200)})\n`)
  }
}

interface TakeSession extends Pick<ClientInvocation, 'session' | 'terminal' | 'signal'> {
  readonly record: Awaited<ReturnType<ClientInvocation['session']['api']['checkoutTask']>>
  readonly folder: string
}

/** @returns the command that goes on in the session; undefined without one */
async function takeSession({ session, terminal, signal, record, folder }: TakeSession): Promise<string | undefined> {
  const { adapter, session: offered, task_id: id } = record
  if (adapter === undefined || adapter === 'script') return undefined
  if (offered === undefined) {
    terminal.err(`${noSessionWords(adapter)}\n`)
    return undefined
  }
  const offer = { adapter, id: offered.id, file: offered.file }
  if (!canPlace(offer, process.env)) {
    terminal.err(`the session stays on the server: it is none that ${oneLine(adapter, 40)} finds here\n`)
    return undefined
  }
  try {
    const content = await session.api.getCheckoutSession({ params: { id } }, { signal })
    const placed = await placeSession(offer, folder, new Uint8Array(content), process.env)
    if (placed === undefined) return undefined
    const there = placed.isNew ? '' : ' already, and stays as it is there'
    terminal.err(`session ${offer.id} is at ${placed.path}${there}\n`)
    return placed.typed
  } catch (error) {
    if (signal.aborted) throw error
    const reason = messageOf(error)
    terminal.err(`the session could not be taken along; the same command tries again: ${oneLine(reason, 500)}\n`)
    return undefined
  }
}
