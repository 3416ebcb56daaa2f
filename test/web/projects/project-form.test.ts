import assert from 'node:assert/strict'
import { toProjectEdit, toProjectForm, toProjectInput } from '../../../web/features/projects/project-form.ts'

const PROJECT = {
  id: 'shop',
  name: 'Shop',
  remote_url: 'https://git.example/shop.git',
  run_policy: 'manual',
  created_at: '2026-01-01T00:00:00Z',
} as const

describe('what the form of a project says of its services', () => {
  const db = { name: 'db', image: 'postgres:17', ports: [5432], ready: { exec: ['pg_isready'] } }

  it('is the list that was typed, and nothing where none was', () => {
    assert.ok(!('services' in toProjectInput(toProjectForm(PROJECT))))
    assert.deepEqual(toProjectEdit(PROJECT, { ...toProjectForm(PROJECT), services: JSON.stringify([db]) }), {
      services: [db],
    })
  })

  it('keeps what was there, changes what was changed, and clears what was emptied', () => {
    const project = { ...PROJECT, services: [db] }
    const form = toProjectForm(project)
    assert.deepEqual(toProjectEdit(project, form), {})
    const changed = form.services.replace('postgres:17', 'postgres:18')
    assert.deepEqual(toProjectEdit(project, { ...form, services: changed }), {
      services: [{ ...db, image: 'postgres:18' }],
    })
    assert.deepEqual(toProjectEdit(project, { ...form, services: ' ' }), { services: null })
  })
})

describe('what the form of a project says of its clones', () => {
  it('is nothing where everything is left as it is', () => {
    assert.ok(!('checkout' in toProjectInput(toProjectForm(PROJECT))))
    const whole = { ...PROJECT, checkout: { borrow: true, submodules: 'none' as const } }
    assert.deepEqual(toProjectEdit(whole, toProjectForm(whole)), {})
  })

  it('is what was typed, without empty lines', () => {
    const typed = {
      sparse: [' services/shop ', ''],
      submodules: 'full',
      lfs: 'fetch',
      depth: ' 5 ',
      borrow: false,
    } as const
    assert.deepEqual(toProjectInput({ ...toProjectForm(PROJECT), ...typed }).checkout, {
      sparse: ['services/shop'],
      submodules: 'full',
      lfs: 'fetch',
      depth: 5,
      borrow: false,
    })
  })

  it('clears what was emptied, and leaves the rest alone', () => {
    const project = { ...PROJECT, checkout: { depth: 5, filter: 'blob:none', sparse: ['a'] } }
    const form = toProjectForm(project)
    assert.deepEqual(toProjectEdit(project, { ...form, depth: '', sparse: ['a', 'b'] }), {
      checkout: { depth: null, sparse: ['a', 'b'] },
    })
    assert.deepEqual(toProjectEdit(project, { ...form, depth: '', filter: '', sparse: [] }), { checkout: null })
  })
})
