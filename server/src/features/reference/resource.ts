import type { Tag } from '../../http/endpoint.ts'

export const tag: Tag = {
  name: 'Reference',
  description: 'Reference data of the service.',
}
