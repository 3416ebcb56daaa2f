import type { Validation } from '../../../core/rest/client/client.ts'
import { Finding } from '../../components/finding.tsx'
import css from './new-task.module.css'

const PARTS = [
  { key: 'warnings', title: 'Warnings', verdict: 'unsure' },
  { key: 'questions', title: 'Left open', verdict: 'unsure' },
  { key: 'suggestions', title: 'Suggestions', verdict: 'unsure' },
] as const

/** What stands against the task and what would help, in the server's and the agent's words. */
export function Remarks({ found }: { readonly found: Validation }) {
  const parts = PARTS.filter(({ key }) => found[key].length > 0)
  return (
    <>
      <Finding
        verdict={found.valid ? 'good' : 'bad'}
        title={found.valid ? 'It can be created' : 'It cannot be created yet: see the fields'}
      />
      {parts.map(({ key, title, verdict }) => (
        <Finding key={key} verdict={verdict} title={title}>
          <ul className={css['remarks']}>
            {found[key].map((remark) => (
              <li key={remark}>{remark}</li>
            ))}
          </ul>
        </Finding>
      ))}
    </>
  )
}
