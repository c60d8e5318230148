import { type Comment, parseSync } from 'oxc-parser'

/** Words that begin a comment without naming its subject: "What was spent", "Of the last read". */
const unnamed = /^(?:what|of|those|who|whoever|whom|whose|where|which|why|they)(?![a-z])/i

/** Words that stand for a subject which only the line below a doc comment would name. */
const unnamedInDocs = /^(?:its?|their|something)(?![a-z])/i

/** The lines of comments that begin with neither a noun nor a verb. */
export function unnamedOpenings(file: string, text: string): number[] {
  const { comments } = parseSync(file, text)
  return comments
    .filter((comment, at) => !continues(comments[at - 1], comment, text) && isUnnamed(comment))
    .map(({ start }) => text.slice(0, start).split('\n').length)
}

function isUnnamed({ type, value }: Comment): boolean {
  const isDoc = type === 'Block' && value.startsWith('*')
  const words = value.replace(/^[\s*]+/, '')
  return unnamed.test(words) || (isDoc && unnamedInDocs.test(words))
}

/** Whether a line comment goes on with the sentence of the one above it. */
function continues(above: Comment | undefined, { type, start }: Comment, text: string): boolean {
  if (above?.type !== 'Line' || type !== 'Line') return false
  return /^\r?\n[ \t]*$/.test(text.slice(above.end, start))
}
