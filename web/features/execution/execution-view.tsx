import { useLocation, useNavigate, useSearch } from '@tanstack/react-router'
import type { Execution, Task } from '../../../core/rest/client/client.ts'
import { useConversation } from '../../api/conversation.ts'
import { hasEnded, useNextExecution } from '../../api/executions.ts'
import type { Tab } from '../../components/tabs.tsx'
import { Tabs } from '../../components/tabs.tsx'
import { lineOfHash } from '../../model/log-place.ts'
import { findQueuedAnswer } from './answer.ts'
import { ArtifactsTab } from './artifacts-tab.tsx'
import { ChangesTab } from './changes-tab.tsx'
import { ConversationTab } from './conversation-tab.tsx'
import { DetailsTab } from './details-tab.tsx'
import css from './execution.module.css'
import { ExecutionHeader } from './execution-header.tsx'
import { LogTab } from './log-tab.tsx'
import type { ExecutionTab } from './search.ts'

interface ExecutionViewProps {
  readonly execution: Execution
  readonly task: Task | undefined
  /** Scripts have output, and no conversation. */
  readonly isScript: boolean
}

export function ExecutionView({ execution, task, isScript }: ExecutionViewProps) {
  const search = useSearch({ from: '/executions/$executionId' })
  const navigate = useNavigate({ from: '/executions/$executionId' })
  const line = lineOfHash(useLocation({ select: ({ hash }) => hash }))
  const conversation = useConversation(execution.id)
  const isLive = !hasEnded(execution)
  const next = useNextExecution(execution)
  const answer = next?.answer ?? findQueuedAnswer(execution, task)
  const tab = search.tab ?? (isScript || line !== undefined ? 'log' : 'conversation')
  const tabs: readonly Tab<ExecutionTab>[] = [
    {
      id: 'conversation',
      label: 'Conversation',
      content: <ConversationTab {...{ execution, task, conversation, answer, isScript }} />,
    },
    { id: 'log', label: 'Log', content: <LogTab {...{ execution, isLive, line }} /> },
    {
      id: 'changes',
      label: 'Changes',
      count: execution.changes?.files,
      content: <ChangesTab execution={execution} isLive={isLive} />,
    },
    { id: 'artifacts', label: 'Artifacts', content: <ArtifactsTab execution={execution} isLive={isLive} /> },
    { id: 'details', label: 'Details', content: <DetailsTab execution={execution} /> },
  ]
  return (
    <div className={css['page']}>
      <ExecutionHeader {...{ execution, task, isLive, next, answer }} transcript={conversation.transcript} />
      <div className={css['tabs']}>
        <Tabs
          label="Parts of the execution"
          tabs={tabs}
          value={tab}
          onChange={(chosen) =>
            void navigate({ search: (now) => ({ ...now, tab: chosen }), replace: true, resetScroll: false })
          }
        />
      </div>
    </div>
  )
}
