/** Schemas of one kind that get a type name of their own; `[]` stands for the items of a list. */
const OF_ONE_KIND: Readonly<Record<string, string>> = {
  'Task.spec': 'TaskSpec',
  'Task.spec.agent': 'AgentConfiguration',
  // The older name of spec.agent.
  'Task.spec.claude': 'AgentConfiguration',
  'Task.status': 'TaskStatus',
  'Task.status.state': 'TaskState',
  'Task.status.agent': 'ChosenAgent',
  'Task.status.agent.chosenBy': 'ChosenBy',
  'Task.status.question': 'PendingQuestion',
  'Task.status.decisions[]': 'Decision',
  'Task.status.decisions[].action': 'DecisionAction',
  'Execution.spec': 'ExecutionSpec',
  'Execution.spec.purpose': 'ExecutionPurpose',
  'Execution.status': 'ExecutionStatus',
  'Execution.status.state': 'ExecutionState',
  'Execution.status.phases[]': 'ExecutionPhase',
  'Execution.status.pod': 'ExecutionPod',
  'Execution.status.agentOutcome': 'Outcome',
  'Execution.status.tokens': 'Tokens',
  'Story.spec': 'StorySpec',
  'Story.spec.validation': 'StoryValidation',
  // StoryStatus is the value of a story's status field, as the contract calls it.
  'Story.status': 'StoryStatusFields',
  'Story.status.status': 'StoryStatus',
  'Story.status.tasks': 'StoryTasks',
  'Story.status.evaluation': 'StoryEvaluation',
  'Story.status.evaluation.verdicts[]': 'StoryVerdict',
  'Story.status.evaluation.verdicts[].verdict': 'Verdict',
  'Story.status.branch': 'StoryBranch',
  'StoryEvent.spec': 'StoryEventSpec',
  'StoryEvent.spec.kind': 'StoryEventKind',
  'Epic.spec': 'EpicSpec',
  'Epic.status': 'EpicStatus',
  'Project.spec': 'ProjectSpec',
  'Project.spec.git': 'ProjectGit',
  'Project.status': 'ProjectStatus',
  'Agent.spec': 'AgentSpec',
  'Agent.spec.adapter': 'AgentAdapter',
  'Agent.spec.dropsAccess': 'DropsAccess',
  'Agent.spec.prompts': 'AgentPrompts',
  'Agent.spec.credentials': 'AgentCredentials',
  'Agent.spec.credentials.files[]': 'CredentialFile',
  'Agent.spec.credentials.env[]': 'CredentialVariable',
  'Agent.spec.podTemplate': 'AgentPodTemplate',
  'Agent.spec.podTemplate.tolerations[]': 'Toleration',
  'Agent.spec.podTemplate.imagePullSecrets[]': 'SecretReference',
  'Agent.status': 'AgentStatus',
  'Agent.status.outcomes[]': 'AgentOutcomeRecord',
  'Agent.status.outcomes[].counted': 'OutcomeCounted',
  'Agent.status.drained': 'AgentDrain',
  'Agent.status.events[]': 'AgentEvent',
  'Agent.status.events[].kind': 'AgentEventKind',
}

/** The same type wherever a kind has the field; the schemas must agree, or the generator stops. */
const OF_EVERY_KIND: Readonly<Record<string, string>> = {
  'spec.runPolicy': 'RunPolicy',
  'status.question.items[]': 'Question',
  'status.questions[]': 'Question',
  'status.error': 'ExecutionError',
  'status.error.category': 'ErrorCategory',
  'status.changes': 'Changes',
  'status.lastAction': 'LastAction',
  'status.conditions[]': 'Condition',
  'status.conditions[].status': 'ConditionStatus',
}

/** The type name of the schema at a path such as `Task.status.state`; undefined when it is printed in place. */
export function findTypeName(path: string): string | undefined {
  return OF_ONE_KIND[path] ?? OF_EVERY_KIND[path.slice(path.indexOf('.') + 1)]
}
