import { useRecords } from '../../api/queries.ts'
import { Button } from '../../components/button.tsx'
import css from './new-story.module.css'
import type { PlannedTask, TaskEdit } from './plan.ts'
import { TaskFields } from './task-fields.tsx'

interface TaskListProps {
  readonly tasks: readonly PlannedTask[]
  readonly errors: ReadonlyMap<string, string>
  readonly onEdit: (edit: TaskEdit) => void
}

/** The tasks of the plan in their order, each with its parts. */
export function TaskList({ tasks, errors, onEdit }: TaskListProps) {
  const { data: agents = [] } = useRecords('agents')
  const names = agents.map(({ id }) => id)
  const shared = { agents: names, errors, onEdit }
  return (
    <section className={css['tasks']} aria-label="Tasks">
      <h2>Tasks, in the order in which they are done</h2>
      <ol>
        {tasks.map((task, index) => (
          <li key={task.key}>
            <TaskFields
              {...shared}
              task={task}
              path={`tasks[${index}]`}
              label={`Task ${index + 1}`}
              waitsFor={tasks[index - 1]?.name}
              isFirst={index === 0}
              isLast={index === tasks.length - 1}
            />
            {task.subtasks.length > 0 && (
              <ol className={css['parts']}>
                {task.subtasks.map((part, at) => (
                  <li key={part.key}>
                    <TaskFields
                      {...shared}
                      task={part}
                      path={`tasks[${index}].subtasks[${at}]`}
                      label={`Subtask ${index + 1}.${at + 1}`}
                      waitsFor={at === 0 ? task.name : task.subtasks[at - 1]?.name}
                      isFirst={at === 0}
                      isLast={at === task.subtasks.length - 1}
                      isPart
                    />
                  </li>
                ))}
              </ol>
            )}
          </li>
        ))}
      </ol>
      <Button isSmall onClick={() => onEdit({ kind: 'add' })}>
        Add a task
      </Button>
    </section>
  )
}
