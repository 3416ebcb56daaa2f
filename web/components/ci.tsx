/** What the CI of the git host says of work: on a badge, and run by run beside what is decided. */
import type { Task } from '../../core/rest/client/client.ts'
import type { CiStateWord } from '../../core/enum-values.ts'
import { CI_STATE_LABELS, ciWords, moreRunsWords } from '../../core/sentences/ci.ts'
import { shortCommit } from '../../core/text.ts'
import { marksSign } from '../model/check-signs.ts'
import { findSafeHref, showUnseen } from '../model/hostile-text.ts'
import css from './checks.module.css'
import { StateBadge } from './state-badge.tsx'

type Ci = NonNullable<Task['ci']>

const MARKS = { pending: 'running', passed: 'green', failed: 'red' } as const satisfies Record<CiStateWord, string>

interface CiMarkProps {
  readonly task: Pick<Task, 'ci'>
  readonly isIconOnly?: boolean
}

/** `CI passed`, `CI failed: build`; nothing where no CI is known. */
export function CiMark({ task: { ci }, isIconOnly = false }: CiMarkProps) {
  if (ci === undefined) return null
  return <StateBadge words={{ ...marksSign(MARKS[ci.state]), text: showUnseen(ciWords(ci)) }} isIconOnly={isIconOnly} />
}

/** So many runs are shown one by one beside a decision, which stays in sight on a phone. */
const MOST_BESIDE = 3

/** The runs that are not green one by one, each a link to its log; one badge where all are. */
export function CiBeside({ task: { ci } }: { readonly task: Pick<Task, 'ci'> }) {
  if (ci === undefined) return null
  const open = ci.runs.filter(({ state }) => state !== 'passed')
  const shown = (open.length === 0 ? ci.runs.slice(0, 1) : open).slice(0, MOST_BESIDE)
  if (open.length === 0 && shown.length === 1)
    return (
      <RunLink url={shown[0]?.url}>
        <CiMark task={{ ci }} />
      </RunLink>
    )
  return (
    <>
      {shown.map((run) => (
        <CiRun key={`${run.name} ${run.url ?? ''}`} run={run} commit={ci.commit} />
      ))}
      {moreRunsWords(ci, shown.length)}
    </>
  )
}

function CiRun({ run: { name, state, url }, commit }: { readonly run: Ci['runs'][number]; readonly commit: string }) {
  return (
    <RunLink url={url}>
      <StateBadge words={{ ...marksSign(MARKS[state]), text: `CI ${showUnseen(name)}` }} />{' '}
      <span className={css['words']}>
        {CI_STATE_LABELS[state]} at <code title={commit}>{shortCommit(commit)}</code>
      </span>
    </RunLink>
  )
}

interface RunLinkProps {
  readonly url: string | undefined
  readonly children: React.ReactNode
}

function RunLink({ url, children }: RunLinkProps) {
  const page = url === undefined ? undefined : findSafeHref(url)
  if (page === undefined) return <span>{children}</span>
  return (
    <a href={page} target="_blank" rel="noopener noreferrer">
      {children}
    </a>
  )
}
