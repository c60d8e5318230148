import { IconBriefcase } from '@tabler/icons-react'
import { useState } from 'react'
import { useOnlyClient } from '../../data/only-client.ts'
import { useSetSearch } from '../../data/search.ts'
import { flightdeck } from '../../flightdeck.ts'
import { Button } from '../../ui/button.tsx'
import { ObjectField } from '../../ui/fields/object-field.tsx'
import fieldStyles from '../../ui/fields.module.css'
import { Dialog } from '../../ui/layers/dialog.tsx'
import styles from './client.module.css'
import { useClientName } from './client-name.ts'

/** Narrows all screens to one client. */
export default function ClientSwitch() {
  const { client_id } = useOnlyClient()
  const name = useClientName(client_id)
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button
        className={styles.switch ?? ''}
        icon={<IconBriefcase aria-hidden />}
        aria-haspopup="dialog"
        aria-label={
          client_id ? `Only ${name}: choose another client` : 'All clients: show one only'
        }
        onClick={() => setOpen(true)}
      >
        <span className={styles.name}>{client_id ? name : 'All clients'}</span>
      </Button>
      {isOpen && <Choice id={client_id ?? null} onClose={() => setOpen(false)} />}
    </>
  )
}

function Choice({ id, onClose }: { id: string | null; onClose: () => void }) {
  const setSearch = useSetSearch()
  const choose = (client_id: string | null) => {
    onClose()
    setSearch({ client_id: client_id ?? undefined })
  }
  return (
    <Dialog
      title="Show one client only"
      onClose={onClose}
      footer={id !== null && <Button onClick={() => choose(null)}>Show all clients</Button>}
    >
      <div className={fieldStyles.form}>
        <ObjectField
          label="Client"
          hint="Deck, campaigns, pacing, results, reports and profiles show only what is of it."
          kind="clients"
          find={(q) => flightdeck.clients.list({ q, sort: 'name', limit: 20 })}
          get={(each) => flightdeck.clients.get(each)}
          name="client_id"
          fault={undefined}
          value={id}
          onChange={choose}
        />
      </div>
    </Dialog>
  )
}
