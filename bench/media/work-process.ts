import { givenByParent, serveParent } from '../subprocess.ts'
import { type Surroundings, works } from './works.ts'

export type Work = keyof typeof works
export type Given<Name extends Work> = Parameters<(typeof works)[Name]>[0]
export type Done<Name extends Work> = Awaited<ReturnType<(typeof works)[Name]>>

const around = givenByParent<Surroundings>()

serveParent({}, <Name extends Work>({ work, given }: { work: Name; given: Given<Name> }) => {
  const run = works[work] as (given: Given<Name>, around: Surroundings) => Promise<Done<Name>>
  return run(given, around)
})
