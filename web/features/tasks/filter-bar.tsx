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
import { type Grouping, type TasksView, formatTasksSearch, GROUPINGS, NONE, parseTasksSearch } from './search.ts'

const GROUPING_NAMES: Readonly<Record<Grouping, string>> = {
  state: 'state',
  story: 'story',
  project: 'project',
  agent: 'agent',
  none: 'nothing',
}

interface FilterBarProps {
  readonly view: TasksView
  readonly onChange: (view: TasksView) => void
}

/** The filters of the list of tasks; what they say stands in the URL. */
export function FilterBar({ view, onChange }: FilterBarProps) {
  const projects = useFacts('projects', nameFacts)
  const epics = useFacts('epics', nameFacts)
  const stories = useFacts('stories', nameFacts)
  const agents = useFacts('agents', nameFacts)
  const [saved, setSaved] = useSavedViews('tasks')
  const change = (part: Partial<TasksView>): void => onChange({ ...view, ...part })
  return (
    <div className={css['filters']} role="search" aria-label="Filter tasks">
      <SearchField
        label="Search tasks"
        value={view.q ?? ''}
        onChange={(q) => change({ q: q.trim() === '' ? undefined : q })}
      />
      <button
        className={css['pill']}
        aria-pressed={view.isWaiting}
        onClick={() => change({ isWaiting: !view.isWaiting })}
      >
        Waiting for me
      </button>
      <FilterSelect
        label="State"
        value={view.state}
        options={TASK_STATE_VALUES.map((id) => ({ id, name: TASK_STATE_LABELS[id] }))}
        onChange={(state) => change({ state: TASK_STATE_VALUES.find((known) => known === state) })}
      />
      <FilterSelect
        label="Project"
        value={view.project}
        options={projects}
        onChange={(project) => change({ project })}
      />
      <FilterSelect
        label="Epic"
        value={view.epic}
        options={[...epics, { id: NONE, name: 'Unassigned' }]}
        onChange={(epic) => change({ epic })}
      />
      <FilterSelect
        label="Story"
        value={view.story}
        options={[...stories, { id: NONE, name: 'No story' }]}
        onChange={(story) => change({ story })}
      />
      <FilterSelect
        label="Agent"
        value={view.agent}
        options={agents.map(({ id }) => ({ id, name: id }))}
        onChange={(agent) => change({ agent })}
      />
      <label className={css['pill']}>
        Group by
        <select
          value={view.group}
          onChange={({ target }) => change({ group: GROUPINGS.find((known) => known === target.value) ?? 'state' })}
        >
          {GROUPINGS.map((id) => (
            <option key={id} value={id}>
              {GROUPING_NAMES[id]}
            </option>
          ))}
        </select>
      </label>
      <SavedViews
        views={saved}
        onChange={setSaved}
        query={toQuery(formatTasksSearch(view))}
        onOpen={(query) => onChange(parseTasksSearch(fromQuery(query)))}
      />
    </div>
  )
}
