import { type Members, refused } from '../call.ts'
import { pathWith, readable } from '../paths.ts'
import type { Tool } from '../tool.ts'

const maxBytes = 20_000

export const read: Tool = {
  name: 'read',
  description:
    'Any other read of the API by its operation, such as listResults, listProfiles or getLimits; lookup names them and their parameters. At most 20 kB.',
  isReadOnly: true,
  properties: {
    operation: { type: 'string' },
    id: { type: 'string', description: 'The id in the path' },
    query: { type: 'object', description: 'Parameters' },
    fields: { type: 'array', items: { type: 'string' }, maxItems: 50 },
  },
  required: ['operation'],
  async run(api, { operation, id, query, fields }) {
    const name = String(operation)
    const template = Object.hasOwn(readable, name) ? readable[name] : undefined
    if (template === undefined) {
      throw refused('invalid_arguments', 'read offers no such operation; lookup lists them.')
    }
    const answer = await api({
      path: pathWith(template, id),
      query: { ...membersOf(query), ...(Array.isArray(fields) && { fields }) },
    })
    if (Buffer.byteLength(JSON.stringify(answer)) > maxBytes) {
      throw refused('answer_too_large', 'The answer is longer than 20 kB.')
    }
    return { said: 'The answer is in structuredContent.', data: { answer } }
  },
}

const membersOf = (value: unknown): Members => ({ ...Object(value) })
