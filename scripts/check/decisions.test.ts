import { expect, test } from 'vitest'
import { type DecisionRecord, decisionFaults } from './decisions.ts'

const titles = ['One', 'Two']
const records: DecisionRecord[] = titles.map((title, at) => ({
  file: `000${at + 1}-${title.toLowerCase()}.md`,
  text: `# 000${at + 1} ${title}\n\n**Context.** Why.\n`,
}))
const [one, two] = records as [DecisionRecord, DecisionRecord]

const index = `# Decisions

No record has the number 0024.

- [0001](0001-one.md) One
- [0002](0002-two.md) Two
`

test('records in order, as the index has them, have no faults', () => {
  expect(decisionFaults(records, index)).toEqual([])
})

test('a number that is missing is found, and one that is there twice', () => {
  const third = { file: '0003-two.md', text: '# 0003 Two\n' }
  expect(decisionFaults([one, third], index)).toContain('no record has the number 0002')
  const twin = { file: '0001-uno.md', text: '# 0001 Uno\n' }
  expect(decisionFaults([...records, twin], index)).toContain('0001 is there twice')
})

test('a title is the same in the record and in the index', () => {
  expect(decisionFaults(records, index.replace('Two\n', 'Too\n'))).toEqual([
    'README.md lacks "- [0002](0002-two.md) Two"',
    'README.md has "- [0002](0002-two.md) Too", as no record says',
  ])
})

test('the index names the numbers that were skipped', () => {
  expect(decisionFaults(records, index.replace('0024', ''))).toHaveLength(1)
})

test.each(['# 1. One\n', '# 0002 One\n', 'One\n', '# 0001 One\n\n## Decision\n'])(
  'a record has one heading, its number and title: %j does not',
  (text) => {
    expect(decisionFaults([{ ...one, text }, two], index)[0]).toMatch(/first line|second heading/)
  },
)

test.each([
  ['Replaced by', 'Replaces', 'replaced by'],
  ['Replaced in part by', 'Replaces a part of', 'replaced in part by'],
])('%s and %s stand in the two records, and in the index', (older, newer, note) => {
  const old = { ...one, text: `${one.text}\n${older} [0002](0002-two.md).\n` }
  const young = { ...two, text: `${two.text}\n${newer} [0001](0001-one.md).\n` }
  const noted = index.replace('One\n', `One (${note} 0002)\n`)
  expect(decisionFaults([old, young], noted)).toEqual([])
  expect(decisionFaults([old, two], noted)).toHaveLength(1)
  expect(decisionFaults([one, young], index)).toHaveLength(1)
})
