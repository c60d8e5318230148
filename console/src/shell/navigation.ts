import {
  IconBolt,
  IconBriefcase,
  IconBroadcast,
  IconBuildingSkyscraper,
  IconChartBar,
  IconChecklist,
  IconClock,
  IconFile,
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
import type { ScreenPath } from '../address.ts'
import { kinds } from '../kinds.ts'
import type { Operation } from '../rights.ts'

/** The screens in the order of the navigation. Who may not read one does not see it. */
export const navigation = [
  {
    title: 'Campaigns',
    screens: [
      { to: '/', name: 'Deck', icon: IconGauge, needs: 'listCampaigns', keys: 'g d' },
      { ...kinds.campaigns.screen, icon: IconLayoutList, keys: 'g c' },
      { ...kinds.clients.screen, icon: IconBriefcase, keys: 'g i' },
      { ...kinds.pacing.screen, icon: IconTrendingUp, keys: 'g y' },
      { ...kinds.deployments.screen, icon: IconBroadcast, keys: 'g v' },
      { ...kinds.results.screen, icon: IconChartBar, keys: 'g z' },
      { ...kinds.reports.screen, icon: IconFile, keys: 'g f' },
      { ...kinds.changeSets.screen, icon: IconStack2, keys: 'g h' },
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
      { ...kinds.profiles.screen, icon: IconWorld, keys: 'g p' },
      { ...kinds.templates.screen, icon: IconTemplate, keys: 'g t' },
      { ...kinds.proxies.screen, icon: IconPlugConnected, keys: 'g x' },
    ],
  },
  {
    title: 'Activity',
    screens: [
      { ...kinds.webhookEndpoints.screen, also: '/deliveries', icon: IconWebhook, keys: 'g w' },
      { ...kinds.events.screen, also: '/event-types', icon: IconBolt, keys: 'g e' },
      { ...kinds.auditLogs.screen, icon: IconHistory, keys: 'g l' },
    ],
  },
  {
    title: 'Administration',
    screens: [
      { ...kinds.members.screen, icon: IconUsers, keys: 'g m' },
      { ...kinds.apiKeys.screen, icon: IconKey, keys: 'g k' },
      { ...kinds.guardrails.screen, icon: IconShieldCheck, keys: 'g r' },
      { ...kinds.organization.screen, icon: IconBuildingSkyscraper, keys: 'g o' },
      { ...kinds.sandbox.screen, icon: IconClock, keys: 'g s' },
      { to: '/account', name: 'Account', icon: IconUserCircle, needs: 'getMe', keys: 'g u' },
    ],
  },
] as const satisfies readonly { title: string; screens: readonly Screen[] }[]

/** The screen of the bell. */
export const inbox = { to: '/inbox', name: 'Inbox', keys: 'g b' } as const

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
  icon: typeof IconBolt
  needs: Operation
  keys: string
}
