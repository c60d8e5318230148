import { type ReactNode, useEffect } from 'react'
import styles from './page.module.css'
import { Soft } from './text.tsx'

type PageProps = {
  title: string
  /** Beside the title: a status, a count. */
  beside?: ReactNode
  /** Below the title: where one is, whose it is. */
  about?: ReactNode
  actions?: ReactNode
  /** As wide as the window: for grids. */
  wide?: boolean
  /** As high as the window too: what is in it scrolls by itself. */
  fill?: boolean
  children: ReactNode
}

/** A screen: its title is the window's too, and is read out when it changes. */
export function Page({ title, beside, about, actions, wide, fill, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} · Flightdeck`
  }, [title])
  return (
    <div className={fill ? styles.fill : wide ? styles.wide : styles.page}>
      <header className={styles.head}>
        <div className={styles.titles}>
          <div className={styles.line}>
            <h1 tabIndex={-1}>{title}</h1>
            {beside}
          </div>
          {about && <div className={styles.about}>{about}</div>}
        </div>
        {actions && <div className={styles.actions}>{actions}</div>}
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
