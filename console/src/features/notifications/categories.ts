import { words } from '../../data/words.ts'

/** The subjects of notifications, as people know them. */
export const categories = [
  {
    value: 'approvals_waiting',
    name: 'Approvals waiting',
    about: 'Change sets and campaigns that you may approve.',
  },
  {
    value: 'my_change_sets',
    name: 'My change sets',
    about: 'What became of change sets and campaigns that you proposed.',
  },
  {
    value: 'pacing',
    name: 'Pacing',
    about: 'Campaigns and clients that spend too much or too little, and caps that were reached.',
  },
  {
    value: 'deployments',
    name: 'Deployments',
    about: 'Networks that run something else, or can be reached no longer.',
  },
  {
    value: 'security',
    name: 'Security',
    about: 'Keys, members, and receivers that were switched off: for owners and admins.',
  },
] as const

/** One of a later version is named by its own words. */
export const nameOfCategory = (category: string): string =>
  categories.find(({ value }) => value === category)?.name ?? words(category)
