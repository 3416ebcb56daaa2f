import assert from 'node:assert/strict'
import { elaborateStoryPrompt } from '../../../core/prompt/elaborate-story.ts'
import { elaborateTaskPrompt } from '../../../core/prompt/elaborate-task.ts'
import { validateTaskPrompt } from '../../../core/prompt/validate-task.ts'

const project = { name: 'The shop', testCommand: 'make check' }
const agents = [{ name: 'claude', hint: 'large changes' }, { name: 'gemini' }]

describe('the prompts for agents beside the tasks', () => {
  const all = {
    'elaborate a task': elaborateTaskPrompt({ prompt: 'I want CSV', project, agents }),
    'elaborate a story': elaborateStoryPrompt({ prompt: 'I want CSV', project, agents }),
    'validate a task': validateTaskPrompt({
      name: 'I want CSV',
      description: 'soon',
      instructions: 'be terse',
      project,
    }),
  }
  for (const [what, text] of Object.entries(all)) {
    it(`${what}: tells what is wanted, the project and its check, and that nothing is to be changed`, () => {
      for (const part of ['I want CSV', 'The shop', '`make check`', 'Change nothing'])
        assert.ok(text.includes(part), part)
    })
  }

  it('name each agent with its hint, and give what they do not know no heading', () => {
    assert.match(all['elaborate a task'], /- claude: large changes\n- gemini\n/)
    const bare = elaborateTaskPrompt({ prompt: 'x', agents: [] })
    assert.doesNotMatch(bare, /## (The project|Agents)|undefined/)
    const bareTask = validateTaskPrompt({ name: 'x' })
    assert.doesNotMatch(bareTask, /## (The project|Its instructions)|undefined/)
  })

  it('name each field of the answer that they are to fill', () => {
    for (const field of [
      'name',
      'branch_name',
      'spec',
      'acceptance_criteria',
      'tasks',
      'subtasks',
      'validation',
      'steps',
    ])
      assert.ok(all['elaborate a story'].includes(`\`${field}\``), field)
    for (const field of ['questions', 'suggestions']) assert.ok(all['validate a task'].includes(`\`${field}\``), field)
  })
})
