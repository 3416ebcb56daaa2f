import type { AcceptEffect, AcceptingProject } from '../../core/sentences/accept.ts'
import type { ReadProjectOf } from '../model/on-accept.ts'
import { Button } from './button.tsx'

interface AcceptConsequenceProps {
  readonly project: ReadProjectOf
  readonly effectOf: (project: AcceptingProject) => AcceptEffect
}

/** What Accept does; while that is not known, why, and what reads the project again. */
export function AcceptConsequence({ project, effectOf }: AcceptConsequenceProps) {
  if (project.isKnown) return `Accept ${effectOf(project.project).words}.`
  return (
    <>
      {project.problem}{' '}
      <Button isSmall onClick={project.readAgain}>
        Read again
      </Button>
    </>
  )
}
