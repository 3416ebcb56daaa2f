import { useMemo } from 'react'
import type { Story, StoryGraph as Graph, Task } from '../../../core/rest/client/client.ts'
import { useServerTime } from '../../api/server-clock.ts'
import { useStoryGraph } from '../../api/story-details.ts'
import { Graph as TaskGraph } from '../../components/graph/graph.tsx'
import { ReadPart } from '../../components/read-part.tsx'
import { usePanel } from '../../components/use-panel.ts'
import { graphItems } from './graph-items.ts'
import css from './story.module.css'

/** The story's tasks as a graph; a click opens one in the panel. */
export function StoryGraph({ story, tasks }: { readonly story: Story; readonly tasks: readonly Task[] }) {
  const graph = useStoryGraph(story, tasks)
  if (tasks.length === 0)
    return <p className={css['none']}>The story has no tasks. Each task that is added waits for the one before it.</p>
  return (
    <ReadPart what="What the tasks wait for" reading={graph} rows={3}>
      {(read) => <Drawn graph={read} tasks={tasks} />}
    </ReadPart>
  )
}

function Drawn({ graph, tasks }: { readonly graph: Graph; readonly tasks: readonly Task[] }) {
  const nowMs = useServerTime()
  const { open } = usePanel()
  const items = useMemo(() => graphItems(graph, tasks, nowMs), [graph, tasks, nowMs])
  return (
    <TaskGraph
      items={items}
      links={graph.edges}
      label={`Graph of ${tasks.length} tasks: arrow keys move along what waits for what, Enter opens`}
      onOpen={(id) => open({ kind: 'task', id })}
    />
  )
}
