import type { Source } from './sources.ts'

/** What only its own file can know: Lambda calls it by this name. */
const CALLED_BY_NAME = 'handler'

const declaration = /^export (?:async )?(?:const|let|function\*?|class) (\w+)/gm

/**
 * Values that are exported and that no other file speaks of, one sentence for each. Types may be exported for whoever reads a
 * signature. A word stands for a use, so that a name used elsewhere for something else passes.
 */
export function exportProblems(sources: readonly Source[]): string[] {
  const filesWith = new Map<string, number>()
  for (const { text } of sources)
    for (const word of new Set(text.match(/\w+/g))) filesWith.set(word, (filesWith.get(word) ?? 0) + 1)
  return sources.flatMap(({ path, text }) =>
    [...text.matchAll(declaration)]
      .map(([, name = '']) => name)
      .filter((name) => name !== CALLED_BY_NAME && filesWith.get(name) === 1)
      .map((name) => `${path} exports ${name}, which no other file uses: keep it to itself, or delete it.`),
  )
}
