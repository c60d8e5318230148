import type { operations } from './openapi.ts'

type Id = keyof operations

type Json<Content> = Content extends { content: { 'application/json': infer Body } } ? Body : never

/** A filter takes one value or a list of them. */
type Listed<Value> = Value extends readonly (infer One)[] ? One | readonly One[] : Value

/** Query parameters. */
export type Query<Op extends Id> = operations[Op]['parameters'] extends { query?: infer Query }
  ? { readonly [Name in keyof Query]: Listed<Query[Name]> | undefined }
  : never

export type Body<Op extends Id> = operations[Op] extends { requestBody?: infer Body }
  ? Json<Body>
  : never

/** The body of the answer; nothing for a 204. */
export type Result<Op extends Id> = [Json<operations[Op]['responses'][200]>] extends [never]
  ? undefined
  : Json<operations[Op]['responses'][200]>

/** An item of a list. */
export type Item<Op extends Id> = Result<Op> extends { data: (infer Item)[] } ? Item : never
