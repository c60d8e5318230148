/** Counts lines, functions and type assertions of a source file. */
import { parseSync, Visitor } from 'oxc-parser'

type Place = { line: number; lines: number }

export type Sizes = {
  lines: number
  /** Every function with its first line, and the lines from the first to the last of its body. */
  functions: readonly Place[]
  /** The lines of type assertions; `as const` is none. */
  assertions: readonly number[]
}

type Span = { start: number; end: number }

export function sizesOf(file: string, text: string): Sizes {
  const lineAt = (offset: number) => text.slice(0, offset).split('\n').length
  const functions: Place[] = []
  const assertions: number[] = []
  const noteFunction = ({ start, body }: Span & { body: Span | null }) => {
    if (!body) return
    functions.push({ line: lineAt(start), lines: lineAt(body.end) - lineAt(body.start) + 1 })
  }
  new Visitor({
    FunctionDeclaration: noteFunction,
    FunctionExpression: noteFunction,
    ArrowFunctionExpression: noteFunction,
    TSTypeAssertion: ({ start }) => void assertions.push(lineAt(start)),
    TSAsExpression: ({ start, end, expression }) => {
      const type = text.slice(expression.end, end)
      if (!/^\)*\s*as\s+const$/.test(type)) assertions.push(lineAt(start))
    },
  }).visit(parseSync(file, text).program)
  return { lines: text.trimEnd().split('\n').length, functions, assertions }
}
