import { newSecret } from '../../crypto/new-secret.ts'
import { sealSecret, stillSigning } from '../../crypto/webhook-secret.ts'
import type { PreviousSecret } from '../../database/tables/json-columns.ts'
import type { Row } from '../../database/tables/tenant-tables.ts'
import type { Context, WriteContext } from '../../kernel/context.ts'
import { nextStamps, oneToChange, update } from '../../kernel/rows.ts'
import { showOnce } from '../../kernel/shown-once.ts'
import { conflict } from '../../problems/problem.ts'
import {
  type CreatedWebhookEndpoint,
  defaultGraceSeconds,
  type SecretRotation,
  type WebhookEndpoint,
} from './schema.ts'
import { changeEndpoint, toWebhookEndpoint } from './webhook-endpoints.ts'

export async function rotateSecret(
  ctx: Context,
  id: string,
  { grace_period_seconds: graceSeconds = defaultGraceSeconds }: SecretRotation,
): Promise<CreatedWebhookEndpoint> {
  const secret = newSecret()
  return showOnce(ctx, async (ctx) => ({
    kept: await replaceSecret(ctx, id, { secret, graceSeconds }),
    shown: { secret },
  }))
}

type Replacement = { secret: string; graceSeconds: number }

const replaceSecret = (
  ctx: WriteContext,
  id: string,
  { secret, graceSeconds }: Replacement,
): Promise<WebhookEndpoint> =>
  changeEndpoint(ctx, 'webhook_endpoint.secret_rotated', async (ctx) => {
    const row = await oneToChange(ctx, 'webhook_endpoints', id)
    const changes = {
      secret_sealed: sealSecret(ctx.services.crypto.cipher, id, secret),
      secret_hint: secret.slice(-4),
      previous_secrets: graceSeconds === 0 ? [] : previousAfter(row, ctx.now, graceSeconds),
      ...nextStamps(ctx, row),
    }
    const previous_secrets = JSON.stringify(changes.previous_secrets)
    update(ctx, 'webhook_endpoints', { id, ...changes, previous_secrets })
    const [before, after] = [toWebhookEndpoint(row), toWebhookEndpoint({ ...row, ...changes })]
    return { before, after, redacted: ['secret'] }
  })

/** Including the new one. Each adds a signature to every delivery's header. */
const maxSigning = 5

/** Previous secrets keep their grace periods: receivers may not have switched yet. */
function previousAfter(
  row: Row<'webhook_endpoints'>,
  now: string,
  graceSeconds: number,
): PreviousSecret[] {
  const kept = stillSigning(row, now)
  if (kept.length + 2 > maxSigning) {
    const detail = `${maxSigning} secrets already sign; rotate later, or with grace_period_seconds 0.`
    throw conflict('limit_exceeded', detail, { resource: 'signing_secrets', limit: maxSigning })
  }
  const until_ms = Date.parse(now) + graceSeconds * 1000
  return [{ sealed: row.secret_sealed, until_ms }, ...kept]
}
