import { isProblem } from '@flightdeckhq/sdk'
import { IconRotate } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { sandboxQuery } from '../../data/organization.ts'
import { useScreenState } from '../../data/search.ts'
import { flightdeck, type Schema } from '../../flightdeck.ts'
import { useBlocked, useSession } from '../../session.tsx'
import { Button, LinkButton } from '../../ui/button.tsx'
import { Confirm } from '../../ui/forms/confirm.tsx'
import { say, sayTrouble } from '../../ui/layers/toast.tsx'
import { Empty } from '../../ui/lists/empty.tsx'
import { ObjectScreen } from '../../ui/objects/object-screen.tsx'
import pageStyles from '../../ui/page.module.css'
import { Card, Facts, Page, Section } from '../../ui/page.tsx'
import { Time } from '../../ui/values/time.tsx'
import { ClockForm } from './clock-form.tsx'
import { formatSpan } from './span.ts'

export default function SandboxScreen() {
  const query = useQuery(sandboxQuery)
  if (isProblem(query.error, 'not_a_sandbox')) return <NoSandbox />
  return <ObjectScreen query={query}>{(sandbox) => <SandboxPage sandbox={sandbox} />}</ObjectScreen>
}

const NoSandbox = () => (
  <Page title="Sandbox">
    <Empty
      title="This organization is not a sandbox"
      action={<LinkButton to="/organization">See the organization</LinkButton>}
    >
      In a sandbox, time can be moved forward to try out schedules and retries. The operator of
      Flightdeck can create one with “flightdeck orgs create --sandbox”.
    </Empty>
  </Page>
)

const steps = [
  { name: '1 hour', seconds: 3_600 },
  { name: '1 day', seconds: 86_400 },
  { name: '7 days', seconds: 7 * 86_400 },
]

function SandboxPage({ sandbox }: { sandbox: Schema<'Sandbox'> }) {
  const [search, setSearch] = useScreenState()
  const { organization } = useSession()
  const mayReset = useBlocked('resetSandbox')
  const client = useQueryClient()
  const close = () => setSearch({ open: undefined })
  return (
    <Page
      title="Sandbox"
      about="Its clock goes ahead of real time; campaigns, schedules and retries follow it."
      actions={
        <Button
          icon={<IconRotate aria-hidden />}
          blocked={mayReset}
          onClick={() => setSearch({ open: 'reset' })}
        >
          Reset…
        </Button>
      }
    >
      <Card>
        <Facts
          facts={[
            ['Time in the sandbox', <Time key="now" time={sandbox.now} zone="UTC" />],
            ['Ahead of real time', formatSpan(sandbox.ahead_ms)],
          ]}
        />
      </Card>
      <MoveClock now={sandbox.now} />
      {search.open === 'reset' && (
        <Confirm
          title={`Reset ${organization.name}?`}
          text={`All campaigns, profiles, proxies, templates, events and deliveries of ${organization.name} are deleted for good, and its clock goes back to real time. Members, API keys, guardrails, webhook endpoints and the audit log stay.`}
          verb={`Reset ${organization.name}`}
          danger
          run={(write) => flightdeck.sandbox.reset(write)}
          onClose={close}
          onDone={() => {
            say(`${organization.name} is reset`)
            close()
            void client.invalidateQueries()
          }}
        />
      )}
    </Page>
  )
}

function MoveClock({ now }: { now: string }) {
  const [search, setSearch] = useScreenState()
  const blocked = useBlocked('moveSandboxClock')
  const [busy, setBusy] = useState(0)
  const client = useQueryClient()
  const take = (moved: Schema<'Sandbox'>) => {
    client.setQueryData(sandboxQuery.queryKey, moved)
    say('The clock is moved')
  }
  const move = async (seconds: number) => {
    setBusy(seconds)
    await flightdeck.sandbox.moveClock({ advance_seconds: seconds }).then(take, sayTrouble)
    setBusy(0)
  }
  return (
    <Section title="Move the clock forward">
      <div className={pageStyles.actions}>
        {steps.map(({ name, seconds }) => (
          <Button
            key={name}
            blocked={blocked}
            busy={busy === seconds}
            onClick={() => move(seconds)}
          >
            {name}
          </Button>
        ))}
        <Button blocked={blocked} onClick={() => setSearch({ open: 'clock' })}>
          To a time…
        </Button>
      </div>
      {search.open === 'clock' && (
        <ClockForm
          now={now}
          onClose={() => setSearch({ open: undefined })}
          onDone={(moved) => {
            setSearch({ open: undefined })
            take(moved)
          }}
        />
      )}
    </Section>
  )
}
