import { iso31661 } from 'iso-3166/1.js'
import { choice } from './fields.ts'

/** ISO 3166-1 alpha-2, upper case. */
export const Country = choice(
  iso31661.map(({ alpha2 }) => alpha2),
  { title: 'Country', description: 'ISO 3166-1 alpha-2 code, upper case.', examples: ['DE'] },
)
