import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useScreenState } from '../../../data/search.ts'
import { useExponent } from '../../../data/values/currencies.ts'
import { type ApiKey, flightdeck, type Schema } from '../../../flightdeck.ts'
import { useBlocked } from '../../../session.tsx'
import { Button, LinkButton } from '../../../ui/button.tsx'
import { Confirm } from '../../../ui/forms/confirm.tsx'
import { say } from '../../../ui/layers/toast.tsx'
import { Notice, ReadFailed } from '../../../ui/notice.tsx'
import pageStyles from '../../../ui/page.module.css'
import { Card, Facts, Section } from '../../../ui/page.tsx'
import { Money } from '../../../ui/values/money.tsx'
import { Age, Time } from '../../../ui/values/time.tsx'
import { agentQuery } from '../queries.ts'

type State = Schema<'AgentState'>

/** Shows what an agent's key did, what is left of its envelope, and the way to stop it at once. */
export function Agent({ apiKey }: { apiKey: ApiKey }) {
  const { data: state, error, refetch } = useQuery(agentQuery(apiKey.id))
  if (error && !state) return <ReadFailed error={error} retry={refetch} />
  if (!state) return null
  return (
    <Section title="Language model" actions={<Actions apiKey={apiKey} state={state} />}>
      {state.stopped && <Stopped state={state} />}
      <Asking apiKey={apiKey} />
      <Card>
        <Facts facts={factsOf(apiKey, state)} />
      </Card>
    </Section>
  )
}

function Stopped({ state: { stopped_at, stopped_by, reason } }: { state: State }) {
  const by = stopped_by === null ? 'by its own refusals' : 'by a person'
  return (
    <Notice tone="warn" title="Its writes are stopped">
      <p>
        Stopped {by}, <Age time={stopped_at} isReal />
        {reason && `: ${reason}`}. It still reads, and pauses campaigns.
      </p>
    </Notice>
  )
}

const applied: Readonly<Record<string, string>> = {
  never: 'Nothing by itself',
  approved: 'What is approved',
  within_envelope: 'Raises within its amounts',
}

function factsOf({ agent }: ApiKey, state: State) {
  const { change_sets: sets } = state
  return [
    ['Applies', agent ? applied[agent.apply] : null],
    ...state.envelope.map(
      (share) =>
        [
          `Raised in 24 hours, ${share.currency}`,
          <Share key={share.currency} {...share} />,
        ] as const,
    ),
    ['Waiting', `${sets.open + sets.approved}`],
    ['Applied', `${sets.applied}`],
    ['Rejected', `${sets.rejected}`],
    ['Failed', `${sets.failed}`],
    ['Refused in the last hour', `${state.refusals_last_hour} of 5 that stop it`],
    ['Last request', <Time key="last" time={state.last_request_at} none="None" />],
  ] as const
}

function Share({ currency, limit_minor, used_minor }: Schema<'AgentEnvelope'>) {
  const exponent = useExponent(currency)
  return (
    <>
      <Money minor={used_minor} currency={currency} exponent={exponent} /> of{' '}
      <Money minor={limit_minor} currency={currency} exponent={exponent} />
    </>
  )
}

type Of = { apiKey: ApiKey; state: State }

function Actions({ apiKey, state }: Of) {
  const [, setSearch] = useScreenState()
  const blocked = useBlocked(state.stopped ? 'resumeApiKey' : 'stopApiKey')
  return (
    <div className={pageStyles.actions}>
      <LinkButton to="/change-sets" search={{ created_by: apiKey.id }}>
        Its change sets
      </LinkButton>
      <Button
        blocked={blocked}
        onClick={() => setSearch({ open: state.stopped ? 'resume' : 'stop' })}
      >
        {state.stopped ? 'Let it go on…' : 'Stop…'}
      </Button>
    </div>
  )
}

/** Asks before the key is stopped, or goes on. */
function Asking({ apiKey }: Pick<Of, 'apiKey'>) {
  const [search, setSearch] = useScreenState()
  const client = useQueryClient()
  const close = () => setSearch({ open: undefined })
  const done = (text: string) => {
    say(text)
    close()
    void client.invalidateQueries({ queryKey: ['api_keys'] })
  }
  if (search.open === 'stop')
    return (
      <Confirm
        title={`Stop ${apiKey.name}?`}
        text="It can propose and apply nothing from now on. What it has applied stays; change sets that wait for their time are not applied."
        verb="Stop it"
        danger
        run={(write) =>
          flightdeck.apiKeys.stop(apiKey, write.reason ? { reason: write.reason } : {}, write)
        }
        onDone={() => done(`${apiKey.name} is stopped`)}
        onClose={close}
      />
    )
  if (search.open !== 'resume') return null
  return (
    <Confirm
      title={`Let ${apiKey.name} go on?`}
      text="It writes again as its terms say. Its refusals are counted from nought."
      verb="Let it go on"
      run={(write) => flightdeck.apiKeys.resume(apiKey, write)}
      onDone={() => done(`${apiKey.name} goes on`)}
      onClose={close}
    />
  )
}
