import { logOut, useSession } from '../../session.tsx'
import { Button } from '../../ui/button.tsx'
import { sayTrouble, Toasts } from '../../ui/layers/toast.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { Factors } from './factors.tsx'
import styles from './set-up.module.css'

/** The only screen of people whose organization requires a second factor that they do not have yet. */
export default function SetUp() {
  const { organization } = useSession()
  return (
    <main className={styles.page}>
      <Page
        title="Second factors"
        actions={<Button onClick={() => void logOut().catch(sayTrouble)}>Log out</Button>}
      >
        <Notice tone="warn" title={`${organization.name} requires a second factor`}>
          <p>Set one up here: all else opens then.</p>
        </Notice>
        <Factors />
      </Page>
      <Toasts />
    </main>
  )
}
