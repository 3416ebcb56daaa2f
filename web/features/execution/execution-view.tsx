import { useLocation, useNavigate, useSearch } from '@tanstack/react-router'
import type { Execution, Task } from '../../../core/rest/client/client.ts'
import { useConversation } from '../../api/conversation.ts'
import { useExecutionDiff } from '../../api/diffs.ts'
import { hasEnded } from '../../api/executions.ts'
import { useResource } from '../../api/kubernetes.ts'
import { CodeBlock } from '../../components/code-block.tsx'
import { ReadOnlyDiff } from '../../components/diff/diff-view.tsx'
import { KubernetesFacts } from '../../components/kubernetes-facts.tsx'
import { ReadAgainPart } from '../../components/read-part.tsx'
import { UndeliveredNote } from '../../components/review-notes.tsx'
import { type Tab, Tabs } from '../../components/tabs.tsx'
import { hasFailed } from '../../model/failed-run.ts'
import { lineOfHash } from '../../model/log-place.ts'
import type { GivenAnswer } from '../../model/transcript.ts'
import { ArtifactsTab } from './artifacts-tab.tsx'
import { ConversationTab } from './conversation-tab.tsx'
import { ChecksTab } from './checks-tab.tsx'
import { ExecutionHeader } from './execution-header.tsx'
import css from './execution.module.css'
import { LogTab } from './log-tab.tsx'
import type { ExecutionTab } from './search.ts'
import { ServicesTab } from './services-tab.tsx'

interface ExecutionViewProps {
  readonly execution: Execution
  /** The one that goes on from it. */
  readonly next: Execution | undefined
  readonly task: Task | undefined
  /** Scripts have output, and no conversation. */
  readonly isScript: boolean
}

export function ExecutionView({ execution, next, task, isScript }: ExecutionViewProps) {
  const search = useSearch({ from: '/executions/$executionId' })
  const navigate = useNavigate({ from: '/executions/$executionId' })
  const line = lineOfHash(useLocation({ select: ({ hash }) => hash }))
  const conversation = useConversation(execution)
  const isLive = !hasEnded(execution)
  const answer = next?.answer ?? findQueuedAnswer(execution, task)
  const isSetup = execution.purpose === 'prepare'
  const tab = search.tab ?? (isScript || isSetup || line !== undefined ? 'log' : 'conversation')
  const all: readonly Tab<ExecutionTab>[] = [
    {
      id: 'conversation',
      label: 'Conversation',
      content: <ConversationTab {...{ execution, task, conversation, answer, isScript }} />,
    },
    {
      id: 'log',
      label: 'Log',
      content: (
        <div className={css['split']}>
          <div className={css['main']}>
            <LogTab {...{ execution, isLive, line }} />
          </div>
          {hasFailed(execution) && (execution.changes?.files ?? 0) > 0 && (
            <ChangesTab execution={execution} isLive={false} />
          )}
        </div>
      ),
    },
    ...(hasServices(execution)
      ? [{ id: 'services' as const, label: 'Services', content: <ServicesTab {...{ execution, isLive }} /> }]
      : []),
    ...(execution.checks === undefined
      ? []
      : [{ id: 'checks' as const, label: 'Checks', content: <ChecksTab execution={execution} /> }]),
    {
      id: 'changes',
      label: 'Changes',
      count: execution.changes?.files,
      content: <ChangesTab execution={execution} isLive={isLive} />,
    },
    { id: 'artifacts', label: 'Artifacts', content: <ArtifactsTab execution={execution} isLive={isLive} /> },
    { id: 'details', label: 'Details', content: <DetailsTab execution={execution} /> },
  ]
  // No agent works in a setup.
  const tabs = isSetup ? all.filter(({ id }) => id === 'log' || id === 'details') : all
  return (
    <>
      <ExecutionHeader {...{ execution, task, isLive, next, answer }} transcript={conversation.transcript} />
      <Tabs
        label="Parts of the execution"
        tabs={tabs}
        value={tab}
        fill="fixed"
        onChange={(chosen) =>
          void navigate({ search: (now) => ({ ...now, tab: chosen }), replace: true, resetScroll: false })
        }
      />
    </>
  )
}

/** They have a phase of their own from when the agent waits for them. */
function hasServices({ phases }: Execution): boolean {
  return phases.some(({ name }) => name === 'services')
}

interface ChangesTabProps {
  readonly execution: Execution
  readonly isLive: boolean
}

/** What the run changed in the repository. Comments belong to the decision, on the page of the task. */
function ChangesTab({ execution, isLive }: ChangesTabProps) {
  const state = useExecutionDiff(isLive || execution.changes === undefined ? undefined : execution.id)
  return (
    <div className={css['changes']}>
      <UndeliveredNote execution={execution} />
      <ReadOnlyDiff executionId={execution.id} state={state} />
    </div>
  )
}

/** The resource as Kubernetes has it, with its events and its pod, and the command that shows the same. */
function DetailsTab({ execution }: { readonly execution: Execution }) {
  const { id, state, pod } = execution
  const resource = useResource({ kind: 'execution', id, version: `${state} ${pod?.phase ?? ''}` }, !hasEnded(execution))
  return (
    <div className={css['details']}>
      <ReadAgainPart what="The resource" reading={resource} rows={6}>
        {({ manifest, kubernetes }) => (
          <>
            <KubernetesFacts kubernetes={kubernetes} noun="execution" />
            <section>
              <h2>Resource</h2>
              <CodeBlock
                text={`kubectl get execution ${id} -n ${kubernetes.namespace} -o yaml`}
                label="Command"
                isWrapped
              />
              <CodeBlock text={manifest} label="YAML of the execution" isWrapped />
            </section>
          </>
        )}
      </ReadAgainPart>
    </div>
  )
}

/** The answer that waits with the queued task; undefined where none does. */
function findQueuedAnswer({ id }: Execution, task: Task | undefined): GivenAnswer | undefined {
  if (task?.execution_id !== id || task.state !== 'QUEUED') return undefined
  const { action, by, comment } = task.decisions.at(-1) ?? {}
  return action === 'answer' && comment !== undefined ? { by, text: comment } : undefined
}
