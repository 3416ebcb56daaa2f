import { countOf } from '../../core/sentences/amounts.ts'
import { CircleAlert, CircleCheck, CircleDashed, CircleHelp } from 'lucide-react'
import type { ReactNode } from 'react'
import { CodeBlock } from './code-block.tsx'
import css from './finding.module.css'
import { ICON } from './icons.tsx'

const ICONS = { good: CircleCheck, bad: CircleAlert, unsure: CircleHelp, pending: CircleDashed } as const
const WORDS = { good: 'Found', bad: 'Wrong', unsure: 'Not known', pending: 'Being checked' } as const

interface FindingProps {
  readonly verdict: keyof typeof ICONS
  readonly title: ReactNode
  readonly children?: ReactNode
}

/** What a check came to: a sign, a line, and the words of the server below. */
export function Finding({ verdict, title, children }: FindingProps) {
  const Icon = ICONS[verdict]
  return (
    <div className={css['finding']} data-verdict={verdict} role="status">
      <Icon size={ICON} aria-label={WORDS[verdict]} />
      <div>
        <p className={css['title']}>{title}</p>
        {children}
      </div>
    </div>
  )
}

interface TrialResult {
  readonly outcome: 'reachable' | 'unreachable' | 'unknown'
  readonly reason?: string
  readonly default_branch?: string
  readonly branches?: number
  readonly push: 'likely' | 'unlikely' | 'unknown'
  readonly push_reason?: string
  /** The project that has this repository already. */
  readonly project?: string
}

interface TrialProps {
  readonly isPending: boolean
  readonly result: TrialResult | undefined
  readonly refusal: string | undefined
  /** False: of a project that is there, and has the repository itself. */
  readonly isNew?: boolean
}

const OUTCOMES = {
  reachable: ['good', 'It can be read'],
  unreachable: ['bad', 'It cannot be read'],
  unknown: ['unsure', 'It could not be tried from here'],
} as const

/** What trying a repository came to; nothing before it was tried. */
export function TrialFinding({ isPending, result, refusal, isNew = true }: TrialProps) {
  if (isPending) return <Finding verdict="pending" title="The repository is being tried…" />
  if (refusal !== undefined) return <Finding verdict="bad" title={refusal} />
  if (result === undefined) return null
  const { outcome, reason, default_branch, branches, push, push_reason, project } = result
  const [verdict, title] = OUTCOMES[outcome]
  const facts = [
    default_branch !== undefined && `default branch ${default_branch}`,
    branches !== undefined && countOf(branches, 'branch', 'branches'),
    push === 'likely' && 'pushes will work',
  ].filter((fact) => fact !== false)
  return (
    <Finding verdict={verdict} title={[title, ...facts].join(' · ')}>
      {isNew && project !== undefined && (
        <p className={css['words']}>It is the repository of project {project} already.</p>
      )}
      {reason !== undefined && <p className={css['words']}>{reason}</p>}
      {push !== 'likely' && outcome === 'reachable' && push_reason !== undefined && (
        <p className={css['words']}>
          {push === 'unlikely' ? 'Pushes will fail: ' : 'Pushes: '}
          {push_reason}.
        </p>
      )}
    </Finding>
  )
}

interface ProgramFound {
  readonly adapter: string
  readonly command?: string
  readonly is_found: boolean
  readonly version?: string
  readonly login: 'environment' | 'file' | 'none' | 'not_needed'
  readonly login_source?: string
  readonly is_ready: boolean
  readonly missing?: string
  readonly remedy?: string
}

/** What was found of a program and its login, and what mends what is missing. */
export function ProgramFinding({ program }: { readonly program: ProgramFound }) {
  const { adapter, version, login_source, is_ready, missing, remedy } = program
  const facts =
    adapter === 'script'
      ? ['script', 'needs no program and no login']
      : [program.command ?? adapter, version, login_source !== undefined && `login from ${login_source}`]
  const title = facts.filter((fact) => fact !== undefined && fact !== false).join(' · ')
  return (
    <Finding verdict={is_ready ? 'good' : 'bad'} title={title}>
      {missing !== undefined && <p className={css['words']}>{missing}</p>}
      {remedy !== undefined && <CodeBlock text={remedy} label={`What mends ${adapter}`} isWrapped />}
    </Finding>
  )
}
