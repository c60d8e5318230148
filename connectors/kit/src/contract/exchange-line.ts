/** An exchange with a network as a transcript has it: without credentials and the account’s id. */
export type ExchangeLine = {
  method: string
  path: string
  body: string | null
  status: number
  answer: string
}
