import { useState } from 'react'
import { nameOf } from '../../../data/choices.ts'
import { flightdeck, type Profile } from '../../../flightdeck.ts'
import { useBlocked } from '../../../session.tsx'
import { Button } from '../../../ui/button.tsx'
import { sayTrouble } from '../../../ui/layers/toast.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { EditButton } from '../../../ui/objects/object-actions.tsx'
import { Card, Section } from '../../../ui/page.tsx'
import { Code } from '../../../ui/values/json.tsx'
import { Soft } from '../../../ui/values/text.tsx'
import styles from './connection.module.css'

type StepsProps = { profile: Profile; isAgain: boolean }

/** The steps until a connector holds the account. */
export function Steps({ profile, isAgain }: StepsProps) {
  const [key, setKey] = useState<string | null>(null)
  return (
    <Section title={isAgain ? 'Connect it again' : 'Not connected yet'}>
      <Card>
        <p>
          A connector is a program with the network’s credentials. It makes the network run what is
          planned here, and reports what the network does.
        </p>
        <ol className={styles.steps}>
          <li>
            <AccountStep profile={profile} />
          </li>
          <li>
            <KeyStep profile={profile} value={key} onMade={setKey} />
          </li>
          <li>
            <CommandStep profile={profile} value={key} />
          </li>
        </ol>
        <Soft>This page shows the account as soon as its connector has it.</Soft>
      </Card>
    </Section>
  )
}

/** The network’s own facts of the account: a connector sends nothing where they differ. */
function AccountStep({ profile: { account_ref, currency, time_zone } }: { profile: Profile }) {
  const missing = [
    ...(account_ref ? [] : ['its id at the network']),
    ...(currency ? [] : ['its currency']),
  ]
  return (
    <div className={styles.step}>
      <span className={styles.title}>Say which account it is</span>
      {missing.length > 0 ? (
        <Notice tone="warn" title={`The profile lacks ${missing.join(' and ')}.`} />
      ) : (
        <span>
          Account {account_ref}, in {currency}, on the clock of {time_zone}. All must be as the
          network has them.
        </span>
      )}
      <EditButton needs="updateProfile" />
    </div>
  )
}

type KeyProps = { profile: Profile; value: string | null; onMade: (key: string) => void }

/** A key of the role connector, for this account alone; shown this once. */
function KeyStep({ profile, value, onMade }: KeyProps) {
  const blocked = useBlocked('createApiKey')
  const [isBusy, setBusy] = useState(false)
  const make = async () => {
    setBusy(true)
    try {
      const { key } = await flightdeck.apiKeys.create({
        name: `Connector of ${profile.name}`.slice(0, 255),
        role: 'connector',
        scope: { profile_ids: [profile.id] },
        expires_at: null,
      })
      if (key) onMade(key)
      else sayTrouble(new Error('The key was lost on its way: delete it, and make another.'))
    } catch (error) {
      sayTrouble(error)
    }
    setBusy(false)
  }
  return (
    <div className={styles.step}>
      <span className={styles.title}>Make a key for it</span>
      <span>It may do the work of a connector for this account, and nothing else.</span>
      {value === null ? (
        <Button look="primary" blocked={blocked} busy={isBusy} onClick={() => void make()}>
          Make a connector key
        </Button>
      ) : (
        <>
          <Notice tone="warn" title="Store it now: it is shown this once." />
          <Code name="Connector key" text={value} />
        </>
      )}
    </div>
  )
}

const shownName = '<the key>'

/** Networks whose connector comes with this version, by the platform. */
const programs: Readonly<Record<string, string>> = {
  sim: './flightdeck connect sim',
  google_ads: './flightdeck connect google-ads --credentials file:google.json',
}

/** The command, with what is known filled in. */
function CommandStep({ profile, value }: { profile: Profile; value: string | null }) {
  const { platform, id } = profile
  const program = programs[platform]
  const lines = [
    `export FLIGHTDECK_KEY=${value ?? shownName}`,
    `${program ?? 'npx node my-connector.mts'} --api ${location.origin} --profile ${id}`,
  ]
  return (
    <div className={styles.step}>
      <span className={styles.title}>Start the connector</span>
      <span>
        {program
          ? 'On a machine with Flightdeck, where it may go on to run:'
          : `This version has no connector of ${nameOf(platform)}: write one on the kit, as its guide “Write a connector” shows, and start it:`}
      </span>
      <Code name="Command" text={lines.join('\n')} />
    </div>
  )
}
