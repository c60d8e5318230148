import { isProblem } from '@flightdeckhq/sdk'
import { useEffect } from 'react'
import { cache } from '../data/cache.ts'
import { CodeMissing } from '../data/code.ts'
import { LinkButton } from '../ui/button.tsx'
import { Empty } from '../ui/lists/empty.tsx'
import { Logo } from '../ui/logo.tsx'
import { ProblemNotice, ReadFailed } from '../ui/notice.tsx'
import { Page } from '../ui/page.tsx'
import styles from './failures.module.css'

export const ScreenMissing = () => (
  <Page title="Not found">
    <Empty title="There is no such screen" action={<LinkButton to="/">Go to the deck</LinkButton>}>
      The address may be mistyped, or what it led to has been deleted.
    </Empty>
  </Page>
)

function failureOf(error: unknown): string {
  if (isProblem(error, 'insufficient_role')) return 'Not for your role'
  return error instanceof CodeMissing ? 'This screen is not loaded' : 'This screen failed'
}

export const ScreenFailed = ({ error, retry }: { error: unknown; retry: () => void }) => (
  <Page title={failureOf(error)}>
    <ReadFailed error={error} retry={retry} />
  </Page>
)

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
