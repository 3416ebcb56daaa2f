import { useStoryManifest } from '../../api/story-details.ts'
import { CodeBlock } from '../../components/code-block.tsx'
import { Skeleton } from '../../components/view-states.tsx'
import css from './story.module.css'

/** The resource as it is stored, and the command that shows the same. */
export function StoryManifest({ id }: { readonly id: string }) {
  const { data, error } = useStoryManifest(id)
  if (error !== null) return <p className={css['none']}>{error.message}</p>
  if (data === undefined) return <Skeleton rows={3} label="The YAML is being read" />
  return (
    <div className={css['main']}>
      <CodeBlock label="Command" text={`kubectl get stories.slipway.dev ${id} -o yaml`} />
      <CodeBlock label="YAML of the story" text={data} />
    </div>
  )
}
