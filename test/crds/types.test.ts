import assert from 'node:assert/strict'
import type { Agent, Epic, Execution, ObjectMeta, Project, Story, StoryEvent, Task } from '../../core/crd/types.ts'
import type { KubeObject, ObjectMeta as KubeObjectMeta } from '../../kube/types.ts'

/** True when each type can stand for the other; anything else does not compile below. */
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false

type IsKubeObject<T> = T extends KubeObject ? true : false

describe('the generated types', () => {
  it('have the ObjectMeta of kube/, though core/ may not import it', () => {
    const same: Same<ObjectMeta, KubeObjectMeta> = true
    assert.ok(same)
  })

  it('are objects of a Kubernetes API, each of the seven', () => {
    type All = Task | Execution | Story | StoryEvent | Epic | Project | Agent
    const all: IsKubeObject<All> = true
    assert.ok(all)
  })
})
