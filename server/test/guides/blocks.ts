/** A fenced block of a Markdown document. */
export type Block = {
  language: string
  /** The name to save it under, from its first line: ```python verify.py */
  file: string | null
  text: string
  /** The line of its fence, from 1. */
  line: number
  /** The reason why it is not run, from a comment above it; null if it is run. */
  notRun: string | null
  /** Whether it goes on until it is stopped, from a comment above it. */
  isEndless: boolean
  /** The block right below it, with at most a line of prose between them: what it prints. */
  prints: Pick<Block, 'language' | 'text'> | null
  /** Text beside it that names the HTTP errors to expect. */
  expects: string
}

const fenced = /^( *)```(\S*)(?: (\S+))?\n(.*?)^\1```$/gms

/** All fenced blocks, in order. */
export function blocksOf(markdown: string): Block[] {
  const found = [...markdown.matchAll(fenced)]
  const blocks = found.map((match): Block => {
    const [, indent = '', language = '', file = null, text = ''] = match
    const above = markdown.slice(0, match.index)
    const [, note = ''] = /<!-- (.+) -->\n$/.exec(above) ?? []
    return {
      language,
      file,
      text: text.replace(new RegExp(`^${indent}`, 'gm'), '').trimEnd(),
      line: above.split('\n').length,
      notRun: /^not run: (.+)$/.exec(note)?.[1] ?? null,
      isEndless: note === 'runs until stopped',
      prints: null,
      expects: '',
    }
  })
  return blocks.map((block, at) => {
    const [match, next] = [found[at], found[at + 1]]
    const end = match && match.index + match[0].length
    const between = markdown.slice(end, next?.index).trim()
    return { ...block, prints: between.includes('\n') ? null : (blocks[at + 1] ?? null) }
  })
}

/** Commands in tables, one in a row. */
export const commandsInTables = (markdown: string): Block[] =>
  markdown.split('\n').flatMap((row, at) => {
    const [, text] = /^\|.*\| `((?:api|\.\/flightdeck) [^`]+)` +\|/.exec(row) ?? []
    if (text === undefined) return []
    const rest = { language: 'sh', file: null, notRun: null, isEndless: false, prints: null }
    return [{ ...rest, text, line: at + 1, expects: row }]
  })

/** Shell variables that a script uses without setting them first. */
export function variablesTakenBy(script: string): string[] {
  const used = [...script.matchAll(/\$\{?([A-Z][A-Z_]*)/g)].map(([, name = '']) => name)
  return [...new Set(used)].filter((name) => {
    const set = script.search(new RegExp(`(?:^|[ (])${name}=`, 'm'))
    return set < 0 || set > script.search(new RegExp(`\\$\\{?${name}\\b`))
  })
}
