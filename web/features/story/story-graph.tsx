import { useMemo } from 'react'
import type { Story, Task } from '../../../core/rest/client/client.ts'
import { useServerTime } from '../../api/server-clock.ts'
import { useStoryGraph } from '../../api/story-details.ts'
import { Graph } from '../../components/graph/graph.tsx'
import { usePanel } from '../../components/use-panel.ts'
import { graphItems } from './graph-items.ts'
import css from './story.module.css'

/** The story's tasks as a graph; a click opens one in the panel. */
export function StoryGraph({ story, tasks }: { readonly story: Story; readonly tasks: readonly Task[] }) {
  const graph = useStoryGraph(story, tasks)
  const nowMs = useServerTime()
  const { open } = usePanel()
  const items = useMemo(() => graphItems(graph, tasks, nowMs), [graph, tasks, nowMs])
  if (tasks.length === 0)
    return <p className={css['none']}>The story has no tasks. Each task that is added waits for the one before it.</p>
  return (
    <Graph
      items={items}
      links={graph.edges}
      label={`Graph of ${tasks.length} tasks: arrow keys move along what waits for what, Enter opens`}
      onOpen={(id) => open({ kind: 'task', id })}
    />
  )
}
