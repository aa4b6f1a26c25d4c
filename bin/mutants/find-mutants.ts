import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { mutantsOfDefinition } from '../../local/simulation/mutants/definition-mutants.ts'
import { type Mutant, type Planted, type ReadSource, toMutant } from '../../local/simulation/mutants/mutant.ts'
import { plantedMutants } from '../../local/simulation/mutants/planted/planted.ts'
import { mutantsOfSource } from '../../local/simulation/mutants/source-mutants.ts'
import { createRandom } from '../../local/simulation/scheduling/random.ts'
import { root } from '../local/root.ts'

export interface Choice {
  /** What is chosen from. */
  readonly from: 'generated' | 'planted' | readonly Planted[]
  /** Beginnings of paths. @default every path */
  readonly within: readonly string[]
  /** Number of mutants that are drawn. @default all */
  readonly sample: number | undefined
  /** Decides which ones are drawn. */
  readonly seed: number
}

const SOURCES = ['lib/show', 'lib/publish', 'lib/operations', 'lambdas'].map((folder) => join(folder, '**', '*.ts'))
const DEFINITIONS = 'statemachines/*.json'

/** Returns a function that reads each file once, so that an edit of a file during a run changes nothing. */
export function createReader(): ReadSource {
  const texts = new Map<string, string>()
  return (file) => {
    const text = texts.get(file) ?? readFileSync(join(root, file), 'utf8')
    texts.set(file, text)
    return text
  }
}

/** Returns the chosen mutants and the number of those that they are drawn from. */
export function findMutants(read: ReadSource, choice: Choice): { mutants: Mutant[]; of: number } {
  const { from, within, sample } = choice
  const isWithin = (place: string) => within.length === 0 || within.some((path) => place.startsWith(path))
  const chosen = from === 'generated' ? generated(read, isWithin) : listed(read, from).filter(({ at }) => isWithin(at))
  return { mutants: sample === undefined ? chosen : draw(chosen, sample, choice.seed), of: chosen.length }
}

const listed = (read: ReadSource, from: 'planted' | readonly Planted[]) =>
  from === 'planted' ? plantedMutants(read) : from.map((mistake) => toMutant(mistake, 'listed', read))

function generated(read: ReadSource, isWithin: (file: string) => boolean): Mutant[] {
  const files = (pattern: string | string[]) => globSync(pattern, { cwd: root }).filter(isWithin).toSorted()
  return [
    ...files(SOURCES).flatMap((file) => mutantsOfSource(file, read(file))),
    ...files(DEFINITIONS).flatMap((file) => mutantsOfDefinition(file, read(file))),
  ]
}

/** Draws some mutants without repetition, always the same ones for a seed. */
function draw(mutants: readonly Mutant[], count: number, seed: number): Mutant[] {
  const random = createRandom(seed, 'mutants')
  const left = [...mutants]
  return Array.from({ length: Math.min(count, left.length) }, () =>
    left.splice(Math.floor(random.next() * left.length), 1),
  ).flat()
}
