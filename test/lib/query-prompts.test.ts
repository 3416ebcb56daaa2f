import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeRequestPromptData, makeValidatePromptData, offeredAgents } from '../../core/prompts/query-data.ts'
import { PROMPT_VALUES } from '../../core/prompts/values.ts'
import { findTemplateFault, renderPrompt } from '../../lib/prompts.ts'
import { aProject, aTask, anAgent } from '../helpers/build.ts'

const SNAPSHOTS = join(import.meta.dirname, '..', '..', '..', 'test', 'fixtures', 'prompts')
const readSnapshot = (name: string): string => readFileSync(join(SNAPSHOTS, `${name}.md`), 'utf8')

const project = aProject({ spec: { title: 'The shop', testCommand: 'make check' } })
const agents = offeredAgents([
  anAgent({ name: 'claude', spec: { adapter: 'claude', classifier: { hint: 'large changes' } } }),
  anAgent({ name: 'gemini', spec: { adapter: 'gemini' } }),
  anAgent({ name: 'hidden', spec: { adapter: 'claude', classifier: { enabled: false } } }),
  anAgent({ name: 'script' }),
])
const request = makeRequestPromptData('I want <b>CSV</b>.', project, agents)
const task = aTask({ spec: { title: 'Print CSV', description: 'In report.ts.', agent: { instructions: 'Be terse.' } } })

describe('the prompt of a query', () => {
  it('turns a request into a task', () => assert.equal(renderPrompt('elaborate', request), readSnapshot('elaborate')))

  it('turns a request into a story', () => assert.equal(renderPrompt('plan', request), readSnapshot('plan')))

  it('looks at a task', () => {
    assert.equal(renderPrompt('validate', makeValidatePromptData(task, project)), readSnapshot('validate'))
  })

  it('offers the agents that the rules offer, and no script', () => {
    assert.deepEqual(agents, [{ name: 'claude', hint: 'large changes' }, { name: 'gemini' }])
  })

  it('has no section about what is not known', () => {
    const bare = makeRequestPromptData('I want CSV.', undefined, [])
    for (const name of ['elaborate', 'plan'] as const) {
      assert.deepEqual(renderPrompt(name, bare).match(/^## .*/gm), ['## The request'])
    }
    const bareTask = makeValidatePromptData(aTask({ spec: { title: 'Print CSV', agent: {} } }), undefined)
    assert.deepEqual(renderPrompt('validate', bareTask).match(/^##+ .*/gm), ['## The task: Print CSV'])
  })

  it('can be replaced, with every value that docs/prompts.md lists', () => {
    for (const name of ['elaborate', 'plan', 'validate'] as const) {
      const used = PROMPT_VALUES[name].map(({ path }) => `{{${path.replace(/^.*\[\]\./, '')}}}`).join(' ')
      assert.equal(findTemplateFault(name, `${used} {{> ${name}}}`), undefined)
    }
    assert.equal(renderPrompt('plan', request, { plan: 'Plan: {{request}}' }), 'Plan: I want <b>CSV</b>.\n')
  })
})
