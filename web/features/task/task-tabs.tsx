import type { Tab } from '../../components/tabs.tsx'
import { AttemptsTab } from './attempts-tab.tsx'
import { DiffTab } from './diff-tab.tsx'
import { OverviewTab } from './overview-tab.tsx'
import { RelatedTab } from './related-tab.tsx'
import { ResourceTab } from './resource-tab.tsx'
import type { TaskTab } from './search.ts'
import type { TaskShown } from './shown.ts'
import { TimelineTab } from './timeline-tab.tsx'

export function taskTabs(shown: TaskShown): readonly Tab<TaskTab>[] {
  const { task, attempts } = shown
  return [
    { id: 'overview', label: 'Overview', content: <OverviewTab {...shown} /> },
    { id: 'diff', label: 'Diff', count: task.changes?.files, content: <DiffTab {...shown} /> },
    {
      id: 'attempts',
      label: 'Attempts',
      count: attempts.attempts.length,
      content: <AttemptsTab {...shown} />,
    },
    { id: 'timeline', label: 'Timeline', content: <TimelineTab task={task} state={attempts} /> },
    { id: 'related', label: 'Tasks', count: task.depends_on.length, content: <RelatedTab task={task} /> },
    { id: 'resource', label: 'YAML', content: <ResourceTab task={task} /> },
  ]
}
