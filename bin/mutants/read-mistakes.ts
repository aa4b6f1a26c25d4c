import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { Planted } from '../../local/simulation/mutants/mutant.ts'
import { root } from '../local/root.ts'

/** Mistakes are made in the product, and a path never leads out of it. */
const SOURCE = /^(lib|lambdas)(\/[\w-]+)+\.ts$|^statemachines\/[\w.-]+\.json$/

const text = z.string().min(1)
const source = z
  .string()
  .regex(SOURCE, 'this is not a TypeScript file of lib or lambdas, nor a definition of statemachines')
  .refine((file) => existsSync(join(root, file)), 'there is no such file')
const edit = z.strictObject({ file: source, text, instead: z.string() })
const mistakes = z.array(z.strictObject({ what: text, edits: z.array(edit).min(1) })).min(1)

/**
 * Reads a list of mistakes: `[{ "what", "edits": [{ "file", "text", "instead" }] }]`, in which a file is a source or definition.
 * @throws Error that names the file and the first wrong entry
 */
export function readMistakes(path: string): readonly Planted[] {
  const { data, error } = mistakes.safeParse(parse(path))
  if (data) return data
  const [issue] = error.issues
  throw new Error(`${path}, ${issue?.path.join('.') || 'as a whole'}: ${issue?.message}. --help describes the list.`)
}

function parse(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    throw new Error(`${path} cannot be read as JSON: ${(error as Error).message}. Correct the file, or its path.`)
  }
}
