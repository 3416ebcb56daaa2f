import type { ProjectOf, ReadProjectOf } from '../model/on-accept.ts'
import { Button } from './button.tsx'

interface AcceptConsequenceProps {
  readonly project: ReadProjectOf
  readonly wordsOf: (project: Extract<ProjectOf, { isKnown: true }>['project']) => string
}

/** What Accept does; while that is not known, why, and what reads the project again. */
export function AcceptConsequence({ project, wordsOf }: AcceptConsequenceProps) {
  if (project.isKnown) return wordsOf(project.project)
  return (
    <>
      {project.problem}{' '}
      <Button isSmall onClick={project.readAgain}>
        Read again
      </Button>
    </>
  )
}
