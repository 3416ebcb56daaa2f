import { useDraft } from '../../api/drafts.ts'
import { useRecords } from '../../api/queries.ts'
import { Button } from '../../components/button.tsx'
import { ViewHeader } from '../../components/view-header.tsx'
import { AgentStep } from './agent-step.tsx'
import css from './first-run.module.css'
import { RepositoryStep } from './repository-step.tsx'
import { type Step, stepOf, STEPS } from './steps.ts'
import { TaskStep } from './task-step.tsx'
import { WatchStep } from './watch-step.tsx'

interface FirstRunProps {
  /** The guide's own task, by its id; empty before it is made. */
  readonly taskId: string
  readonly onTask: (id: string) => void
  readonly onLeave: () => void
}

/** Leads from nothing to a first accepted task: a repository, an agent, a task. What was chosen survives a reload. */
export function FirstRun({ taskId, onTask, onLeave }: FirstRunProps) {
  const { data: projects = [] } = useRecords('projects')
  const { data: agents = [] } = useRecords('agents')
  const { data: tasks = [] } = useRecords('tasks')
  const [projectId, setProject] = useDraft('first-run.project')
  const [agentId, setAgent] = useDraft('first-run.agent')
  const project = projects.find(({ id }) => id === projectId)
  const agent = agents.find(({ id }) => id === agentId)
  const task = tasks.find(({ id }) => id === taskId)
  const step = stepOf({ project, agent, task })
  const leave = (): void => {
    setProject('')
    setAgent('')
    onLeave()
  }
  return (
    <>
      <ViewHeader title="Your first task">
        <span className={css['wide']}>a repository, an agent, a task</span>
        {step !== 'watch' && (
          <span className={css['end']}>
            <Button isSmall look="quiet" onClick={leave}>
              Leave the guide
            </Button>
          </span>
        )}
      </ViewHeader>
      <div className={css['page']}>
        <Progress step={step} />
        {step === 'repository' && <RepositoryStep projects={projects} onDone={setProject} />}
        {step === 'agent' && <AgentStep agents={agents} onDone={setAgent} onBack={() => setProject('')} />}
        {project !== undefined && agent !== undefined && step === 'task' && (
          <TaskStep project={project} agent={agent} onTask={onTask} onBack={() => setAgent('')} />
        )}
        {task !== undefined && <WatchStep task={task} onLeave={leave} />}
      </div>
    </>
  )
}

function Progress({ step }: { readonly step: Step }) {
  const now = STEPS.findIndex(({ id }) => id === step)
  return (
    <ol className={css['steps']} aria-label="Steps">
      {STEPS.map(({ id, label }, index) => (
        <li key={id} aria-current={index === now ? 'step' : undefined} data-done={index < now || undefined}>
          <b aria-hidden>{index < now ? '✓' : index + 1}</b>
          {label}
          {index < now && <span className="unseen"> (done)</span>}
        </li>
      ))}
    </ol>
  )
}
