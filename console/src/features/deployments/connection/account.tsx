import { Link } from '@tanstack/react-router'
import { nameOf } from '../../../data/choices.ts'
import type { Tone } from '../../../data/words.ts'
import type { Profile } from '../../../flightdeck.ts'
import { Notice } from '../../../ui/notice.tsx'
import { Card, Facts, Section } from '../../../ui/page.tsx'
import { Status } from '../../../ui/values/status.tsx'
import { Soft } from '../../../ui/values/text.tsx'
import { Age, Time } from '../../../ui/values/time.tsx'
import type { Connection } from '../queries.ts'
import styles from './connection.module.css'

type AccountProps = { profile: Profile; connection: Connection }

const tones: Readonly<Record<string, Tone>> = { connected: 'good', stale: 'warn', blocked: 'bad' }

/** The connector that holds the account, and the account in its network. */
export function Account({ profile, connection }: AccountProps) {
  const { state, error, last_seen_at } = connection
  return (
    <Section title="Connection">
      <Card>
        <div className={styles.state}>
          <Status tone={tones[state] ?? 'neutral'}>{nameOf(state)}</Status>
          <Soft>
            last heard of <Age time={last_seen_at} isReal />
          </Soft>
        </div>
        {state === 'stale' && (
          <p>No connector has held the account for ten minutes. What is shown may be old.</p>
        )}
        {error && (
          <Notice tone="bad" title={`${nameOf(error.code)}: ${error.message}`}>
            <p>Nothing is sent to the network until this is mended.</p>
          </Notice>
        )}
        <Facts facts={[...accountFacts(connection), ...connectorFacts(connection)]} />
      </Card>
      <Counts profile={profile} connection={connection} />
    </Section>
  )
}

type ShownFacts = Parameters<typeof Facts>[0]['facts']

const accountFacts = ({ account, credential }: Connection): ShownFacts => [
  ['Account', account && (account.name ? `${account.name} (${account.ref})` : account.ref)],
  ['Currency', account?.currency],
  ['Time zone', account?.time_zone],
  ['Status there', account && nameOf(account.status)],
  ['Credential', credential && nameOf(credential.state)],
  [
    'Credential ends',
    credential && <Time key="ends" time={credential.expires_at} none="Not known to end" />,
  ],
]

const connectorFacts = ({ connector }: Connection): ShownFacts => [
  ['Connector', connector && `${connector.adapter} ${connector.adapter_version}`],
  [
    'Network’s API',
    connector &&
      `${connector.api_version}${connector.api_sunset ? `, ends ${connector.api_sunset}` : ''}`,
  ],
  ['Process', connector?.instance],
  ['Connected', connector && <Age key="since" time={connector.since} isReal />],
]

/** Deployments by state, each leading to the list of them. */
function Counts({ profile: { id }, connection: { deployments } }: AccountProps) {
  const counts = Object.entries(deployments)
  if (counts.length === 0) return null
  return (
    <p className={styles.counts}>
      <span>Deployments:</span>
      {counts.map(([state, count]) => (
        <Link key={state} to="/deployments" search={{ profile_id: id, state }}>
          {count} {nameOf(state).toLowerCase()}
        </Link>
      ))}
    </p>
  )
}
