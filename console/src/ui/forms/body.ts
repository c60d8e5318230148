import { decimalIn } from '../../data/typed.ts'

/** Fields of a form; the compiler refuses a name that the API does not take. */
type Fields<Given, Body> = Given & Record<Exclude<keyof Given, keyof NonNullable<Body>>, never>

type Amounts<Name> = {
  /** Fields that hold amounts as they are typed. */
  money?: readonly Name[]
  currency?: string | null
}

/**
 * The fields of a form as the API takes them. Their values may be wider than the API's: what is
 * missing or unknown goes as it is, for the service to refuse at its field.
 */
export function bodyOf<Body, Given extends object>(
  fields: Fields<Given, Body>,
  { money = [], currency = null }: Amounts<keyof Given & string> = {},
): Body {
  const amounts = money.flatMap((name) => {
    const typed: unknown = fields[name]
    return typeof typed === 'string' ? [[name, decimalIn(typed, currency)]] : []
  })
  return { ...fields, ...Object.fromEntries(amounts) } as Body
}
