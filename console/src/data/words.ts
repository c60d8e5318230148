/** How a state is meant, for its color and its icon. */
export type Tone = 'good' | 'warn' | 'bad' | 'info' | 'neutral'

/** `pending_review` → `Pending review`. */
export const words = (name: string): string => {
  const text = name.replaceAll('_', ' ')
  return `${text[0]?.toUpperCase() ?? ''}${text.slice(1)}`
}

/** Events whose names alone say too little. */
const explained: Readonly<Record<string, string>> = {
  'pacing.changed': 'Pacing status changed',
  'pacing.stale': 'Results became late',
}

/** `campaign.budget_raised` → `Budget raised`. */
export const actionText = (action: string): string =>
  explained[action] ?? words(action.split('.').at(-1) ?? action)

/** `campaign.budget_raised` → `Campaign budget raised`. */
export const eventText = (type: string): string =>
  explained[type] ?? words(type.replaceAll('.', ' '))
