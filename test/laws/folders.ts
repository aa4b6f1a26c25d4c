import { dirname } from 'node:path/posix'
import { importsOf } from './imports.ts'
import { cyclesOf } from './layers.ts'
import type { Source } from './sources.ts'

const MAX_FILES = 20

/** Returns one sentence for each folder that holds too many files, or only one and no other folder. */
export function folderSizeProblems(paths: readonly string[], { min }: { min: number }): string[] {
  const sizes = Map.groupBy(paths, dirname)
  return [...sizes].flatMap(([folder, { length }]) => {
    if (length > MAX_FILES) return [`${folder} holds ${length} files: divide it into folders of at most ${MAX_FILES}.`]
    const isParent = paths.some((path) => dirname(path).startsWith(`${folder}/`))
    return length < min && !isParent ? [`${folder} holds one file: move it to the folder above.`] : []
  })
}

/**
 * Returns every loop between folders, as `a → b → a`. A folder and the folders inside it are neighbours: the face of a folder
 * imports what is inside, which imports the basics beside the face.
 */
export function folderLoops(sources: readonly Source[]): string[] {
  const graph = new Map<string, string[]>()
  for (const source of sources) {
    const from = dirname(source.path)
    const others = importsOf(source)
      .files.map(dirname)
      .filter((to) => !isWithin(from, to) && !isWithin(to, from))
    graph.set(from, [...(graph.get(from) ?? []), ...others])
  }
  return cyclesOf(graph)
}

const isWithin = (folder: string, path: string) => path === folder || path.startsWith(`${folder}/`)
