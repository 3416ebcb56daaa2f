import { formatSize } from '../../../core/amounts.ts'
import type { Drop } from '../../../core/rest/client/client.ts'
import { dropPath } from '../../api/drops.ts'
import { TimeAgo } from '../../components/time-ago.tsx'
import { showUnseen } from '../../model/hostile-text.ts'
import css from './drops.module.css'

/** The files, newest first; a click downloads. */
export function DropList({ drops }: { readonly drops: readonly Drop[] }) {
  return (
    <table className={css['files']}>
      <caption className="unseen">Files of the drop directory</caption>
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Size</th>
          <th scope="col">Changed</th>
        </tr>
      </thead>
      <tbody>
        {drops.map(({ name, size, modified_at }) => (
          <tr key={name}>
            <th scope="row">
              <a href={dropPath(name)} download={name}>
                {showUnseen(name)}
              </a>
            </th>
            <td>{formatSize(size)}</td>
            <td>
              <TimeAgo at={modified_at} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
