import type { ScreenPath } from '../data/address.ts'
import type { Operation } from '../rights.ts'

/** What can be begun from anywhere: the screen opens with its form. */
export const creations: readonly {
  name: string
  to: ScreenPath
  search: Readonly<Record<string, string>>
  needs: Operation
}[] = [
  { name: 'New campaign', to: '/campaigns/new', search: {}, needs: 'createCampaign' },
  { name: 'New profile', to: '/profiles', search: { open: 'new' }, needs: 'createProfile' },
  { name: 'New template', to: '/templates', search: { open: 'new' }, needs: 'createTemplate' },
  { name: 'New proxy', to: '/proxies', search: { open: 'new' }, needs: 'createProxy' },
  {
    name: 'New webhook endpoint',
    to: '/webhook-endpoints',
    search: { open: 'new' },
    needs: 'createWebhookEndpoint',
  },
  { name: 'Add a member', to: '/members', search: { open: 'new' }, needs: 'createMember' },
  { name: 'New API key', to: '/api-keys', search: { open: 'new' }, needs: 'createApiKey' },
]
