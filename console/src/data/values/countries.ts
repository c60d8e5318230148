import { countries } from './countries.gen.ts'

const names = new Intl.DisplayNames(undefined, { type: 'region' })

/** `DE` → `Germany`. */
export const countryName = (code: string): string => names.of(code) ?? code

/** The countries that the service knows, by name. */
export const countryChoices = () =>
  countries
    .map((value) => ({ value, name: countryName(value) }))
    .sort((one, other) => one.name.localeCompare(other.name))
