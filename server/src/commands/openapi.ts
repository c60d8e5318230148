import { features } from '../features/index.ts'
import { openApiDocument } from '../http/openapi/document.ts'
import { version } from '../version.ts'
import { action } from './command.ts'

export const openapi = action({
  async run() {
    return openApiDocument(features, { version })
  },
  show: (document) => JSON.stringify(document, null, 2),
})
