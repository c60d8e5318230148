import { deleteApiKey } from '../../features/api-keys/api-keys.ts'
import type { Services } from '../../kernel/context.ts'
import { apiKeyIds } from '../../values/core-ids.ts'
import { isId } from '../../values/ids.ts'
import { actIn, administer } from '../administer.ts'
import { action, CommandError, UsageError } from '../command.ts'
import { facts } from '../table.ts'

export const apiKeysRevoke = action({
  async run({ text }) {
    const id = readKeyId(text('id'))
    return administer('api-keys revoke', async (services) => {
      const { organization_id, name } = await findKey(services, id)
      await deleteApiKey(await actIn(services, organization_id), id)
      return { id, organization_id, name, revoked: true }
    })
  },
  show: ({ id, name }) => facts({ Key: name, Id: id, State: 'revoked: refused from now on' }),
})

function readKeyId(text: string): string {
  if (isId(apiKeyIds, text)) return text
  throw new UsageError(
    `"${text}" is not the id of an API key (key_…). "flightdeck api-keys list" shows them.`,
  )
}

async function findKey({ database }: Services, id: string) {
  const key = await database.reader
    .kysely()
    .selectFrom('api_keys')
    .select(['organization_id', 'name'])
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  if (!key) throw new CommandError(`There is no API key ${id}, or it is revoked.`)
  return key
}
