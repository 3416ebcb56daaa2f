import { TASK_STATE_VALUES } from '../../../core/crd/enums.ts'
import { TASK_STATE_LABELS } from '../../../core/sentences/states.ts'
import { useFacts } from '../../api/queries.ts'
import { useSavedViews } from '../../api/saved-views.ts'
import { FilterSelect } from '../../components/filter-select.tsx'
import css from '../../components/filters.module.css'
import { SavedViews } from '../../components/saved-views.tsx'
import { SearchField } from '../../components/search-field.tsx'
import { nameFacts } from '../../model/facts.ts'
import { fromQuery, toQuery } from '../../model/search-params.ts'
import { type BoardSearch, type Shape, parseBoardSearch, UNASSIGNED } from './search.ts'

interface FilterBarProps {
  readonly search: BoardSearch
  readonly shape: Shape
  readonly onChange: (search: BoardSearch) => void
}

/** The filters of the stories; what they say stands in the URL. */
export function FilterBar({ search, shape, onChange }: FilterBarProps) {
  const projects = useFacts('projects', nameFacts)
  const epics = useFacts('epics', nameFacts)
  const agents = useFacts('agents', nameFacts)
  const [saved, setSaved] = useSavedViews('stories')
  const change = (part: BoardSearch): void => onChange({ ...search, ...part })
  return (
    <div className={css['filters']} role="search" aria-label="Filter stories">
      <SearchField label="Search stories and tasks" value={search.q ?? ''} onChange={(q) => change({ q })} />
      <button
        className={css['pill']}
        aria-pressed={search.waiting === true}
        onClick={() => change({ waiting: search.waiting === true ? undefined : true })}
      >
        Waiting for me
      </button>
      <FilterSelect
        label="Project"
        value={search.project}
        options={projects}
        onChange={(project) => change({ project })}
      />
      <FilterSelect
        label="Epic"
        value={search.epic}
        options={[...epics, { id: UNASSIGNED, name: 'Unassigned' }]}
        onChange={(epic) => change({ epic })}
      />
      <FilterSelect
        label="Agent"
        value={search.agent}
        options={agents.map(({ id }) => ({ id, name: id }))}
        onChange={(agent) => change({ agent })}
      />
      <FilterSelect
        label="Task state"
        value={search.state}
        options={TASK_STATE_VALUES.map((id) => ({ id, name: TASK_STATE_LABELS[id] }))}
        onChange={(state) => change({ state: TASK_STATE_VALUES.find((known) => known === state) })}
      />
      {shape === 'list' && (
        <label className={css['pill']}>
          Group by
          <select
            value={search.group ?? 'status'}
            onChange={({ target }) => change({ group: target.value === 'epic' ? 'epic' : undefined })}
          >
            <option value="status">status</option>
            <option value="epic">epic</option>
          </select>
        </label>
      )}
      <SavedViews
        views={saved}
        onChange={setSaved}
        query={toQuery(search)}
        onOpen={(query) => onChange(parseBoardSearch(fromQuery(query)))}
      />
    </div>
  )
}
