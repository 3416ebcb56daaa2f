import { useSearch } from '@tanstack/react-router'
import type { Validation } from '../../../core/rest/client/client.ts'
import { useSession } from '../../api/session.ts'
import { Button } from '../../components/button.tsx'
import { Finding } from '../../components/finding.tsx'
import { FormPage } from '../../components/form-page.tsx'
import { FormError } from '../../components/form-parts.tsx'
import { ViewHeader } from '../../components/view-header.tsx'
import { NoPermission } from '../../components/view-states.tsx'
import css from './new-task.module.css'
import { TaskFields, TaskLinks } from './task-fields.tsx'
import { TaskRest } from './task-rest.tsx'
import { useNewTask } from './use-new-task.ts'

/** The view at /tasks/new. */
export function NewTaskPage() {
  const { may, name } = useSession()
  return (
    <>
      <ViewHeader title="New task">
        <span className={css['hints']} aria-hidden>
          <kbd>Ctrl</kbd> <kbd>↵</kbd> create and run
        </span>
      </ViewHeader>
      {may('decide') ? <NewTaskForm /> : <NoPermission scope="decide" name={name} />}
    </>
  )
}

function NewTaskForm() {
  const task = useNewTask(useSearch({ from: '/tasks/new' }))
  const { form, change, errors, remarks } = task
  const props = { form, onChange: change, errors: errors.byField }
  const hasText = form.name.trim() !== '' || form.description.trim() !== ''
  return (
    <FormPage
      onSubmit={() => task.create(true)}
      errors={errors}
      aside={
        <>
          <TaskLinks {...props} />
          <TaskRest {...props} />
        </>
      }
      actions={
        <>
          <Button look="primary" type="submit" isBusy={task.isCreating}>
            Create and run
          </Button>
          <Button isBusy={task.isCreating} onClick={() => task.create(false)}>
            Create only
          </Button>
          <Button look="quiet" isBusy={task.isChecking} onClick={() => task.check(false)}>
            Check
          </Button>
          <Button look="quiet" disabled={!hasText} onClick={task.clear}>
            Clear
          </Button>
        </>
      }
    >
      <FormError text={errors.rest} />
      <TaskFields {...props} />
      <div className={css['help']}>
        <Button isSmall isBusy={task.isElaborating} disabled={!hasText} onClick={task.elaborate}>
          {task.isElaborating ? 'An agent writes it out…' : 'Let an agent write it out'}
        </Button>
        <Button isSmall isBusy={task.isChecking} disabled={!hasText} onClick={() => task.check(true)}>
          {task.isChecking ? 'It is being checked…' : 'Ask an agent what is unclear'}
        </Button>
        <span>Each takes half a minute to a few minutes, reads the repository, and stores nothing.</span>
      </div>
      {remarks !== undefined && <Remarks found={remarks} />}
    </FormPage>
  )
}

const PARTS = [
  { key: 'warnings', title: 'Warnings', verdict: 'unsure' },
  { key: 'questions', title: 'Left open', verdict: 'unsure' },
  { key: 'suggestions', title: 'Suggestions', verdict: 'unsure' },
] as const

/** What stands against the task and what would help, in the server's and the agent's words. */
function Remarks({ found }: { readonly found: Validation }) {
  const parts = PARTS.filter(({ key }) => found[key].length > 0)
  return (
    <>
      <Finding
        verdict={found.valid ? 'good' : 'bad'}
        title={found.valid ? 'It can be created' : 'It cannot be created yet: see the fields'}
      />
      {parts.map(({ key, title, verdict }) => (
        <Finding key={key} verdict={verdict} title={title}>
          <ul className={css['remarks']}>
            {found[key].map((remark) => (
              <li key={remark}>{remark}</li>
            ))}
          </ul>
        </Finding>
      ))}
    </>
  )
}
