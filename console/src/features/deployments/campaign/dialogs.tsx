import { one, useScreenState } from '../../../data/search.ts'
import type { Campaign } from '../../../flightdeck.ts'
import { Confirm } from '../../../ui/forms/confirm.tsx'
import { refusalOf, useTrial } from '../../../ui/forms/trial.ts'
import { say } from '../../../ui/layers/toast.tsx'
import { lazyDialog } from '../../../ui/lazily.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { troubleOf } from '../../../ui/problem.ts'
import { Soft } from '../../../ui/values/text.tsx'
import { act, detach } from '../act.ts'
import { type Deployment, rereadDeployments } from '../queries.ts'
import { actionWords, blockedBy } from '../words.ts'
import { Differences } from './compared.tsx'

const DeployForm = lazyDialog(() => import('./form.tsx'))

type DeployedProps = { campaign: Campaign; deployment: Deployment }
type OpenProps = DeployedProps & { onClose: () => void }

/** The dialog that the address says is open. */
export function DeploymentDialog(props: DeployedProps) {
  const [{ open }, setSearch] = useScreenState()
  const onClose = () => setSearch({ open: undefined })
  const action = one(open)
  if (action === 'terms') return <DeployForm {...props} onClose={onClose} />
  if (action === 'detach') return <Detach {...props} onClose={onClose} />
  const available = props.deployment.available_actions.find((each) => each.action === action)
  if (!available || available.action === 'check') return null
  return <Ask {...props} available={available} onClose={onClose} />
}

type AskProps = OpenProps & { available: Deployment['available_actions'][number] }

/** Asks before an action, with what it would do. */
function Ask({ campaign, deployment, available, onClose }: AskProps) {
  const { action } = available
  const words = actionWords[action]
  const isAdoption = action === 'adopt'
  const trial = useTrial({
    action,
    object: deployment,
    dryRun: () => act(action, deployment).dryRun(),
    enabled: isAdoption && available.allowed,
  })
  return (
    <Confirm
      title={`${words?.name} ${campaign.name}?`}
      text={words?.follows ?? ''}
      verb={words?.name ?? action}
      danger={action === 'remove'}
      wide
      blocked={blockedBy(available) ?? refusalOf(trial.error)}
      run={(write) => act(action, deployment, write)}
      onDone={() => {
        say(words?.asked ?? action)
        void rereadDeployments()
        onClose()
      }}
      onClose={onClose}
    >
      {(isAdoption || action === 'overwrite') && (
        <Differences deployment={deployment} exponent={campaign.currency_exponent} />
      )}
      {isAdoption && <Outcome {...trial} />}
    </Confirm>
  )
}

function Outcome({ data, error }: { data: unknown; error: unknown }) {
  if (error) {
    return (
      <Notice tone="warn" title={troubleOf(error).detail}>
        <p>Propose it as a change set instead, for others to review.</p>
      </Notice>
    )
  }
  return data ? <Notice tone="good" title="It can be adopted." /> : <Soft>Trying it out…</Soft>
}

const Detach = ({ campaign, deployment, onClose }: OpenProps) => (
  <Confirm
    title={`Detach ${campaign.name}?`}
    text="The campaign in the network is left as it is, and may go on to run and to spend. Flightdeck no longer changes it."
    verb="Detach"
    danger
    run={(write) => detach(deployment, write)}
    onDone={() => {
      say('Detached', { detail: 'The network was left as it is.' })
      onClose()
      void rereadDeployments()
    }}
    onClose={onClose}
  />
)
