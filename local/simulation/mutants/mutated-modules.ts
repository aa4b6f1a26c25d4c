import { registerHooks } from 'node:module'
import { pathToFileURL } from 'node:url'

/** The modules of this thread that a mutant changes. */
export interface MutatedModules {
  /** Number of the mutant, which distinguishes its modules from those of others. */
  readonly number: number
  /** The modules that are evaluated again, by URL: the changed ones and their importers, as JavaScript. */
  readonly modules: Readonly<Record<string, string>>
}

const QUERY = 'mutant'

/**
 * Makes this thread import modules as mutants have them, beside the modules that it has. Modules that a mutant does not change
 * are shared, so that a mutant costs little more than its seeds.
 * @returns a function that imports a module as a mutant has it
 */
export function importMutated(): (url: URL, mutant: MutatedModules) => Promise<unknown> {
  const mutants = new Map<string, MutatedModules>()
  const numberIn = (url: string | undefined) => (url?.startsWith('file:') ? new URL(url).searchParams.get(QUERY) : null)
  const addressOf = (url: string, number: string | null) =>
    number !== null && mutants.get(number)?.modules[url] !== undefined ? `${url}?${QUERY}=${number}` : url

  registerHooks({
    resolve(specifier, context, next) {
      const resolved = next(specifier, context)
      return { ...resolved, url: addressOf(resolved.url, numberIn(context.parentURL)) }
    },
    load(url, context, next) {
      const number = numberIn(url)
      const source = number === null ? undefined : mutants.get(number)?.modules[url.slice(0, url.indexOf('?'))]
      return source === undefined ? next(url, context) : { format: 'module', source, shortCircuit: true }
    },
  })

  return (url, mutant) => {
    mutants.set(String(mutant.number), mutant)
    return import(addressOf(url.href, String(mutant.number)))
  }
}

/** Returns the URL of a file’s module. @param file path below `root`, which ends with a slash */
export const urlOf = (root: string, file: string) => pathToFileURL(root + file).href
