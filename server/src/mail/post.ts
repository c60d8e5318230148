import { randomUUID } from 'node:crypto'
import type { Cipher } from '../crypto/cipher.ts'
import { type SealedTable, sealedFor } from '../crypto/sealed-table.ts'
import type { Statement } from '../database/driver/protocol.ts'
import { insertStatement } from '../database/tables/statements.ts'
import { nowText, type Services, type WriteContext } from '../kernel/context.ts'
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
export function postMail(ctx: WriteContext, mail: Mail, { canWait = false } = {}): void {
  if (hasMail(ctx.services) && !ctx.dryRun) ctx.tx.send(mailStatement(ctx, mail, { canWait }))
}

type Posting = Pick<WriteContext, 'services' | 'organization'>

/** The statement of it; a mail that `canWait` gives way to all others. */
export function mailStatement(
  { services, organization }: Posting,
  mail: Mail,
  { canWait = false } = {},
): Statement {
  const [id, now] = [randomUUID(), nowText(services)]
  return insertStatement('mails', {
    organization_id: organization.id,
    id,
    content: services.crypto.cipher.seal(JSON.stringify(mail), purposeOf(id)),
    attempts: 0,
    due_at: now,
    created_at: now,
    can_wait: canWait,
  })
}

/** An address of the console, with a secret that no server sees. Never from what a request says. */
export const linkTo = ({ config }: Services, path: string, secret: string): string =>
  `${config.publicUrl}/console/${path}#${secret}`
