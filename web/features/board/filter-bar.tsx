import { Search } from 'lucide-react'
import { useRecords } from '../../api/queries.ts'
import { SMALL_ICON } from '../../components/icons.tsx'
import { FilterSelect } from '../../components/filter-select.tsx'
import css from '../../components/filters.module.css'
import type { BoardSearch } from './search.ts'
import { UNASSIGNED } from './search.ts'

interface FilterBarProps {
  readonly search: BoardSearch
  readonly onChange: (search: BoardSearch) => void
}

/** The board's filters; what they say stands in the URL. */
export function FilterBar({ search, onChange }: FilterBarProps) {
  const { data: projects = [] } = useRecords('projects')
  const { data: epics = [] } = useRecords('epics')
  const { data: agents = [] } = useRecords('agents')
  const change = (field: keyof BoardSearch, value: string | true | undefined): void => {
    const { [field]: _, ...others } = search
    onChange(value === undefined || value === '' ? others : { ...others, [field]: value })
  }
  return (
    <div className={css['filters']} role="search" aria-label="Filter stories">
      <label className={css['field']}>
        <Search size={SMALL_ICON} aria-hidden />
        <input
          type="search"
          placeholder="Search stories and tasks"
          aria-label="Search stories and tasks"
          data-search-field
          value={search.q ?? ''}
          onChange={(event) => change('q', event.target.value)}
        />
        <kbd>/</kbd>
      </label>
      <button
        className={css['pill']}
        aria-pressed={search.waiting === true}
        onClick={() => change('waiting', search.waiting === true ? undefined : true)}
      >
        Waiting for me
      </button>
      <FilterSelect
        label="Project"
        value={search.project}
        options={projects.map(({ id, name }) => ({ id, name }))}
        onChange={(value) => change('project', value)}
      />
      <FilterSelect
        label="Epic"
        value={search.epic}
        options={[...epics.map(({ id, name }) => ({ id, name })), { id: UNASSIGNED, name: 'Unassigned' }]}
        onChange={(value) => change('epic', value)}
      />
      <FilterSelect
        label="Agent"
        value={search.agent}
        options={agents.map(({ id }) => ({ id, name: id }))}
        onChange={(value) => change('agent', value)}
      />
    </div>
  )
}
