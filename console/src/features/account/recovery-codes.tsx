import { Button } from '../../ui/button.tsx'
import fieldStyles from '../../ui/fields.module.css'
import { Dialog } from '../../ui/layers/dialog.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Code } from '../../ui/values/json.tsx'
import styles from './factors.module.css'

type CodesProps = { codes: readonly string[]; onClose: () => void }

/** Codes that are shown this once; they can be copied, and printed, where dialogs are left out. */
export const RecoveryCodes = ({ codes, onClose }: CodesProps) => (
  <>
    <section className={styles.onPaper}>
      <h2>Recovery codes of Flightdeck</h2>
      <pre>{codes.join('\n')}</pre>
    </section>
    <Dialog
      title="Your recovery codes"
      firm
      onClose={onClose}
      footer={
        <>
          <Button onClick={() => window.print()}>Print</Button>
          <Button look="primary" onClick={onClose}>
            I have stored them
          </Button>
        </>
      }
    >
      <div className={fieldStyles.form}>
        <Notice tone="warn" title="Store them now: they are shown this once.">
          <p>Each works once in place of a code, if you lose your other factors.</p>
        </Notice>
        <Code name="Recovery codes" text={codes.join('\n')} />
      </div>
    </Dialog>
  </>
)
