/** How the checks of work stand: on a badge, and one by one beside what is decided. */
import { Link } from '@tanstack/react-router'
import type { Task } from '../../core/rest/client/client.ts'
import { countOf } from '../../core/sentences/amounts.ts'
import { checksMark, checkWords, protectedWords, waivedWords } from '../../core/sentences/checks.ts'
import { shortCommit } from '../../core/text.ts'
import { checkSign, marksSign, worstFirst } from '../model/check-signs.ts'
import { showUnseen } from '../model/hostile-text.ts'
import { capitalised } from '../model/texts.ts'
import css from './checks.module.css'
import { Note } from './review-notes.tsx'
import { StateBadge } from './state-badge.tsx'

export type Check = NonNullable<Task['checks']>[number]

interface ChecksMarkProps {
  readonly task: Pick<Task, 'checks' | 'checks_waived'>
  /** For how long the one that runs has run is said by it. */
  readonly nowMs?: number
  readonly isIconOnly?: boolean
}

/** `3 checks green`, `test is red`, or what runs; nothing where nothing was checked. */
export function ChecksMark({ task: { checks, checks_waived }, nowMs, isIconOnly = false }: ChecksMarkProps) {
  if (checks_waived !== undefined)
    return <StateBadge words={{ tone: 'ask', icon: 'eye', text: 'Checks waived' }} isIconOnly={isIconOnly} />
  const mark = checksMark(checks, nowMs)
  return mark && <StateBadge words={{ ...marksSign(mark.kind), text: mark.words }} isIconOnly={isIconOnly} />
}

/** That work changes files which decide whether its checks pass; nothing where it changes none. */
export function ProtectedBadge({ of: { protected_changes } }: { readonly of: Pick<Task, 'protected_changes'> }) {
  if (protected_changes === undefined) return null
  const { paths } = protected_changes
  return (
    <span title={paths.map(showUnseen).join('\n')}>
      <StateBadge words={{ tone: 'ask', icon: 'eye', text: protectedWords(protected_changes) }} />
    </span>
  )
}

/** Which of these files work changes, above its diff, where they come first. */
export function ProtectedNote({ of: { protected_changes } }: { readonly of: Pick<Task, 'protected_changes'> }) {
  if (protected_changes === undefined) return null
  const { count, paths } = protected_changes
  const more = count - paths.length
  return (
    <Note
      title={capitalised(protectedWords(protected_changes))}
      text="They decide whether checks pass, and stand first in the diff:"
      lines={[...paths, ...(more > 0 ? [`and ${more} more`] : [])]}
    />
  )
}

/** So many checks are shown one by one beside a decision, which stays in sight on a phone. */
const MOST_BESIDE = 3

/** The checks of the work that is to be decided about, red ones first, each with its time and the commit, and who overruled them. */
export function ChecksBeside({ task }: { readonly task: Task }) {
  const { checks = [], checks_waived, protected_changes } = task
  const ran = checks.filter(({ state }) => state !== 'skipped')
  if (ran.length === 0 && checks_waived === undefined && protected_changes === undefined) return null
  const shown = worstFirst(ran).slice(0, MOST_BESIDE)
  const more = ran.length - shown.length
  // The run that delivers waived work has checked nothing.
  const executionId = checks_waived === undefined ? task.execution_id : undefined
  return (
    <>
      {checks_waived !== undefined && (
        <StateBadge words={{ tone: 'ask', icon: 'eye', text: showUnseen(waivedWords(checks_waived)) }} />
      )}
      {shown.map((check) => (
        <CheckState key={check.name} check={check} executionId={executionId} />
      ))}
      {more > 0 && <MoreChecks words={`and ${countOf(more, 'more check')}`} executionId={executionId} />}
      <ProtectedBadge of={task} />
    </>
  )
}

interface MoreChecksProps {
  readonly words: string
  readonly executionId: string | undefined
}

function MoreChecks({ words, executionId }: MoreChecksProps) {
  if (executionId === undefined) return <span>{words}</span>
  return (
    <Link to="/executions/$executionId" params={{ executionId }} search={{ tab: 'checks' }}>
      {words}
    </Link>
  )
}

interface CheckStateProps {
  readonly check: Check
  /** Where its log is read; undefined: nowhere. */
  readonly executionId?: string | undefined
  readonly nowMs?: number
}

/** One check: its name, how it ended or for how long it runs, and the commit that it saw. */
export function CheckState({ check, executionId, nowMs }: CheckStateProps) {
  const { name, commit, reason } = check
  const search = { tab: 'checks', check: `${check.round}/${name}` } as const
  const words = (
    <>
      <StateBadge words={{ ...checkSign(check), text: name }} />{' '}
      <span className={css['words']}>
        {checkWords(check, nowMs)}
        {commit !== undefined && (
          <>
            {' '}
            at <code title={commit}>{shortCommit(commit)}</code>
          </>
        )}
      </span>
    </>
  )
  return (
    <span title={reason && showUnseen(reason)}>
      {executionId === undefined ? (
        words
      ) : (
        <Link to="/executions/$executionId" params={{ executionId }} search={search}>
          {words}
        </Link>
      )}
    </span>
  )
}
