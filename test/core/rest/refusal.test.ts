import assert from 'node:assert/strict'
import { inRestNames } from '../../../core/rest/refusal.ts'

describe('a refusal of the schema, told over REST', () => {
  const cases: Readonly<Record<string, readonly [string, string]>> = {
    'names the field as the caller sent it': [
      'Project.slipway.dev "p" is invalid: spec.remoteUrl: Invalid value: "string": must be an https URL',
      'remote_url: must be an https URL',
    ],
    'says name for the title, and names every field': [
      'Task.slipway.dev "t" is invalid: [spec.title: Required value, spec.budgetUSD: Invalid value: -1: too small]',
      '[name: Required value, budget_usd: Invalid value: -1: too small]',
    ],
    'says once what it is about': [
      'Project.slipway.dev "p" is invalid: spec.localPath: Invalid value: "string": localPath must be an absolute path',
      'local_path: must be an absolute path',
    ],
    'keeps the subject of a rule about another field': [
      'Agent.slipway.dev "a" is invalid: spec.models: Invalid value: "array": defaultModel must be one of models',
      'models: defaultModel must be one of models',
    ],
    'says nothing of the place where a rule is about the whole object': [
      'Agent.slipway.dev "a" is invalid: <nil>: Invalid value: "object": name the adapter',
      'name the adapter',
    ],
    'says nothing of it among others either': [
      'Task.slipway.dev "t" is invalid: [<nil>: Invalid value: "object": too much, spec.title: Required value]',
      '[too much, name: Required value]',
    ],
    'says which name an entry shares with an earlier one, and the way out': [
      'Project.slipway.dev "p" is invalid: spec.checks[1]: Duplicate value: {"name":"test"}',
      'checks[1]: has the name "test" of an earlier entry: give each one its own',
    ],
    'keeps a path and its index': [
      'Task.slipway.dev "t" is invalid: spec.agent.allowedTools[1]: Too long: may not be more than 200 bytes',
      'agent.allowed_tools[1]: Too long: may not be more than 200 bytes',
    ],
  }
  for (const [title, [message, expected]] of Object.entries(cases)) {
    it(title, () => assert.equal(inRestNames(message), expected))
  }
})
