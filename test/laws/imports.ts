import { posix } from 'node:path'
import type { Source } from './sources.ts'

/** The ways one module names another; Biome's formatting lets expressions stand in for a parser. */
const forms = [
  /^(?:import|export)\b[^'"`;]*?\bfrom '([^']+)'/gm,
  /^import '([^']+)'/gm,
  /\bimport\('([^']+)'\)/g,
  /\bnew URL\('(\.[^']+\.ts)', import\.meta\.url\)/g, // a worker thread's module
]

export interface Imports {
  /** Paths from the root. */
  readonly files: readonly string[]
  /** Names of npm packages, without the path inside them. */
  readonly packages: readonly string[]
  /** `node:…`. */
  readonly builtins: readonly string[]
}

/** Everything a module imports; a type counts as much as a value. */
export function importsOf({ path, text }: Source): Imports {
  const specifiers = [...new Set(forms.flatMap((form) => [...text.matchAll(form)].map(([, named = '']) => named)))]
  const isFile = (specifier: string) => specifier.startsWith('.')
  const isBuiltin = (specifier: string) => specifier.startsWith('node:')
  return {
    files: specifiers.filter(isFile).map((specifier) => posix.join(posix.dirname(path), specifier)),
    builtins: specifiers.filter(isBuiltin),
    packages: specifiers.filter((one) => !isFile(one) && !isBuiltin(one)).map(packageOf),
  }
}

const packageOf = (specifier: string) =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')
