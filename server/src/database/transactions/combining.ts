import type { Statement } from '../driver/protocol.ts'
import { joined } from '../tables/statements.ts'

/** Statements of a transaction, in their order. */
export type Statements = readonly Statement[]

/**
 * The statements of transactions that commit as one, each one's in their order; rows that several insert
 * into the same columns come in one statement, as each has a cost of its own.
 */
export function combine(transactions: readonly Statements[]): Statements {
  const [only] = transactions
  if (only && transactions.length === 1) return only
  const rests = transactions.map((statements) => ({ statements, at: 0 }))
  const all: Statement[] = []
  for (const rest of rests) {
    for (let first = nextOf(rest); first; first = nextOf(rest)) {
      const alike = takeAlike(rests, first)
      all.push(...(first.insert ? joined(first.insert, alike) : alike))
    }
  }
  return all
}

type Rest = { readonly statements: Statements; at: number }

const nextOf = ({ statements, at }: Rest): Statement | undefined => statements[at]

/** Takes what comes next in any of them, as long as it is like this one. */
function takeAlike(rests: readonly Rest[], first: Statement): Statement[] {
  const alike: Statement[] = []
  for (const rest of rests) {
    for (let next = nextOf(rest); next && isAlike(first, next); next = nextOf(rest)) {
      alike.push(next)
      rest.at += 1
    }
  }
  return alike
}

const isAlike = (one: Statement, other: Statement): boolean =>
  one.insert ? one.insert === other.insert : one.sql === other.sql
