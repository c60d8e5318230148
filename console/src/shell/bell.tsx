import { IconBell } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect } from 'react'
import { cache } from '../data/cache.ts'
import { unreadQuery } from '../features/notifications/queries.ts'
import { watchEvents } from '../live.ts'
import { Tooltip } from '../ui/layers/tooltip.tsx'
import styles from './bell.module.css'

/** Leads to the inbox, and says how much in it is unread. */
export default function Bell() {
  const { data: unread = 0 } = useQuery(unreadQuery)
  useEffect(rereadAfterEvents, [])
  const name = unread > 0 ? `Inbox, ${unread} unread` : 'Inbox'
  return (
    <Tooltip text={name}>
      <Link
        to="/inbox"
        aria-label={name}
        className={styles.bell}
        activeOptions={{ includeSearch: false }}
        activeProps={{ 'aria-current': 'page' }}
      >
        <IconBell aria-hidden />
        {unread > 0 && (
          <span aria-hidden className={styles.count}>
            {unread > mostShown ? `${mostShown}+` : unread}
          </span>
        )}
      </Link>
    </Tooltip>
  )
}

const mostShown = 99

/** The service notifies people of an event within five seconds. */
const notifiedMs = 6_000

/** Reads once for all events of that time. */
function rereadAfterEvents(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const end = watchEvents(() => {
    timer ??= setTimeout(() => {
      timer = undefined
      // A window behind others reads when it is looked at.
      const refetchType = document.hidden ? 'none' : 'active'
      void cache.invalidateQueries({ queryKey: ['notifications'], refetchType })
    }, notifiedMs)
  })
  return () => {
    clearTimeout(timer)
    end()
  }
}
