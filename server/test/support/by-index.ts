/** Limits under which every row is beyond the first ones, so that all are found by the index. */
export const everyRowByIndex = {
  has: async () => true,
  hasVeryMany: async () => true,
  countedUpTo: Number.POSITIVE_INFINITY,
  firstRows: () => 1,
}
