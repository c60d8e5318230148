const token = /"(?:\\.|[^"\\])*"|[{}[\],:]|[^\s{}[\],:"]+/g

/** JSON in lines, its numbers and texts as they are; null for what is no object or list. */
export const indented = (text: string): string | null => (isJson(text) ? inLines(text) : null)

function inLines(text: string): string {
  let lines = ''
  let depth = 0
  let wasOpened = false
  let isNext = false
  for (const [part] of text.matchAll(token)) {
    const closes = part === '}' || part === ']'
    if (closes) depth -= 1
    if (closes ? !wasOpened : isNext) lines += `\n${'  '.repeat(depth)}`
    lines += part === ':' ? ': ' : part
    wasOpened = part === '{' || part === '['
    if (wasOpened) depth += 1
    isNext = wasOpened || part === ','
  }
  return lines
}

function isJson(text: string): boolean {
  try {
    return typeof JSON.parse(text) === 'object'
  } catch {
    return false
  }
}
