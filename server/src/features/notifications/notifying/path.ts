import { hasKey } from '../../../values/objects.ts'

/** Screens of the console, by the prefix of the ids of what they show. */
const screens = {
  cmp: '/campaigns',
  chs: '/change-sets',
  cli: '/clients',
  prf: '/profiles',
  prx: '/proxies',
  tpl: '/templates',
  rpt: '/reports',
  key: '/api-keys',
  usr: '/members',
  whe: '/webhook-endpoints',
  nch: '/organization/notification-channels',
} as const

export function pathOf(id: string): string | null {
  const prefix = id.slice(0, 3)
  return hasKey(screens, prefix) ? `${screens[prefix]}/${id}` : null
}
