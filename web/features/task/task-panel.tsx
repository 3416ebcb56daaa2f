import { usePanelTab } from '../../components/use-panel.ts'
import { TASK_TABS } from './search.ts'
import { TaskView } from './task-view.tsx'

/** A task in the side panel. Rendered anew for each task, so nothing of another one stays. */
export function TaskPanel({ taskId }: { readonly taskId: string }) {
  const [tab, setTab] = usePanelTab(TASK_TABS)
  return <TaskView taskId={taskId} tab={tab} onTab={setTab} isPanel />
}
