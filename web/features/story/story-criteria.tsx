import type { Story } from '../../../core/rest/client/client.ts'
import { JUDGED_STATUS } from '../../../core/story/transitions.ts'
import { useSession } from '../../api/session.ts'
import { recordVerdict } from '../../api/story-details.ts'
import { useDecision } from '../../api/use-decision.ts'
import { Button } from '../../components/button.tsx'
import { SMALL_ICON, STATE_ICONS } from '../../components/icons.tsx'
import { TimeAgo } from '../../components/time-ago.tsx'
import { notify, refuse } from '../../components/toast.tsx'
import { showUnseen } from '../../model/hostile-text.ts'
import type { StateWords } from '../../model/state-words.ts'
import { EditCriteria } from './edit-fields.tsx'
import { EditableSection } from './editable-section.tsx'
import { EvaluationRuns } from './evaluation-runs.tsx'
import css from './story.module.css'

type Verdict = Story['evaluation']['verdicts'][number]

const VERDICT_WORDS: Readonly<Record<Verdict['verdict'], StateWords>> = {
  passed: { tone: 'done', icon: 'done', text: 'Holds' },
  failed: { tone: 'fail', icon: 'failed', text: 'Does not hold' },
  pending: { tone: 'wait', icon: 'clock', text: 'Not judged yet' },
}

/** What must hold when the story is done, and who has judged it how. */
export function StoryCriteria({ story }: { readonly story: Story }) {
  const canDecide = useSession().may('decide')
  const { evaluation } = story
  const verdicts = criteriaOf(story)
  return (
    <EditableSection
      title="Acceptance criteria"
      note={noteOf(story, verdicts)}
      canEdit={canDecide}
      renderForm={(onEnd) => <EditCriteria story={story} onEnd={onEnd} />}
    >
      {verdicts.length === 0 ? (
        <p className={css['none']}>
          There are none. Statements that must hold when the story is done are judged by an agent, each with its
          evidence.
        </p>
      ) : (
        <ul className={css['criteria']}>
          {verdicts.map((verdict) => (
            <Criterion key={verdict.criterion} story={story} verdict={verdict} canJudge={canDecide} />
          ))}
        </ul>
      )}
      <EvaluationRuns evaluation={evaluation} />
    </EditableSection>
  )
}

/** Each criterion with its verdict; before the first evaluation there is none. */
function criteriaOf({ acceptance_criteria, evaluation }: Story): readonly Verdict[] {
  if (evaluation.verdicts.length > 0) return evaluation.verdicts
  return [...new Set(acceptance_criteria)].map((criterion) => ({ criterion, verdict: 'pending' }))
}

function noteOf({ evaluation }: Story, criteria: readonly Verdict[]): string | undefined {
  if (criteria.length === 0) return undefined
  return evaluation.verdicts.length === 0
    ? 'judged when all tasks are finished'
    : `${evaluation.passed} of ${evaluation.total} hold`
}

interface CriterionProps {
  readonly story: Story
  readonly verdict: Verdict
  readonly canJudge: boolean
}

function Criterion({ story, verdict, canJudge }: CriterionProps) {
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
      {canJudge && story.status === JUDGED_STATUS && <Judge story={story} criterion={verdict.criterion} />}
    </li>
  )
}

/** A person's own verdict, which counts before those of agents. */
function Judge({ story, criterion }: { readonly story: Story; readonly criterion: string }) {
  const { decide, isPending } = useDecision((verdict: 'pass' | 'fail') => recordVerdict(story.id, criterion, verdict), {
    onDone: notify,
    onRefused: refuse,
  })
  return (
    <span className={css['judge']}>
      <Button isSmall isBusy={isPending} aria-label={`It holds: ${criterion}`} onClick={() => decide('pass')}>
        Holds
      </Button>
      <Button isSmall isBusy={isPending} aria-label={`It does not hold: ${criterion}`} onClick={() => decide('fail')}>
        Does not
      </Button>
    </span>
  )
}
