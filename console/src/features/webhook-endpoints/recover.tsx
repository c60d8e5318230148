import { useQuery } from '@tanstack/react-query'
import { cache } from '../../data/cache.ts'
import { now } from '../../data/clock.ts'
import { partKey } from '../../data/keys.ts'
import { ownZone } from '../../data/values/time.ts'
import { flightdeck, type Schema, type WebhookEndpoint } from '../../flightdeck.ts'
import { Button } from '../../ui/button.tsx'
import { FieldRow } from '../../ui/fields/fields.tsx'
import { useForm } from '../../ui/fields/form.ts'
import { TimeField } from '../../ui/fields/time-field.tsx'
import { FormDialog } from '../../ui/forms/form-dialog.tsx'
import { say } from '../../ui/layers/toast.tsx'
import { Notice } from '../../ui/notice.tsx'
import styles from './webhooks.module.css'

type RecoverProps = { endpoint: WebhookEndpoint; onClose: () => void }
type Times = { since: string | null; until: string | null }

const hourMs = 3_600_000
const periods = [
  { name: 'Last hour', ms: hourMs },
  { name: 'Last day', ms: 24 * hourMs },
  { name: 'Last week', ms: 7 * 24 * hourMs },
  { name: 'All 30 days', ms: 30 * 24 * hourMs },
]

const before = (ms: number) => new Date(now() - ms).toISOString()

const bodyOf = ({ since, until }: Times) => ({ since: since ?? '', until })

/** Sends again what an endpoint missed; says how much that is before anything is sent. */
export function Recover({ endpoint, onClose }: RecoverProps) {
  const since = endpoint.last_success_at ?? before(24 * hourMs)
  const form = useForm<Times>({ draft: null, initial: { since, until: null } })
  return (
    <FormDialog
      title="Recover missed deliveries"
      submitLabel="Send again"
      form={form}
      isNew
      submit={(times, write) =>
        flightdeck.webhookEndpoints.recover(endpoint, bodyOf({ ...form.values, ...times }), write)
      }
      onDone={(recovered) => {
        void cache.invalidateQueries({ queryKey: ['deliveries'] })
        sayRecovered(recovered)
        onClose()
      }}
      onClose={onClose}
    >
      <p>Every delivery of the period that failed or was skipped is sent again.</p>
      <div className={styles.periods}>
        {periods.map(({ name, ms }) => (
          <Button key={name} small onClick={() => form.set({ since: before(ms), until: null })}>
            {name}
          </Button>
        ))}
      </div>
      <FieldRow>
        <TimeField
          label="Since"
          zone={ownZone}
          hint={endpoint.last_success_at ? 'At first, the last success.' : undefined}
          {...form.field('since')}
        />
        <TimeField label="Until" optional zone={ownZone} {...form.field('until')} />
      </FieldRow>
      <Preview endpoint={endpoint} times={form.values} />
    </FormDialog>
  )
}

/** The same request, only tried. */
function Preview({ endpoint: { id }, times }: { endpoint: WebhookEndpoint; times: Times }) {
  const { data } = useQuery({
    queryKey: partKey('webhook_endpoints', id, 'recovery', times),
    queryFn: async () => flightdeck.webhookEndpoints.recover(id, bodyOf(times)).dryRun(),
    enabled: times.since !== null,
    retry: false,
    staleTime: 0,
  })
  return (
    <div role="status">
      {data && (
        <Notice tone={data.recovered === 0 ? 'info' : 'warn'} title={amount(data)}>
          {data.recovered === 0 && <p>Nothing failed or was skipped in this period.</p>}
        </Notice>
      )}
    </div>
  )
}

const amount = ({ recovered, has_more }: Schema<'Recovered'>) =>
  `${has_more ? 'The oldest ' : ''}${deliveries(recovered)} will be sent again.`

const deliveries = (count: number) => `${count} ${count === 1 ? 'delivery' : 'deliveries'}`

const sayRecovered = ({ recovered, has_more }: Schema<'Recovered'>) =>
  say(
    `${deliveries(recovered)} ${recovered === 1 ? 'is' : 'are'} sent again`,
    has_more ? { detail: 'There are more: recover once more.' } : {},
  )
