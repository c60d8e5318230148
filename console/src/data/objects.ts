/** The same names with other values. The caller says what type they have by name. */
export const mapValues = <From extends object, To extends Record<keyof From, unknown>>(
  from: From,
  make: (value: From[keyof From]) => To[keyof From],
): To => Object.fromEntries(Object.entries(from).map(([name, value]) => [name, make(value)])) as To
