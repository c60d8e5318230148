/** How a state is meant, for its color and its icon. */
export type Tone = 'good' | 'warn' | 'bad' | 'info' | 'neutral'

/** `pending_review` → `Pending review`. */
export const words = (name: string): string => {
  const text = name.replaceAll('_', ' ')
  return `${text[0]?.toUpperCase() ?? ''}${text.slice(1)}`
}
