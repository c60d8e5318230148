import { Link } from '@tanstack/react-router'
import { type ReactNode, useEffect } from 'react'
import type { ScreenPath } from '../address.ts'
import { classes } from './classes.ts'
import styles from './page.module.css'
import { PrintButton } from './printing/print-button.tsx'
import { Soft } from './values/text.tsx'

type PageProps = {
  title: string
  /** Beside the title: a status, a count. */
  beside?: ReactNode
  /** Above the title: the list that it stands in. */
  within?: { to: ScreenPath; name: string } | undefined
  /** Below the title: what it is for, whose it is. */
  about?: ReactNode
  actions?: ReactNode
  /** For forms: lines no longer than can be read. */
  narrow?: boolean
  /** As wide and high as the window: what is in it scrolls by itself. */
  fill?: boolean
  children: ReactNode
}

/** A screen: its title is the window's too, and is read out when it changes. */
export function Page(props: PageProps) {
  const { title, beside, within, about, actions, narrow, fill, children } = props
  useEffect(() => {
    document.title = `${title} · Flightdeck`
  }, [title])
  return (
    <div className={fill ? styles.fill : classes(styles.page, narrow && styles.narrow)}>
      <header className={styles.head}>
        <div className={styles.titles}>
          {within && (
            <div className={styles.place}>
              <Link to={within.to}>{within.name}</Link>
            </div>
          )}
          <div className={styles.line}>
            <h1 dir="auto" tabIndex={-1}>
              {title}
            </h1>
            {beside}
          </div>
          {about && <div className={styles.about}>{about}</div>}
        </div>
        <div className={styles.actions}>
          {!narrow && <PrintButton />}
          {actions}
        </div>
      </header>
      {children}
    </div>
  )
}

type SectionProps = { title: string; actions?: ReactNode; children: ReactNode }

export const Section = ({ title, actions, children }: SectionProps) => (
  <section className={styles.section}>
    <div className={styles.sectionHead}>
      <h2>{title}</h2>
      {actions}
    </div>
    {children}
  </section>
)

type Fact = readonly [name: string, value: ReactNode]

/** Names and values, side by side; null is none. */
export const Facts = ({ facts }: { facts: readonly Fact[] }) => (
  <dl className={styles.facts}>
    {facts.map(([name, value]) => (
      <div key={name} className={styles.fact}>
        <dt>{name}</dt>
        <dd>{value ?? <Soft>–</Soft>}</dd>
      </div>
    ))}
  </dl>
)

export const Card = ({ children }: { children: ReactNode }) => (
  <div className={styles.card}>{children}</div>
)
