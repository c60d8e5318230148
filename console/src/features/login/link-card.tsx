import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Logo } from '../../ui/logo.tsx'
import styles from './login.module.css'

type LinkCardProps = { title: string; children: ReactNode; isDone?: boolean }

/** A screen without a session, such as the one that a mailed link opens. */
export const LinkCard = ({ title, children, isDone = false }: LinkCardProps) => (
  <main className={styles.page}>
    <title>{`${title} · Flightdeck`}</title>
    <div className={styles.card}>
      <h1 className={styles.brand}>
        <Logo />
        {title}
      </h1>
      {children}
      <p className={styles.aside}>
        <Link to="/">{isDone ? 'Log in' : 'Back to the login'}</Link>
      </p>
    </div>
  </main>
)

/** The secret of a link, which no server is sent with the page. */
export const secretInAddress = (): string => location.hash.slice(1)
