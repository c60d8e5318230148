import { memberOf } from '../../values/objects.ts'
import { type Api, apiPath, refused } from '../call.ts'
import { readable } from '../paths.ts'
import type { Tool } from '../tool.ts'

const topics = [
  'fields',
  'operations',
  'errors',
  'campaign_states',
  'deployment_states',
  'objectives',
  'currencies',
  'events',
]

export const lookup: Tool = {
  name: 'lookup',
  description:
    'The manual: fields of a schema (Campaign, CampaignInput, ChangeSetUpdate, …), operations that read offers, errors, states, objectives, currencies, events.',
  isReadOnly: true,
  properties: {
    topic: { type: 'string', enum: topics },
    name: { type: 'string', description: 'One schema, operation, error, currency or event' },
  },
  required: ['topic'],
  async run(api, { topic, name }) {
    const wanted = typeof name === 'string' ? name : undefined
    return { said: 'The manual answers.', data: { answer: await answered(api, topic, wanted) } }
  },
}

async function answered(api: Api, topic: unknown, name: string | undefined): Promise<unknown> {
  if (topic === 'fields') return fieldsOf(await document(api), name)
  if (topic === 'operations') return operationsOf(await document(api), name)
  const listed = await api({ path: `${apiPath}/reference/${topic}` })
  if (name === undefined) return listed
  const rows = memberOf(listed, 'data')
  if (!Array.isArray(rows)) return listed
  const own = rows.filter((row) => Object.values(row ?? {}).includes(name))
  if (own.length === 0) throw refused('not_found', 'The manual has nothing by this name.')
  return own
}

const document = (api: Api) => api({ path: `${apiPath}/openapi.json` })

function fieldsOf(document: unknown, name = 'Campaign'): unknown {
  const schemas = memberOf(memberOf(document, 'components'), 'schemas')
  const schema = memberOf(schemas, name)
  if (schema === undefined) throw refused('not_found', 'The manual has no schema of this name.')
  return { schema: name, ...Object(schema) }
}

/** The names of what `read` offers, or the parameters of one. */
function operationsOf(document: unknown, name: string | undefined): unknown {
  if (name === undefined) return { operations: readable }
  const path = Object.hasOwn(readable, name) ? readable[name] : undefined
  const operation = memberOf(memberOf(memberOf(document, 'paths'), path ?? ''), 'get')
  if (operation === undefined) throw refused('not_found', 'read offers no operation of this name.')
  const shared = memberOf(memberOf(document, 'components'), 'parameters')
  const given = memberOf(operation, 'parameters')
  const parameters = (Array.isArray(given) ? given : []).map((each) => {
    const reference = memberOf(each, '$ref')
    return typeof reference === 'string'
      ? memberOf(shared, reference.split('/').at(-1) ?? '')
      : each
  })
  return { operation: name, description: memberOf(operation, 'description'), parameters }
}
