import type { Row } from '../../database/tables/tenant-tables.ts'
import { eventFaults, nameFaults, storedUrl, urlFaults } from '../../delivery/target.ts'
import type { Context, WriteContext } from '../../kernel/context.ts'
import { readOnlyFaults } from '../../kernel/people.ts'
import { nextStamps, oneToChange, update } from '../../kernel/rows.ts'
import { checkFaults } from '../../problems/problem.ts'
import { changedFields } from '../../schema/changed-fields.ts'
import { patched } from '../../schema/merge-patch.ts'
import { readOnlyFields, type WebhookEndpoint, type WebhookEndpointChanges } from './schema.ts'
import { noFailures } from './status.ts'
import { wake } from './wake.ts'
import { changeEndpoint, toWebhookEndpoint } from './webhook-endpoints.ts'

/** Counted by deliveries without a new version, so a client may send back older values. */
const counted = ['last_success_at', 'last_failure_at', 'consecutive_failures']
const fixedFields = readOnlyFields.filter((field) => !counted.includes(field))

/** The name is resolved before the transaction, which must not wait for the network. */
export async function updateWebhookEndpoint(
  ctx: Context,
  id: string,
  changes: WebhookEndpointChanges,
): Promise<WebhookEndpoint> {
  const refused = await nameFaults(changes.url ?? '', ctx.services)
  const endpoint = await changeEndpoint(ctx, 'webhook_endpoint.updated', async (ctx) => {
    const row = await oneToChange(ctx, 'webhook_endpoints', id)
    const before = toWebhookEndpoint(row)
    const { body, faults } = patched(ctx, before, changes)
    const settings = settingsOf({ ...before, ...body })
    const changed = changedFields<EndpointSettings>(settingsOf(before), settings)
    const isMoved = changed.includes('url')
    checkFaults(ctx, [
      ...faults,
      ...(isMoved ? [...urlFaults(settings.url, ctx.services), ...refused] : []),
      ...eventFaults(settings.events, ctx.services.declared.eventTypes),
      ...(await readOnlyFaults(ctx, { before, body, readOnly: fixedFields })),
    ])
    if (changed.length === 0) return { before, after: before }
    const after = write(ctx, row, { ...settings, ...(isMoved && noFailures) })
    const isHidden = isMoved && new URL(before.url).origin === new URL(after.url).origin
    return { before, after, redacted: isHidden ? ['url'] : [] }
  })
  wake(ctx, id)
  return endpoint
}

type EndpointSettings = Pick<WebhookEndpoint, 'url' | 'events' | 'description' | 'metadata'>

const settingsOf = ({ url = '', events, description, metadata }: WebhookEndpointChanges) => ({
  url: storedUrl(url),
  events: events ?? ['*'],
  description: description ?? null,
  metadata: metadata ?? {},
})

function write(
  ctx: WriteContext,
  row: Row<'webhook_endpoints'>,
  values: EndpointSettings & Partial<typeof noFailures>,
): WebhookEndpoint {
  const changes = { ...values, ...nextStamps(ctx, row) }
  update(ctx, 'webhook_endpoints', {
    id: row.id,
    ...changes,
    metadata: JSON.stringify(values.metadata),
  })
  return toWebhookEndpoint({ ...row, ...changes })
}
