import { useEffect } from 'react'
import { cache } from '../data/cache.ts'
import { Logo } from '../ui/logo.tsx'
import { ProblemNotice } from '../ui/notice.tsx'
import { Page } from '../ui/page.tsx'
import styles from './failures.module.css'

/** The first answer takes long: the page says so. */
export const Connecting = () => (
  <p role="status" className={styles.connecting}>
    <Logo size={24} />
    Connecting to Flightdeck…
  </p>
)

const retryMs = 3_000

/** The service was away when the page opened: it goes on by itself. */
export function ServiceAway({ error }: { error: unknown }) {
  useEffect(() => {
    const timer = setInterval(() => void cache.invalidateQueries({ queryKey: ['me'] }), retryMs)
    return () => clearInterval(timer)
  }, [])
  return (
    <Page title="Flightdeck">
      <ProblemNotice error={error} />
    </Page>
  )
}
