import { memberOf } from '../../values/objects.ts'
import { type Api, Refusal, refused } from '../call.ts'
import { collections, pathWith } from '../paths.ts'
import type { Tool } from '../tool.ts'

const parts = ['history', 'results', 'schedule', 'pacing', 'deployment', 'operations']

export const getObject: Tool = {
  name: 'get_object',
  description:
    'Read one object by its id: campaign (cmp_), profile (prf_), client (cli_), template (tpl_), change set (chs_), event (evt_).',
  isReadOnly: true,
  properties: {
    id: { type: 'string' },
    include: {
      type: 'array',
      items: { type: 'string' },
      maxItems: 6,
      description: `Of campaigns: ${parts.slice(0, 5).join(', ')}; history of others; operations of change sets`,
    },
    as_of: { type: 'string', description: 'A time: as it was then' },
  },
  required: ['id'],
  async run(api, { id, include, as_of }) {
    const asked = Array.isArray(include) ? [...new Set(include.map(String))] : []
    const unknown = asked.some((part) => !parts.includes(part))
    if (unknown) throw refused('invalid_arguments', `include takes ${parts.join(', ')}.`)
    const collection = collections[String(id).split('_', 1)[0] ?? '']
    const path = pathWith(`${collection ?? ''}/{id}`, collection === undefined ? undefined : id)
    const data: Record<string, unknown> = { object: await api({ path, query: { as_of } }) }
    for (const part of asked) data[part] = await partOf(api, `${path}/${part}`)
    return { said: 'The object is in structuredContent.', data }
  },
}

/** Null where the object has no such part, such as a campaign that is not deployed. */
async function partOf(api: Api, path: string): Promise<unknown> {
  try {
    return await api({ path })
  } catch (error) {
    if (error instanceof Refusal && memberOf(error.problem, 'status') === 404) return null
    throw error
  }
}
