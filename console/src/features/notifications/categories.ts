import type { Choice } from '../../data/choices.ts'
import { words } from '../../data/words.ts'
import type { Schema } from '../../flightdeck.ts'

export type Category = keyof Omit<Schema<'NotificationSettings'>, 'digest'>

const names: Readonly<Record<Category, string>> = {
  approvals_waiting: 'Approvals waiting',
  my_change_sets: 'My change sets',
  pacing: 'Pacing',
  deployments: 'Deployments',
  security: 'Security',
}

export const categories: readonly Choice[] = Object.entries(names).map(([value, name]) => ({
  value,
  name,
}))

/** One of a later version is named by its own words. */
export const nameOfCategory = (category: string): string =>
  categories.find(({ value }) => value === category)?.name ?? words(category)
