import { IconExternalLink } from '@tabler/icons-react'
import { nameOf } from '../../../data/choices.ts'
import type { Tone } from '../../../data/words.ts'
import { Notice } from '../../../ui/notice.tsx'
import { Card, Facts, Section } from '../../../ui/page.tsx'
import { Json } from '../../../ui/values/json.tsx'
import { DeploymentStatus } from '../../../ui/values/object-status.tsx'
import { Status } from '../../../ui/values/status.tsx'
import { Copy, Prose, Soft } from '../../../ui/values/text.tsx'
import { Age, By, Time } from '../../../ui/values/time.tsx'
import { type Deployment, useStateText } from '../queries.ts'
import { fieldName, policyChoices, webAddress } from '../words.ts'
import styles from './section.module.css'

type FactsProps = { deployment: Deployment }

/** The state, what the network says, and the way to it. */
export function InNetwork({ deployment }: FactsProps) {
  const { state, stale, state_since, network_object_id, retry_at } = deployment
  return (
    <Section title="In its network">
      <Card>
        <div className={styles.state}>
          <DeploymentStatus state={state} stale={stale} />
          <span>
            since <Age time={state_since} />
          </span>
          <Soft>
            <Prose text={useStateText(state)} />
          </Soft>
        </div>
        <Fault deployment={deployment} />
        <Facts
          facts={[
            ['Network', nameOf(deployment.platform)],
            ['Its campaign there', network_object_id && <Copy key="id" text={network_object_id} />],
            ['Its page there', <Page key="page" deployment={deployment} />],
            ['Delivery', <Delivery key="delivery" deployment={deployment} />],
            ['Last seen', <Age key="seen" time={deployment.last_seen_at} />],
            ['Last changed there', <Age key="applied" time={deployment.last_applied_at} />],
            ...(retry_at === null
              ? []
              : [['Next try', <Time key="retry" time={retry_at} exact />] as const]),
          ]}
        />
      </Card>
    </Section>
  )
}

/** The fault that it does not go on for, in the network’s own words. */
function Fault({ deployment: { error, attempts } }: FactsProps) {
  if (!error) return null
  const { code, message, retry, errors, network } = error
  const said = [network?.code, network?.subcode, network?.request_id].filter(Boolean).join(' · ')
  return (
    <Notice tone={retry === 'transient' ? 'warn' : 'bad'} title={`${nameOf(code)}: ${message}`}>
      {retry === 'transient' ? (
        <p>It is tried again by itself; {attempts} in a row have failed.</p>
      ) : (
        <p>A person must act: mend it, then retry.</p>
      )}
      {errors.length > 0 && (
        <ul>
          {errors.map((each) => (
            <li key={`${each.pointer} ${each.message}`}>
              {each.pointer}: {each.message}
            </li>
          ))}
        </ul>
      )}
      {said !== '' && <p>The network says {said}.</p>}
    </Notice>
  )
}

function Page({ deployment: { network_url } }: FactsProps) {
  const address = webAddress(network_url)
  if (address === null) return <Soft>–</Soft>
  return (
    <a href={address} target="_blank" rel="noreferrer noopener" className={styles.page}>
      Open in the network
      <IconExternalLink aria-hidden size={14} />
    </a>
  )
}

const deliveryTones: Readonly<Record<string, Tone>> = {
  delivering: 'good',
  not_delivering: 'bad',
}

/** Delivery, as the network reports it. */
function Delivery({ deployment: { network_delivery } }: FactsProps) {
  if (!network_delivery) return <Soft>Not known</Soft>
  const { state, reasons, at } = network_delivery
  return (
    <>
      <Status tone={deliveryTones[state] ?? 'neutral'}>{nameOf(state)}</Status>
      {reasons.length > 0 && `: ${reasons.join(', ')}`}{' '}
      <Soft>
        (<Age time={at} />)
      </Soft>
    </>
  )
}

/** Terms on which it is deployed. */
export function Terms({ deployment }: FactsProps) {
  const { mode, managed_fields, drift_policy, settings } = deployment
  const policy = policyChoices.find(({ value }) => value === drift_policy)
  return (
    <Section title="How it is deployed">
      <Card>
        <Facts
          facts={[
            ['Began by', mode === 'link' ? 'Linking one that was there' : 'Making it'],
            ['The connector keeps', managed_fields.map(fieldName).join(', ')],
            ['What is changed there', policy?.name ?? drift_policy],
            ['Id', <Copy key="id" text={deployment.id} />],
            [
              'Changed',
              <By key="by" time={deployment.updated_at} name={deployment.updated_by_name} />,
            ],
          ]}
        />
        {Object.keys(settings).length > 0 && (
          <Json name="Settings of the network" value={settings} />
        )}
      </Card>
    </Section>
  )
}
