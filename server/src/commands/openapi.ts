import { version } from '../version.ts'
import { command } from './command.ts'

export const openapi = command({
  usage: 'openapi',
  summary: 'Print the OpenAPI document',
  async run() {
    const [{ openApiDocument }, { features }] = await Promise.all([
      import('../http/openapi/document.ts'),
      import('../features/index.ts'),
    ])
    const endpoints = features.flatMap((feature) => feature.endpoints)
    return openApiDocument(endpoints, { version })
  },
  show: (document) => JSON.stringify(document, null, 2),
})
