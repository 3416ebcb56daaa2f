import type { ReactNode } from 'react'
import type { Story } from '../../core/rest/client/client.ts'
import { type Verdict, criteriaOf } from '../model/criteria.ts'
import { showUnseen } from '../model/hostile-text.ts'
import type { StateWords } from '../model/state-words.ts'
import css from './criteria-list.module.css'
import { SMALL_ICON, STATE_ICONS } from './icons.tsx'
import { TimeAgo } from './time-ago.tsx'

const VERDICT_WORDS: Readonly<Record<Verdict['verdict'], StateWords>> = {
  passed: { tone: 'done', icon: 'done', text: 'Holds' },
  failed: { tone: 'fail', icon: 'failed', text: 'Does not hold' },
  pending: { tone: 'wait', icon: 'clock', text: 'Not judged yet' },
}

interface CriteriaListProps {
  readonly story: Story
  /** What judges a criterion beside it. */
  readonly renderJudge?: ((criterion: string) => ReactNode) | undefined
}

/** The criteria of a story, each with its verdict, who gave it, and the evidence. */
export function CriteriaList({ story, renderJudge }: CriteriaListProps) {
  return (
    <ul className={css['criteria']}>
      {criteriaOf(story).map((verdict) => (
        <Criterion key={verdict.criterion} verdict={verdict}>
          {renderJudge?.(verdict.criterion)}
        </Criterion>
      ))}
    </ul>
  )
}

function Criterion({ verdict, children }: { readonly verdict: Verdict; readonly children: ReactNode }) {
  const words = VERDICT_WORDS[verdict.verdict]
  const Icon = STATE_ICONS[words.icon]
  return (
    <li data-verdict={verdict.verdict}>
      <span className={css['sign']} data-tone={words.tone}>
        <Icon size={SMALL_ICON + 1} aria-hidden />
      </span>
      <div>
        <p>{showUnseen(verdict.criterion)}</p>
        <p className={css['note']}>
          <span className={css['sign']} data-tone={words.tone}>
            {words.text}
          </span>
          {verdict.by !== undefined && ` · ${verdict.by}`}
          {verdict.at !== undefined && (
            <>
              {' · '}
              <TimeAgo at={verdict.at} />
            </>
          )}
        </p>
        {verdict.comment !== undefined && verdict.comment !== '' && (
          <p className={css['evidence']}>{showUnseen(verdict.comment)}</p>
        )}
      </div>
      {children}
    </li>
  )
}
