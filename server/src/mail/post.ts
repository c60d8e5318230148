import { randomUUID } from 'node:crypto'
import type { Cipher } from '../crypto/cipher.ts'
import { type SealedTable, sealedFor } from '../crypto/sealed-table.ts'
import { nowText, type Services, type WriteContext } from '../kernel/context.ts'
import { insert } from '../kernel/rows.ts'
import type { Letter } from './letter.ts'

/** A mail as it waits. */
export type Mail = { readonly to: string; readonly letter: Letter }

const purposeOf = (id: string) => `mails.content ${id}`

export const sealedMails: SealedTable = {
  table: 'mails',
  key: { organization_id: 'text', id: 'text' },
  columns: { content: sealedFor(({ id }) => purposeOf(String(id))) },
}

export const openMail = (cipher: Cipher, { id, content }: { id: string; content: string }): Mail =>
  JSON.parse(cipher.open(content, purposeOf(id)))

export const hasMail = ({ config }: Services): boolean => config.mail !== null

/** Puts a mail into the queue, where there is a mail server: it is sent when the change has committed. */
export function postMail(ctx: WriteContext, mail: Mail): void {
  const { cipher } = ctx.services.crypto
  if (!hasMail(ctx.services) || ctx.dryRun) return
  const [id, now] = [randomUUID(), nowText(ctx.services)]
  insert(ctx, 'mails', {
    id,
    content: cipher.seal(JSON.stringify(mail), purposeOf(id)),
    attempts: 0,
    due_at: now,
    created_at: now,
  })
}

/** An address of the console, with a secret that no server sees. Never from what a request says. */
export const linkTo = ({ config }: Services, path: string, secret: string): string =>
  `${config.publicUrl}/console/${path}#${secret}`
