import { Button } from './button.tsx'
import fieldStyles from './fields.module.css'
import { Dialog } from './layers/dialog.tsx'
import { Notice } from './notice.tsx'
import { Code } from './values/json.tsx'

type SecretProps = {
  title: string
  /** What it is: `Signing secret`. */
  name: string
  /** Null where the answer that had it was lost on its way. */
  secret: string | null
  /** What it is for, and what to do with it. */
  about: string
  /** What to do without it. */
  lost: string
  onClose: () => void
}

/** A secret that is shown this once; nothing closes it by accident. */
export const SecretDialog = ({ title, name, secret, about, lost, onClose }: SecretProps) => (
  <Dialog
    title={title}
    firm
    onClose={onClose}
    footer={
      <Button look="primary" onClick={onClose}>
        {secret === null ? 'Close' : 'I have stored it'}
      </Button>
    }
  >
    <div className={fieldStyles.form}>
      {secret === null ? (
        <Notice tone="warn" title="The secret was lost on its way.">
          <p>{lost}</p>
        </Notice>
      ) : (
        <>
          <Notice tone="warn" title="Store it now: it is shown this once.">
            <p>{about}</p>
          </Notice>
          <Code name={name} text={secret} />
        </>
      )}
    </div>
  </Dialog>
)
