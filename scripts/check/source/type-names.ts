import { parseSync, Visitor } from 'oxc-parser'

type Declaration = { id: { name: string } | null }

/** The names of the types, interfaces, enums and classes that a file declares. */
export function typeNamesIn(file: string, text: string): Set<string> {
  const names = new Set<string>()
  const note = ({ id }: Declaration) => void (id && names.add(id.name))
  new Visitor({
    TSTypeAliasDeclaration: note,
    TSInterfaceDeclaration: note,
    TSEnumDeclaration: note,
    ClassDeclaration: note,
  }).visit(parseSync(file, text).program)
  return names
}

/** Names that more files declare than `most`, each with its files. */
export function sharedNames(
  namesByFile: ReadonlyMap<string, ReadonlySet<string>>,
  most: number,
): { name: string; files: string[] }[] {
  const files = new Map<string, string[]>()
  for (const [file, names] of namesByFile) {
    for (const name of names) files.set(name, [...(files.get(name) ?? []), file])
  }
  return [...files]
    .filter(([, found]) => found.length > most)
    .map(([name, found]) => ({ name, files: found.toSorted() }))
}
