/** The library has no types of its own. */
declare module '@michaelhomer/jqjs' {
  export function compile(program: string): (input: unknown) => Iterable<unknown>
}
