import type { Story } from '../../../core/rest/client/client.ts'
import { JUDGED_STATUS } from '../../../core/story/transitions.ts'
import { useSession } from '../../api/session.ts'
import { recordVerdict } from '../../api/story-details.ts'
import { useDecision } from '../../api/use-decision.ts'
import { Button } from '../../components/button.tsx'
import { CriteriaList } from '../../components/criteria-list.tsx'
import { telling } from '../../components/toast.tsx'
import { criteriaOf } from '../../model/criteria.ts'
import { EditCriteria } from './edit-fields.tsx'
import { EditableSection } from './editable-section.tsx'
import { EvaluationRuns } from './evaluation-runs.tsx'
import css from './story.module.css'

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
        <CriteriaList
          story={story}
          renderJudge={
            canDecide && story.status === JUDGED_STATUS
              ? (criterion) => <Judge story={story} criterion={criterion} />
              : undefined
          }
        />
      )}
      <EvaluationRuns evaluation={evaluation} />
    </EditableSection>
  )
}

function noteOf({ evaluation }: Story, criteria: readonly unknown[]): string | undefined {
  if (criteria.length === 0) return undefined
  return evaluation.verdicts.length === 0
    ? 'judged when all tasks are finished'
    : `${evaluation.passed} of ${evaluation.total} hold`
}

/** A person's own verdict, which counts before those of agents. */
function Judge({ story, criterion }: { readonly story: Story; readonly criterion: string }) {
  const judge = (verdict: 'pass' | 'fail') => recordVerdict(story.id, criterion, verdict)
  const { decide, isPending } = useDecision(judge, telling())
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
