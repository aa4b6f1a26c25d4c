import { Refusal } from './refusal.ts'

/** What the platform does and the sandbox does not do yet: asking for it is refused with 400, never ignored. */
const notYet = {
  fileSources: 'participants of source type file',
} as const

export function refuseNotYet(what: keyof typeof notYet): never {
  throw new Refusal(400, `The sandbox does not support ${notYet[what]} yet.`)
}
