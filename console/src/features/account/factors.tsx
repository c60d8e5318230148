import type { Item } from '@flightdeckhq/sdk'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { flightdeck, type Schema } from '../../flightdeck.ts'
import { begin } from '../../session.tsx'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/forms/confirm.tsx'
import { say } from '../../ui/layers/toast.tsx'
import { List } from '../../ui/lists/list.tsx'
import type { Column } from '../../ui/lists/table.tsx'
import { Status } from '../../ui/values/status.tsx'
import { Soft } from '../../ui/values/text.tsx'
import { Age } from '../../ui/values/time.tsx'
import { NewFactor } from './new-factor.tsx'
import { NewPasskey, passkeysBlocked } from './new-passkey.tsx'
import { factorList } from './queries.ts'
import { RecoveryCodes } from './recovery-codes.tsx'

type Factor = Item<'listFactors'>
type Asked = { what: 'add' | 'add passkey' | 'renew' } | { what: 'remove'; factor: Factor }

/** The person's second factors, and how they are set up and removed. */
export function Factors() {
  const [asked, setAsked] = useState<Asked | null>(null)
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const query = useInfiniteQuery(factorList)
  const client = useQueryClient()
  const isGuarded = query.data?.pages.some(({ data }) =>
    data.some(({ kind, verified }) => kind !== 'recovery_codes' && verified),
  )
  const close = () => setAsked(null)
  const done = (made: readonly string[] | null) => {
    close()
    void client.invalidateQueries({ queryKey: ['auth'] })
    if (made) setCodes(made)
    else void begin()
  }
  return (
    <>
      <List
        caption="Second factors"
        query={query}
        columns={columnsWith((factor) => setAsked({ what: 'remove', factor }))}
        empty={<Soft>None: your password alone lets you in.</Soft>}
      />
      <Additions isGuarded={isGuarded === true} ask={(what) => setAsked({ what })} />
      {asked?.what === 'add' && <NewFactor onClose={close} onDone={done} />}
      {asked?.what === 'add passkey' && <NewPasskey onClose={close} onDone={done} />}
      {asked?.what === 'renew' && <Renewal onClose={close} onDone={done} />}
      {asked?.what === 'remove' && (
        <Removal factor={asked.factor} onClose={close} onDone={() => done(null)} />
      )}
      {codes && (
        <RecoveryCodes
          codes={codes}
          onClose={() => {
            setCodes(null)
            void begin()
          }}
        />
      )}
    </>
  )
}

type AdditionsProps = { isGuarded: boolean; ask: (what: 'add' | 'add passkey' | 'renew') => void }

const Additions = ({ isGuarded, ask }: AdditionsProps) => (
  <p>
    <Button small onClick={() => ask('add')}>
      Add an authenticator app…
    </Button>{' '}
    <Button small blocked={passkeysBlocked()} onClick={() => ask('add passkey')}>
      Add a passkey…
    </Button>{' '}
    {isGuarded && (
      <Button small onClick={() => ask('renew')}>
        New recovery codes…
      </Button>
    )}
  </p>
)

const columnsWith = (remove: (factor: Factor) => void): readonly Column<Factor>[] => [
  { id: 'name', header: 'Name', grow: true, cell: ({ name }) => name },
  {
    id: 'state',
    header: 'State',
    cell: ({ verified, codes_left: left }) =>
      left === null ? (
        <Status tone={verified ? 'good' : 'warn'}>{verified ? 'In use' : 'Not verified'}</Status>
      ) : (
        <Status tone={left > 2 ? 'good' : 'warn'}>{`${left} left`}</Status>
      ),
  },
  {
    id: 'used',
    header: 'Last used',
    minor: true,
    cell: ({ last_used_at }) => <Age time={last_used_at} isReal />,
  },
  {
    id: 'remove',
    header: 'Removal',
    cell: (factor) => (
      <Button small aria-label={`Remove ${factor.name}`} onClick={() => remove(factor)}>
        Remove…
      </Button>
    ),
  },
]

type Closing = { onClose: () => void }

const Renewal = ({ onClose, onDone }: Closing & { onDone: (codes: string[] | null) => void }) => (
  <Confirm<Schema<'NewFactor'>>
    title="Make new recovery codes?"
    text="The ones that you have now work no longer."
    verb="Make new codes"
    run={(write) => flightdeck.auth.addFactor({ kind: 'recovery_codes' }, write)}
    onClose={onClose}
    onDone={({ recovery_codes: codes }) => onDone(codes)}
  />
)

const Removal = ({ factor, onClose, onDone }: Closing & { factor: Factor; onDone: () => void }) => (
  <Confirm
    title={`Remove ${factor.name}?`}
    text="With the last factor go the recovery codes, and your password alone lets you in."
    verb="Remove"
    danger
    run={(write) => flightdeck.auth.removeFactor(factor.id, write)}
    onClose={onClose}
    onDone={() => {
      say(`${factor.name} is removed`)
      onDone()
    }}
  />
)
