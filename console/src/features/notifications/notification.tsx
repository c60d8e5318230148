import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { byActor } from '../../data/values/actor.ts'
import { useMay } from '../../session.tsx'
import styles from './notifications.module.css'
import { placeOf } from './place.ts'
import { markRead, type Notification } from './queries.ts'

type NotificationProps = { notification: Notification }

/** Says what happened, the values before and after, the money, who did it and why. */
export function NotificationText({ notification }: NotificationProps) {
  const { title, changes, sum, reason, actor, count, read_at } = notification
  const isUnread = read_at === null
  return (
    <div className={styles.notification} data-unread={isUnread || undefined}>
      <div className={styles.title} dir="auto">
        {isUnread && <span className="visually-hidden">Unread: </span>}
        <Leading notification={notification}>{title}</Leading>
      </div>
      {changes.map(({ name, before, after }) => (
        <p key={name} dir="auto">
          {name}: {before} → {after}
        </p>
      ))}
      {sum !== null && <p>{sum}</p>}
      {reason !== null && <p dir="auto">“{reason}”</p>}
      <p className={styles.by}>
        {byActor(actor)}
        {count > 1 && `, ${count} times`}
      </p>
    </div>
  )
}

/** Leads to what it is about, and marks it as read; text where there is no such screen to see. */
function Leading({ notification, children }: NotificationProps & { children: ReactNode }) {
  const found = placeOf(notification.path)
  const may = useMay(found?.place.needs ?? 'getMe')
  if (!found || !may) return children
  const open = () => markRead(notification)
  return (
    <Link to={found.place.to} params={{ id: found.id }} onClick={open} onAuxClick={open}>
      {children}
    </Link>
  )
}
