import assert from 'node:assert/strict'
import type { Agent, Epic, Execution, Project, Story, StoryEvent, Task } from '../../core/crd/types.ts'
import type { KubeObject } from '../../kube/types.ts'

type IsKubeObject<T> = T extends KubeObject ? true : false

describe('the generated types', () => {
  it('are objects of a Kubernetes API, each of the seven', () => {
    type All = Task | Execution | Story | StoryEvent | Epic | Project | Agent
    const all: IsKubeObject<All> = true
    assert.ok(all)
  })
})
