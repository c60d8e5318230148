/** A method of a resource, as it is called. */
export type Operation = {
  name: string
  method: string
  path: string
  /** The kind of argument after the ids. */
  input?: 'body' | 'query' | 'csv' | undefined
  /** Other than one JSON value. */
  answer?: 'list' | 'raw' | 'stream' | undefined
  versioned?: boolean
  mergePatch?: boolean
  /** The member of the body that a list stands for. */
  list?: string | undefined
}

const inputs = ['body', 'query', 'csv'] as const
const answers = ['list', 'raw', 'stream'] as const

/** Reads a line of the table of operations, which is text because it weighs less than objects. */
function operationIn(line: string): Operation {
  const [name = '', method = '', path = '', ...words] = line.split(' ')
  return {
    name,
    method,
    path,
    input: inputs.find((each) => words.includes(each)),
    answer: answers.find((each) => words.includes(each)),
    versioned: words.includes('versioned'),
    mergePatch: name === 'patch',
    list: words.find((each) => each.startsWith('of='))?.slice(3),
  }
}

/** The operations of one resource. */
export const operationsIn = (lines: string): Operation[] =>
  lines.trim().split('\n').map(operationIn)
