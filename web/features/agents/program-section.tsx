import type { AgentAdapter } from '../../../core/crd/types.ts'
import { usePrograms } from '../../api/setup.ts'
import { Finding, ProgramFinding } from '../../components/finding.tsx'
import css from './agents.module.css'

/** What was found of the program that an adapter drives, and of its login. */
export function ProgramSection({ adapter }: { readonly adapter: AgentAdapter }) {
  const { data } = usePrograms()
  if (data === undefined)
    return (
      <div className={css['pending']}>
        <Finding verdict="pending" title="Programs and logins are being looked for…" />
      </div>
    )
  if (data.place === 'images' && adapter !== 'script')
    return (
      <Finding
        verdict="unsure"
        title="In a cluster the agent’s image brings its program, and a Secret its login: name both below"
      />
    )
  const program = data.programs.find((each) => each.adapter === adapter)
  return program === undefined ? null : <ProgramFinding program={program} />
}
