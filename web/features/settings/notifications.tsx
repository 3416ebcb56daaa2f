import { type PushFacts, type PushStatus, PUSH_WORDS, pushStatus } from '../../model/push-status.ts'
import { type usePush, subscribePush, testPush, unsubscribePush } from '../../api/push.ts'
import { useSession } from '../../api/session.ts'
import { useDecision } from '../../api/use-decision.ts'
import { Button } from '../../components/button.tsx'
import { ICON, STATE_ICONS } from '../../components/icons.tsx'
import { telling } from '../../components/toast.tsx'
import css from './settings.module.css'

const SIGNS: Readonly<Record<PushStatus, { readonly icon: keyof typeof STATE_ICONS; readonly tone: string }>> = {
  insecure: { icon: 'stopped', tone: 'ask' },
  unsupported: { icon: 'stopped', tone: 'ask' },
  blocked: { icon: 'stopped', tone: 'ask' },
  stale: { icon: 'failed', tone: 'fail' },
  off: { icon: 'pause', tone: 'wait' },
  on: { icon: 'done', tone: 'done' },
}

/** Push notifications of this browser: whether they come, what stands in their way, and a test of them. */
export function Notifications({ data, error }: Pick<ReturnType<typeof usePush>, 'data' | 'error'>) {
  return (
    <section className={css['group']} aria-live="polite">
      <h2>Notifications</h2>
      {data === undefined && <p className={css['sign']}>{error?.message}</p>}
      {data !== undefined && <Known facts={data} />}
    </section>
  )
}

function Known({ facts }: { readonly facts: PushFacts }) {
  const { may } = useSession()
  const status = pushStatus(facts)
  const { icon, tone } = SIGNS[status]
  const Icon = STATE_ICONS[icon]
  return (
    <>
      <p className={css['sign']} data-tone={tone}>
        <Icon size={ICON} aria-hidden />
        <span>{PUSH_WORDS[status]}</span>
      </p>
      {may('decide') ? (
        <Buttons status={status} />
      ) : (
        <p className={css['note']}>
          Your token may only read. Notifications lead to decisions, so they need the scope <code>decide</code>.
        </p>
      )}
    </>
  )
}

function Buttons({ status }: { readonly status: PushStatus }) {
  const subscribe = useDecision(subscribePush, telling())
  const unsubscribe = useDecision(unsubscribePush, telling())
  const test = useDecision(testPush, telling())
  if (status === 'off' || status === 'stale')
    return (
      <Button
        look="primary"
        isBusy={subscribe.isPending}
        // Safari asks only in the gesture itself, so that the question is not put behind another await.
        onClick={() => subscribe.decide(Notification.requestPermission())}
      >
        {status === 'off' ? 'Notify this browser' : 'Subscribe again'}
      </Button>
    )
  if (status !== 'on') return null
  return (
    <p className={css['buttons']}>
      <Button isBusy={test.isPending} onClick={() => test.decide(undefined)}>
        Send a test
      </Button>
      <Button look="quiet" isBusy={unsubscribe.isPending} onClick={() => unsubscribe.decide(undefined)}>
        Stop notifying
      </Button>
    </p>
  )
}
