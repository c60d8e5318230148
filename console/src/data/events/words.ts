import { nameOf } from '../choices.ts'
import { words } from '../words.ts'

/** Events whose names alone say too little. */
const explained: Readonly<Record<string, string>> = {
  'pacing.changed': 'Pacing status changed',
  'pacing.stale': 'Results became late',
}

/** `campaign.budget_raised` → `Budget raised`. */
export const actionText = (action: string): string =>
  explained[action] ?? words(action.split('.').at(-1) ?? action)

/** `api_key.created` → `API key created`. */
export function eventText(type: string): string {
  const [kind = '', ...what] = type.split('.')
  return explained[type] ?? [nameOf(kind), ...what].join(' ').replaceAll('_', ' ')
}
