/** A file of docs/decisions, named `0001-title.md`. */
export type DecisionRecord = { file: string; text: string }

type Replacement = { older: string; newer: string; isWhole: boolean }

/** Numbers that were never given to a record: the index says so. */
const skipped = ['0024']

/** Contradictions between the records and their index, and gaps in their numbers. */
export function decisionFaults(records: readonly DecisionRecord[], index: string): string[] {
  return [
    ...records.flatMap(headingFaults),
    ...numberFaults(records.map(numberOf)),
    ...indexFaults(records, index),
    ...replacementFaults(records),
  ]
}

const numberOf = ({ file }: DecisionRecord): string => file.slice(0, 4)

const titleOf = ({ text }: DecisionRecord): string => text.split('\n', 1)[0]?.slice(7) ?? ''

function headingFaults(record: DecisionRecord): string[] {
  const [first = '', ...rest] = record.text.split('\n')
  const number = numberOf(record)
  const isNumbered = first.startsWith(`# ${number} `)
  const others = rest.filter((line) => /^#{1,6} /.test(line))
  return [
    ...(isNumbered ? [] : [`${record.file}: the first line is not "# ${number} <title>"`]),
    ...others.map((line) => `${record.file}: "${line}" is a second heading; write **Context.**`),
  ]
}

function numberFaults(given: readonly string[]): string[] {
  const last = Math.max(0, ...given.map(Number))
  const all = Array.from({ length: last }, (_, at) => String(at + 1).padStart(4, '0'))
  return all.flatMap((number) => {
    const count = [...given, ...skipped].filter((each) => each === number).length
    if (count === 1) return []
    return [count === 0 ? `no record has the number ${number}` : `${number} is there twice`]
  })
}

/** The index has one line a record, in their order. */
function indexFaults(records: readonly DecisionRecord[], index: string): string[] {
  const found = index.split('\n').filter((line) => line.startsWith('- ['))
  const expected = records
    .toSorted((one, other) => (one.file < other.file ? -1 : 1))
    .map((record) => `- [${numberOf(record)}](${record.file}) ${titleOf(record)}${noteOf(record)}`)
  return [
    ...expected.filter((line) => !found.includes(line)).map((line) => `README.md lacks "${line}"`),
    ...found
      .filter((line) => !expected.includes(line))
      .map((line) => `README.md has "${line}", as no record says`),
    ...skipped
      .filter((number) => !index.includes(`number ${number}`))
      .map((number) => `README.md does not say why no record has the number ${number}`),
  ]
}

function noteOf({ text }: DecisionRecord): string {
  const numbers = replacers(text).map(({ number }) => number)
  if (numbers.length === 0) return ''
  const isWhole = replacers(text).some((each) => each.isWhole)
  return ` (replaced ${isWhole ? '' : 'in part '}by ${numbers.join(' and ')})`
}

/** Both records of a replacement name the other: `Replaced by [0023](…)`, `Replaces [0009](…)`. */
function replacementFaults(records: readonly DecisionRecord[]): string[] {
  const older = records.flatMap((record) =>
    replacers(record.text).map(({ number, isWhole }): Replacement => {
      return { older: numberOf(record), newer: number, isWhole }
    }),
  )
  const newer = records.flatMap((record) =>
    replaced(record.text).map(({ number, isWhole }): Replacement => {
      return { older: number, newer: numberOf(record), isWhole }
    }),
  )
  const says = (all: readonly Replacement[], each: Replacement) =>
    all.some(
      (other) =>
        other.older === each.older && other.newer === each.newer && other.isWhole === each.isWhole,
    )
  return [
    ...older
      .filter((each) => !says(newer, each))
      .map((each) => `${each.newer} does not say that it replaces ${partOf(each)}${each.older}`),
    ...newer
      .filter((each) => !says(older, each))
      .map((each) => `${each.older} does not say that ${each.newer} replaces ${partOf(each)}it`),
  ]
}

const partOf = ({ isWhole }: Replacement): string => (isWhole ? '' : 'a part of ')

const replacers = (text: string) => linked(text, 'Replaced by ', 'Replaced in part by ')
const replaced = (text: string) => linked(text, 'Replaces ', 'Replaces a part of ')

/** Records that the paragraphs which begin so link to. */
function linked(text: string, whole: string, part: string) {
  return text.split('\n\n').flatMap((paragraph) => {
    const isPart = paragraph.startsWith(part)
    if (!isPart && !paragraph.startsWith(whole)) return []
    const numbers = [...paragraph.matchAll(/\[(\d{4})\]/g)].map(([, number = '']) => number)
    return numbers.map((number) => ({ number, isWhole: !isPart }))
  })
}
