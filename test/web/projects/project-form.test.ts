import assert from 'node:assert/strict'
import { toProjectEdit, toProjectForm, toProjectInput } from '../../../web/features/projects/project-form.ts'

const PROJECT = {
  id: 'shop',
  name: 'Shop',
  remote_url: 'https://git.example/shop.git',
  run_policy: 'manual',
  created_at: '2026-01-01T00:00:00Z',
} as const

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
