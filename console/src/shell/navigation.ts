import {
  IconBell,
  IconBuildingSkyscraper,
  IconChartBar,
  IconChecklist,
  IconClock,
  IconGauge,
  IconHistory,
  IconKey,
  IconLayoutList,
  IconPlugConnected,
  IconShieldCheck,
  IconStack2,
  IconTemplate,
  IconTrendingUp,
  IconUserCircle,
  IconUsers,
  IconWebhook,
  IconWorld,
} from '@tabler/icons-react'
import type { ScreenPath } from '../data/address.ts'
import type { Operation } from '../rights.ts'

/** The screens in the order of the navigation. Who may not read one does not see it. */
export const navigation = [
  {
    title: 'Campaigns',
    screens: [
      { to: '/', name: 'Deck', icon: IconGauge, needs: 'listCampaigns', keys: 'g d' },
      {
        to: '/campaigns',
        name: 'Campaigns',
        icon: IconLayoutList,
        needs: 'listCampaigns',
        keys: 'g c',
      },
      {
        to: '/pacing',
        name: 'Pacing',
        icon: IconTrendingUp,
        needs: 'listPacing',
        keys: 'g y',
      },
      {
        to: '/results',
        name: 'Results',
        icon: IconChartBar,
        needs: 'listResults',
        keys: 'g z',
      },
      {
        to: '/change-sets',
        name: 'Change sets',
        icon: IconStack2,
        needs: 'listChangeSets',
        keys: 'g h',
      },
      {
        to: '/approvals',
        name: 'Approvals',
        icon: IconChecklist,
        needs: 'listCampaigns',
        keys: 'g a',
      },
    ],
  },
  {
    title: 'Set-up',
    screens: [
      { to: '/profiles', name: 'Profiles', icon: IconWorld, needs: 'listProfiles', keys: 'g p' },
      {
        to: '/templates',
        name: 'Templates',
        icon: IconTemplate,
        needs: 'listTemplates',
        keys: 'g t',
      },
      {
        to: '/proxies',
        name: 'Proxies',
        icon: IconPlugConnected,
        needs: 'listProxies',
        keys: 'g x',
      },
    ],
  },
  {
    title: 'Activity',
    screens: [
      {
        to: '/webhook-endpoints',
        also: '/deliveries',
        name: 'Webhooks',
        icon: IconWebhook,
        needs: 'listWebhookEndpoints',
        keys: 'g w',
      },
      {
        to: '/events',
        also: '/event-types',
        name: 'Events',
        icon: IconBell,
        needs: 'listEvents',
        keys: 'g e',
      },
      {
        to: '/audit-log',
        name: 'Audit log',
        icon: IconHistory,
        needs: 'listAuditLogs',
        keys: 'g l',
      },
    ],
  },
  {
    title: 'Administration',
    screens: [
      { to: '/members', name: 'Members', icon: IconUsers, needs: 'listMembers', keys: 'g m' },
      { to: '/api-keys', name: 'API keys', icon: IconKey, needs: 'listApiKeys', keys: 'g k' },
      {
        to: '/guardrails',
        name: 'Guardrails',
        icon: IconShieldCheck,
        needs: 'getGuardrails',
        keys: 'g r',
      },
      {
        to: '/organization',
        name: 'Organization',
        icon: IconBuildingSkyscraper,
        needs: 'getOrganization',
        keys: 'g o',
      },
      { to: '/sandbox', name: 'Sandbox', icon: IconClock, needs: 'getSandbox', keys: 'g s' },
      { to: '/account', name: 'Account', icon: IconUserCircle, needs: 'getMe', keys: 'g u' },
    ],
  },
] as const satisfies readonly { title: string; screens: readonly Screen[] }[]

/** Reference, in the palette and in the menu of the account. */
export const help = [
  { to: '/errors', name: 'Error codes' },
  { to: '/currencies', name: 'Currencies' },
] as const

export type Screen = {
  to: ScreenPath
  /** Another screen that belongs to it. */
  also?: ScreenPath
  name: string
  icon: typeof IconBell
  needs: Operation
  keys: string
}
