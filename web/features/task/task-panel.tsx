import { useState } from 'react'
import { TaskView } from './task-view.tsx'
import type { TaskTab } from './search.ts'

/** A task in the side panel. Rendered anew for each task, so nothing of another one stays. */
export function TaskPanel({ taskId }: { readonly taskId: string }) {
  const [tab, setTab] = useState<TaskTab>()
  return <TaskView taskId={taskId} tab={tab} onTab={setTab} isPanel />
}
