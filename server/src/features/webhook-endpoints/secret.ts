import type { Context, WriteContext } from '../../kernel/context.ts'
import { newSecret, sealSecret } from '../../kernel/endpoint-secrets.ts'
import { oneToChange, type Row, update } from '../../kernel/rows.ts'
import { showOnce } from '../../kernel/shown-once.ts'
import { nextStamps } from '../../kernel/stamps.ts'
import {
  type CreatedWebhookEndpoint,
  type SecretRotation,
  standardGraceSeconds,
  type WebhookEndpoint,
} from './schema.ts'
import { changeEndpoint, toWebhookEndpoint } from './webhook-endpoints.ts'

export async function rotateSecret(
  ctx: Context,
  id: string,
  { grace_period_seconds: graceSeconds = standardGraceSeconds }: SecretRotation,
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
      secret_sealed: sealSecret(ctx.services.cipher, id, secret),
      secret_hint: secret.slice(-4),
      ...(graceSeconds === 0 ? nothingBefore : stillSigning(row, ctx.now, graceSeconds)),
      ...nextStamps(ctx, row),
    }
    update(ctx, 'webhook_endpoints', { id, ...changes })
    const [before, after] = [toWebhookEndpoint(row), toWebhookEndpoint({ ...row, ...changes })]
    return { before, after, redacted: ['secret'] }
  })

const nothingBefore = { previous_secret_sealed: null, previous_secret_until: null }

const stillSigning = (row: Row<'webhook_endpoints'>, now: string, graceSeconds: number) => ({
  previous_secret_sealed: row.secret_sealed,
  previous_secret_until: new Date(Date.parse(now) + graceSeconds * 1000).toISOString(),
})
