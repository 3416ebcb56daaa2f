import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import {
  hasEnvironment,
  toEnvironmentForm,
  toProjectEdit,
  toProjectForm,
  toProjectInput,
} from '../../../web/features/projects/project-form.ts'

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

describe('what the form of a project says of its environment', () => {
  const environment = {
    setup: 'npm ci\n',
    cache: [
      { path: 'node_modules', mode: 'copy' as const },
      { path: '~/.npm', mode: 'read_only' as const },
    ],
    keys: ['package-lock.json'],
    env: [{ name: 'CI', value: '1' }],
    timeout_seconds: 600,
    required: true,
  }

  it('is nothing where all is left open', () => {
    assert.equal(hasEnvironment(toProjectForm(PROJECT)), false)
    assert.ok(!('environment' in toProjectInput(toProjectForm(PROJECT))))
  })

  it('is what is proposed, once that is filled in', () => {
    const form = { ...toProjectForm(PROJECT), ...toEnvironmentForm(environment) }
    assert.deepEqual(form.env_cache, ['node_modules', '~/.npm:ro'])
    assert.deepEqual(toProjectEdit(PROJECT, form), {
      environment: { ...environment, cache: [{ path: 'node_modules' }, { path: '~/.npm', mode: 'read_only' }] },
    })
  })

  it('changes what was changed alone, and clears what was emptied', () => {
    const project = { ...PROJECT, environment }
    const form = toProjectForm(project)
    assert.deepEqual(toProjectEdit(project, form), {})
    assert.deepEqual(
      toProjectEdit(project, { ...form, env_setup: 'make deps', env_timeout: '', env_required: false }),
      {
        environment: { setup: 'make deps', timeout_seconds: null, required: null },
      },
    )
    assert.deepEqual(toProjectEdit(project, { ...toProjectForm(PROJECT) }), { environment: null })
  })

  it('lets a setup that is missing be refused by its field', () => {
    const form = { ...toProjectForm(PROJECT), env_keys: ['go.sum'] }
    assert.deepEqual(toProjectInput(form).environment, { setup: '', keys: ['go.sum'] })
  })

  it('keeps every folder and its mode, whatever it is called', () => {
    const modes = fc.constantFrom('copy' as const, 'read_only' as const)
    const paths = fc.oneof(fc.constantFrom('a:ro', 'b:copy', 'c:ro:copy'), fc.stringMatching(/^[a-z~/.:]{1,12}$/))
    fc.assert(
      fc.property(
        fc.array(fc.record({ path: paths, mode: modes }, { noNullPrototype: true }), { minLength: 1 }),
        (cache) => {
          const form = { ...toProjectForm(PROJECT), ...toEnvironmentForm({ setup: 'x', cache }) }
          const said = toProjectInput(form).environment?.cache?.map(({ path, mode = 'copy' }) => ({ path, mode }))
          assert.deepEqual(said, cache)
        },
      ),
    )
  })
})
