import { useSearch } from '@tanstack/react-router'
import { useSession } from '../../api/session.ts'
import { Button } from '../../components/button.tsx'
import { FormError } from '../../components/form-parts.tsx'
import { FormPage } from '../../components/form-page.tsx'
import { ViewHeader } from '../../components/view-header.tsx'
import { NoPermission } from '../../components/view-states.tsx'
import css from './new-task.module.css'
import { Remarks } from './remarks.tsx'
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
      <TaskLinks {...props} />
      <TaskRest {...props} />
    </FormPage>
  )
}
