import type { Execution } from '../../../core/rest/client/client.ts'
import { hasEnded } from '../../api/executions.ts'
import { useResource } from '../../api/kubernetes.ts'
import { CodeBlock } from '../../components/code-block.tsx'
import { KubernetesFacts } from '../../components/kubernetes-facts.tsx'
import { ReadAgainPart } from '../../components/read-part.tsx'
import css from './execution.module.css'

/** The resource as Kubernetes has it, with its events and its pod, and the command that shows the same. */
export function DetailsTab({ execution }: { readonly execution: Execution }) {
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
