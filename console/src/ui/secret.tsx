import { Button } from './button.tsx'
import fieldStyles from './fields.module.css'
import { Dialog } from './layers/dialog.tsx'
import { Notice } from './notice.tsx'
import { Code } from './values/json.tsx'

type SecretProps = {
  title: string
  /** The kind of secret: `Signing secret`. */
  name: string
  /** Null where the answer that had it was lost on its way. */
  secret: string | null
  /** The purpose of the secret, and the next steps. */
  about: string
  /** The way on without it. */
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
