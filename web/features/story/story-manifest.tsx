import type { Story } from '../../../core/rest/client/client.ts'
import { useResource } from '../../api/kubernetes.ts'
import { CodeBlock } from '../../components/code-block.tsx'
import { KubernetesFacts } from '../../components/kubernetes-facts.tsx'
import { ReadAgainPart } from '../../components/read-part.tsx'
import css from './story.module.css'

/** The resource as it is stored, the command that shows the same, and its events. */
export function StoryManifest({ story }: { readonly story: Story }) {
  const resource = useResource({ kind: 'story', id: story.id, version: story })
  return (
    <div className={css['main']}>
      <ReadAgainPart what="The YAML" reading={resource} rows={3}>
        {({ manifest, kubernetes }) => (
          <>
            <CodeBlock label="Command" text={`kubectl get story ${story.id} -n ${kubernetes.namespace} -o yaml`} />
            <CodeBlock label="YAML of the story" text={manifest} />
            <KubernetesFacts kubernetes={kubernetes} noun="story" hasPod={false} />
          </>
        )}
      </ReadAgainPart>
    </div>
  )
}
