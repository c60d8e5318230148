import { readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { dirname, join, normalize } from 'node:path'

const root = join(import.meta.dirname, '../../..')

/** A source file: its place below the repository, its text, and what it imports. */
export type Source = { path: string; text: string; imports: string[] }

const statement =
  /^(?:import|export)\s(?:[^'"]*?\sfrom\s+)?['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)/gm

export async function sourcesOf(...patterns: string[]): Promise<Source[]> {
  const paths = await Array.fromAsync(glob(patterns, { cwd: root }))
  return paths.sort().map((path) => {
    const text = readFileSync(join(root, path), 'utf8')
    const named = [...text.matchAll(statement)].map(([, plain, lazy]) => plain ?? lazy ?? '')
    const imports = named.map((name) =>
      name.startsWith('.') ? normalize(join(dirname(path), name)) : name,
    )
    return { path, text, imports }
  })
}

export const isTest = (path: string): boolean => /\.(?:test|e2e|test-d)\.tsx?$/.test(path)

/** The imports of each file or folder. */
type Graph = ReadonlyMap<string, ReadonlySet<string>>

/** The first part of a path below a folder. */
export const roomIn = (folder: string, path: string): string =>
  path.startsWith(`${folder}/`) ? (path.slice(folder.length + 1).split('/')[0] ?? '') : ''

/** Imports of a room from one that stands below it in the list, types included. */
export const upward = (sources: readonly Source[], folder: string, rooms: readonly string[]) =>
  sources.flatMap(({ path, imports }) => {
    const own = rooms.indexOf(roomIn(folder, path))
    return imports
      .filter((target) => rooms.indexOf(roomIn(folder, target)) > own)
      .map((target) => `${path} → ${target}`)
  })

/** Folders and those beside them that their files import from, types included. */
export function folderGraph(sources: readonly Source[]): Graph {
  const graph = new Map<string, Set<string>>()
  for (const { path, imports } of sources)
    for (const target of imports) {
      const [from, to] = foldersBetween(path, target)
      if (from && to) graph.set(from, (graph.get(from) ?? new Set()).add(to))
    }
  return graph
}

/** The two folders, side by side, that a file and what it imports are in. */
function foldersBetween(path: string, target: string): string[] {
  const from = dirname(path).split('/')
  const to = dirname(target).split('/')
  const at = from.findIndex((name, index) => name !== to[index])
  if (at < 0 || to[at] === undefined) return []
  return [from, to].map((names) => names.slice(0, at + 1).join('/'))
}

export const importGraph = (sources: readonly Source[]): Graph =>
  new Map(sources.map(({ path, imports }) => [path, new Set(imports)]))

/** The imports that remain once types are erased, but for those within functions. */
export const runtimeGraph = (sources: readonly Source[]): Graph =>
  new Map(sources.map(({ path, text }) => [path, new Set(runtimeImports(path, text))]))

function runtimeImports(path: string, text: string): string[] {
  return [...text.matchAll(/^(import|export)\s([^'"]*?)\sfrom\s+['"]([^'"]+)['"]/gm)]
    .filter(([, , what = '']) => !isOfTypes(what))
    .map(([, , , name = '']) =>
      name.startsWith('.') ? normalize(join(dirname(path), name)) : name,
    )
}

/** Files and packages that are loaded with a file. */
export function loadedWith(graph: Graph, start: string): Set<string> {
  const loaded = new Set([start])
  // A set is walked with what is added meanwhile.
  for (const path of loaded) for (const next of graph.get(path) ?? []) loaded.add(next)
  return loaded
}

const isOfTypes = (what: string): boolean => {
  if (/^type\s/.test(what)) return true
  const names = /^\{([^}]*)\}$/
    .exec(what.trim())?.[1]
    ?.split(',')
    .map((name) => name.trim())
  return names?.filter(Boolean).every((name) => name.startsWith('type ')) ?? false
}

/** The first circle, as `a → b → a`. */
export function circleIn(graph: Graph): string | undefined {
  const done = new Set<string>()
  const visit = (node: string, trail: readonly string[]): string | undefined => {
    if (trail.includes(node)) return [...trail.slice(trail.indexOf(node)), node].join(' → ')
    if (done.has(node)) return undefined
    for (const next of graph.get(node) ?? []) {
      const circle = visit(next, [...trail, node])
      if (circle) return circle
    }
    done.add(node)
    return undefined
  }
  return [...graph.keys()].map((node) => visit(node, [])).find(Boolean)
}
