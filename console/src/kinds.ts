import type { Address, ObjectPath, ScreenPath } from './address.ts'
import type { Operation } from './rights.ts'

/** A kind of object, and what the console needs to know of it outside its own screens. */
type Described = {
  /** As in events and audit records. */
  type: string
  /** The first part of its path in the API, and of its keys in the cache. */
  kind: string
  /** Another word for it in audit records. */
  recordedAs?: string
  /** The screen in the navigation. */
  screen?: { to: ScreenPath; name: string; needs: Operation }
  /** The screen that shows one, and what one must be allowed to see it. */
  object?: { to: ObjectPath | '/guardrails' | '/organization'; needs: Operation }
  /** The form for a new one, as the palette offers it. */
  create?: { name: string; needs: Operation; at: Address }
  /**
   * How changes made elsewhere arrive: events carry the whole object, or a part, after which it is
   * read again. What any event changes is read again after each of them.
   */
  live?: 'whole' | 'part' | 'any'
}

const formOn = (to: ScreenPath): Address => ({ to, search: { open: 'new' } })

/** By their names in the SDK. */
export const kinds = {
  campaigns: {
    type: 'campaign',
    kind: 'campaigns',
    screen: { to: '/campaigns', name: 'Campaigns', needs: 'listCampaigns' },
    object: { to: '/campaigns/$id', needs: 'getCampaign' },
    create: { name: 'New campaign', needs: 'createCampaign', at: { to: '/campaigns/new' } },
    live: 'whole',
  },
  pacing: {
    type: 'pacing',
    kind: 'pacing',
    screen: { to: '/pacing', name: 'Pacing', needs: 'listPacing' },
    live: 'whole',
  },
  results: {
    type: 'results',
    kind: 'results',
    screen: { to: '/results', name: 'Results', needs: 'listResults' },
    live: 'whole',
  },
  changeSets: {
    type: 'change_set',
    kind: 'change_sets',
    screen: { to: '/change-sets', name: 'Change sets', needs: 'listChangeSets' },
    object: { to: '/change-sets/$id', needs: 'getChangeSet' },
    live: 'whole',
  },
  clients: {
    type: 'client',
    kind: 'clients',
    screen: { to: '/clients', name: 'Clients', needs: 'listClients' },
    object: { to: '/clients/$id', needs: 'getClient' },
    create: { name: 'New client', needs: 'createClient', at: formOn('/clients') },
    // Events of its plan and its pacing have those, under the id of the client.
    live: 'part',
  },
  clientPacing: { type: 'client_pacing', kind: 'client_pacing', live: 'any' },
  reports: {
    type: 'report',
    kind: 'reports',
    screen: { to: '/reports', name: 'Reports', needs: 'listReports' },
    object: { to: '/reports/$id', needs: 'getReport' },
    create: { name: 'New report', needs: 'createReport', at: formOn('/reports') },
    live: 'whole',
  },
  reportSnapshots: { type: 'report_snapshot', kind: 'report_snapshots', live: 'part' },
  reportLinks: { type: 'report_link', kind: 'report_links', live: 'part' },
  reportSchedules: { type: 'report_schedule', kind: 'report_schedules', live: 'part' },
  deployments: {
    type: 'deployment',
    kind: 'deployments',
    screen: { to: '/deployments', name: 'Deployments', needs: 'listDeployments' },
    live: 'part',
  },
  profiles: {
    type: 'profile',
    kind: 'profiles',
    screen: { to: '/profiles', name: 'Profiles', needs: 'listProfiles' },
    object: { to: '/profiles/$id', needs: 'getProfile' },
    create: { name: 'New profile', needs: 'createProfile', at: formOn('/profiles') },
    live: 'whole',
  },
  templates: {
    type: 'template',
    kind: 'templates',
    screen: { to: '/templates', name: 'Templates', needs: 'listTemplates' },
    object: { to: '/templates/$id', needs: 'getTemplate' },
    create: { name: 'New template', needs: 'createTemplate', at: formOn('/templates') },
    live: 'whole',
  },
  proxies: {
    type: 'proxy',
    kind: 'proxies',
    screen: { to: '/proxies', name: 'Proxies', needs: 'listProxies' },
    object: { to: '/proxies/$id', needs: 'getProxy' },
    create: { name: 'New proxy', needs: 'createProxy', at: formOn('/proxies') },
    live: 'whole',
  },
  webhookEndpoints: {
    type: 'webhook_endpoint',
    kind: 'webhook_endpoints',
    screen: { to: '/webhook-endpoints', name: 'Webhooks', needs: 'listWebhookEndpoints' },
    object: { to: '/webhook-endpoints/$id', needs: 'getWebhookEndpoint' },
    create: {
      name: 'New webhook endpoint',
      needs: 'createWebhookEndpoint',
      at: formOn('/webhook-endpoints'),
    },
    live: 'part',
  },
  deliveries: { type: 'delivery', kind: 'deliveries' },
  events: {
    type: 'event',
    kind: 'events',
    screen: { to: '/events', name: 'Events', needs: 'listEvents' },
    object: { to: '/events/$id', needs: 'getEvent' },
    live: 'any',
  },
  auditLogs: {
    type: 'audit_log',
    kind: 'audit_logs',
    screen: { to: '/audit-log', name: 'Audit log', needs: 'listAuditLogs' },
    live: 'any',
  },
  members: {
    type: 'member',
    kind: 'members',
    recordedAs: 'user',
    screen: { to: '/members', name: 'Members', needs: 'listMembers' },
    object: { to: '/members/$id', needs: 'getMember' },
    create: { name: 'Add a member', needs: 'createMember', at: formOn('/members') },
    live: 'whole',
  },
  invitations: {
    type: 'invitation',
    kind: 'invitations',
    create: {
      name: 'Invite a person',
      needs: 'createInvitation',
      at: formOn('/members/invitations'),
    },
    live: 'part',
  },
  apiKeys: {
    type: 'api_key',
    kind: 'api_keys',
    screen: { to: '/api-keys', name: 'API keys', needs: 'listApiKeys' },
    object: { to: '/api-keys/$id', needs: 'getApiKey' },
    create: { name: 'New API key', needs: 'createApiKey', at: formOn('/api-keys') },
    live: 'whole',
  },
  guardrails: {
    type: 'guardrail',
    kind: 'guardrails',
    screen: { to: '/guardrails', name: 'Guardrails', needs: 'getGuardrails' },
    object: { to: '/guardrails', needs: 'getGuardrails' },
    live: 'part',
  },
  organization: {
    type: 'organization',
    kind: 'organization',
    screen: { to: '/organization', name: 'Organization', needs: 'getOrganization' },
    object: { to: '/organization', needs: 'getOrganization' },
    live: 'whole',
  },
  limits: { type: 'limits', kind: 'limits', live: 'any' },
  sandbox: {
    type: 'sandbox',
    kind: 'sandbox',
    screen: { to: '/sandbox', name: 'Sandbox', needs: 'getSandbox' },
  },
  notifications: { type: 'notification', kind: 'notifications' },
  notificationChannels: {
    type: 'notification_channel',
    kind: 'notification_channels',
    object: { to: '/organization/notification-channels/$id', needs: 'getNotificationChannel' },
    create: {
      name: 'New notification channel',
      needs: 'createNotificationChannel',
      at: formOn('/organization/notification-channels'),
    },
    live: 'part',
  },
  views: { type: 'view', kind: 'views', live: 'part' },
  sessions: { type: 'session', kind: 'sessions' },
} as const satisfies Readonly<Record<string, Described>>

export type Kind = (typeof kinds)[keyof typeof kinds]['kind']

export const allKinds: readonly (Described & { kind: Kind })[] = Object.values(kinds)
