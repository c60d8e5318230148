import { IconFilter, IconX } from '@tabler/icons-react'
import { useRouterState } from '@tanstack/react-router'
import { useSetSearch } from '../../data/search.ts'
import { Button } from '../../ui/button.tsx'
import styles from './client.module.css'
import { useClientName } from './client-name.ts'

/** Screens that show one client only; the others are of the whole organization. */
const narrowed = [
  '/',
  '/campaigns',
  '/pacing',
  '/pacing/clients',
  '/results',
  '/reports',
  '/profiles',
  '/approvals',
]

/** Above each screen, as long as one client is shown. */
export default function ClientBar({ id }: { id: string }) {
  const name = useClientName(id)
  const setSearch = useSetSearch()
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const isOfAll = !narrowed.includes(path) && !path.includes('/', 1)
  return (
    <div className={styles.bar}>
      <IconFilter aria-hidden size={16} />
      <span className={styles.text}>
        Only <strong>{name}</strong> is shown{isOfAll ? '; this screen is of all clients' : ''}.
      </span>
      <Button
        small
        icon={<IconX aria-hidden />}
        onClick={() => setSearch({ client_id: undefined })}
      >
        Show all clients
      </Button>
    </div>
  )
}
