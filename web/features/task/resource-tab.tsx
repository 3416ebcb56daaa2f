import type { Task } from '../../../core/rest/client/client.ts'
import { type Resource, useResource } from '../../api/kubernetes.ts'
import { Button } from '../../components/button.tsx'
import { CodeBlock } from '../../components/code-block.tsx'
import { KubernetesFacts } from '../../components/kubernetes-facts.tsx'
import { ReadAgainPart } from '../../components/read-part.tsx'
import { Part } from './part.tsx'
import css from './task.module.css'

/** The resource behind the task as kubectl has it, and beside it its events and its pod. */
export function ResourceTab({ task }: { readonly task: Task }) {
  // Events come with changes of the task; those that come without one are read again by hand.
  const shown = { kind: 'task', id: task.id, version: `${task.state} ${task.updated_at}` } as const
  const resource = useResource(shown, task.state === 'RUNNING')
  return (
    <ReadAgainPart what="The resource" reading={resource} rows={6}>
      {(read) => <Shown task={task} {...read} isReading={resource.isFetching} onReadAgain={resource.retry} />}
    </ReadAgainPart>
  )
}

interface ShownProps extends Resource {
  readonly task: Task
  readonly isReading: boolean
  readonly onReadAgain: () => void
}

function Shown({ task, manifest, kubernetes, isReading, onReadAgain }: ShownProps) {
  const place = `-n ${kubernetes.namespace}`
  return (
    <div className={css['overview']}>
      <div className={css['column']}>
        <Part title="The same on the command line">
          <CodeBlock
            label="Command"
            text={`kubectl get task ${task.id} ${place} -o yaml\nkubectl describe task ${task.id} ${place}`}
          />
        </Part>
        <Part title="Resource">
          <CodeBlock label="YAML of the task" text={manifest} />
        </Part>
      </div>
      <div className={css['column']}>
        <p className={css['again']}>
          <Button isSmall isBusy={isReading} onClick={onReadAgain}>
            Read again
          </Button>
        </p>
        <KubernetesFacts kubernetes={kubernetes} noun="task" />
      </div>
    </div>
  )
}
