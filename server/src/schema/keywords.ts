import type { TSchema } from 'typebox'

/** The keywords that the service itself reads. */
export type Keywords = {
  readonly title?: string
  readonly description?: string
  readonly examples?: readonly unknown[]
  readonly type?: string | readonly string[]
  readonly enum?: readonly string[]
  readonly format?: string
  readonly minimum?: number
  readonly items?: TSchema
  readonly properties?: Readonly<Record<string, TSchema>>
  readonly additionalProperties?: TSchema | boolean
  readonly required?: readonly string[]
  readonly maxProperties?: number
  readonly maxBytes?: number
  /** Read-only fields that a client may send back unchanged. */
  readonly echoes?: readonly string[]
  readonly readOnlyFields?: readonly string[]
  /** A list whose items are validated one by one, each as its own body. */
  readonly checkedApart?: boolean
  readonly money?: boolean
  /** Rules that only the document states: verbs check them, each with a fault of its own. */
  readonly stated?: Readonly<Record<string, unknown>>
  /** Texts that are accepted as they are; the document lists them, as others may be accepted too. */
  readonly known?: readonly string[]
  /** Texts that may stand in place of the object. */
  readonly names?: readonly string[]
  /** The document shows these objects instead: each whole, with what it requires. */
  readonly alternatives?: readonly Alternative[]
  /** Another schema: the document shows this one as what it adds to that one. */
  readonly basedOn?: TSchema
  /** The component that the document shows instead. */
  readonly publishedAs?: string
}

/** One of the forms of an object. */
export type Alternative = {
  readonly title: string
  readonly description: string
  readonly required: readonly string[]
  /** Fields that this form does not have. */
  readonly without?: readonly string[]
}

/** TypeBox's type of any schema names no keyword. */
export const keywordsOf = (schema: TSchema): Keywords => schema

/** The schema of the items of a list. */
export const itemsOf = (list: TSchema): TSchema | undefined =>
  keywordsOf(keywordsOf(list).properties?.data ?? {}).items
