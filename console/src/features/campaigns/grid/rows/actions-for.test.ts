import { expect, test } from 'vitest'
import { actionsFor } from './actions-for.ts'

type Row = Parameters<typeof actionsFor>[1][number]

const offered = {
  draft: ['launch', 'archive'],
  active: ['pause', 'complete'],
  paused: ['resume', 'complete', 'archive'],
} as const

/** Rows named by their place in the list. */
const rowsOf = (...statuses: (keyof typeof offered)[]): Row[] =>
  statuses.map((status, at) => ({
    id: `${at}`,
    available_actions: offered[status].map((action) => ({ action, allowed: true, blocked_by: [] })),
  }))

const shownFor = (ids: readonly string[], rows: readonly Row[]) =>
  actionsFor(new Set(ids), rows).shown

test('drafts are launched before anything else', () => {
  expect(shownFor(['0', '1'], rowsOf('draft', 'draft', 'active'))).toEqual(['launch', 'archive'])
})

test('what stops or starts campaigns comes before what ends them', () => {
  const rows = rowsOf('active', 'active', 'paused')
  expect(shownFor(['0', '1', '2'], rows)).toEqual(['pause', 'resume'])
  expect(shownFor(['2'], rows)).toEqual(['resume', 'complete'])
})

test('each action is there once, for chosen rows that the list does not show too', () => {
  const { shown, more } = actionsFor(new Set(['elsewhere']), rowsOf('draft'))
  expect(shown).toEqual(['pause', 'resume'])
  expect(more).toEqual(['launch', 'complete', 'archive', 'unarchive'])
})
