import { useQueries, useQuery } from '@tanstack/react-query'
import { useOnlyClient } from '../../data/only-client.ts'
import {
  type PacingRow,
  pacingCurrencies,
  rowOf,
  severities,
  worstPacing,
} from '../pacing/queries.ts'

/**
 * The least share of the target. Less needs no person: some days more than the plan, evened out by
 * others.
 */
const leastShareAtRisk = 0.01

const mostShown = 12

/** The share of the target that is at risk, so that currencies and sizes can be compared. */
const shareAtRisk = ({ money_at_risk_minor, target_minor }: PacingRow): number =>
  target_minor > 0 ? (money_at_risk_minor ?? 0) / target_minor : 0

const rankOf = ({ status }: PacingRow): number =>
  severities.findIndex((statuses) => statuses.some((each) => each === status))

/** Whether someone has to do something about it: what is over by next to nothing is only reported. */
const needsSomeone = (row: PacingRow): boolean =>
  rankOf(row) === 0 || row.money_at_risk_minor === null || shareAtRisk(row) >= leastShareAtRisk

/** The campaigns off their plan that need someone: the most severe first, then by share at risk. */
export function useOffPlan(): { rows: readonly PacingRow[]; hasMore: boolean } {
  const only = useOnlyClient()
  const { data: currencies = [] } = useQuery(pacingCurrencies(only))
  return useQueries({
    queries: currencies.flatMap((currency) =>
      severities.map((statuses) => worstPacing({ currency, only }, statuses)),
    ),
    combine: (answers) => {
      const rows = answers.flatMap(({ data = [] }) => data.map(rowOf)).filter(needsSomeone)
      const sorted = rows.toSorted(
        (one, other) => rankOf(one) - rankOf(other) || shareAtRisk(other) - shareAtRisk(one),
      )
      return { rows: sorted.slice(0, mostShown), hasMore: rows.length > mostShown }
    },
  })
}
