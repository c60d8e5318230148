import { useScreenState } from '../../data/search.ts'
import { flightdeck, type WebhookEndpoint } from '../../flightdeck.ts'
import { Confirm } from '../../ui/forms/confirm.tsx'
import { say } from '../../ui/layers/toast.tsx'
import { DeleteDialog } from '../../ui/objects/delete-dialog.tsx'
import { EditEndpoint } from './form.tsx'
import { Recover } from './recover.tsx'
import { RotateSecret } from './secret.tsx'

type DialogProps = { endpoint: WebhookEndpoint; onClose: () => void }

/** The dialog that the address says is open. */
export function Dialogs({ endpoint }: { endpoint: WebhookEndpoint }) {
  const [{ open }, setSearch] = useScreenState()
  const props = { endpoint, onClose: () => setSearch({ open: undefined }) }
  if (open === 'edit') return <EditEndpoint {...props} />
  if (open === 'rotate') return <RotateSecret {...props} />
  if (open === 'recover' && endpoint.status !== 'disabled') return <Recover {...props} />
  if (open === 'disable') return <Disable {...props} />
  if (open === 'delete') return <DeleteEndpoint {...props} />
  return null
}

const Disable = ({ endpoint, onClose }: DialogProps) => (
  <Confirm
    title={`Disable ${endpoint.url}?`}
    text="It gets nothing more. What it misses is recorded as skipped, and can be recovered for 30 days."
    verb="Disable endpoint"
    run={(write) => flightdeck.webhookEndpoints.disable(endpoint, write)}
    onClose={onClose}
    onDone={() => {
      say('The endpoint is disabled')
      onClose()
    }}
  />
)

const DeleteEndpoint = ({ endpoint, onClose }: DialogProps) => (
  <DeleteDialog
    name={endpoint.url}
    kind="endpoint"
    text="The endpoint, its secret and the log of its deliveries are deleted for good."
    run={(write) => flightdeck.webhookEndpoints.delete(endpoint, write)}
    list="/webhook-endpoints"
    onClose={onClose}
  />
)
