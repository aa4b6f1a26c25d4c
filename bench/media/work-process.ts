import { givenByParent, serveParent } from '../subprocess.ts'
import { type MediaSurroundings, works } from './works.ts'

export type MediaWork = keyof typeof works
export type Given<Name extends MediaWork> = Parameters<(typeof works)[Name]>[0]
export type Done<Name extends MediaWork> = Awaited<ReturnType<(typeof works)[Name]>>

const around = givenByParent<MediaSurroundings>()

serveParent({}, <Name extends MediaWork>({ work, given }: { work: Name; given: Given<Name> }) => {
  const run = works[work] as (given: Given<Name>, around: MediaSurroundings) => Promise<Done<Name>>
  return run(given, around)
})
