import { createHash } from 'node:crypto'
import type { Evidence } from '../invariants/evidence.ts'

/** Parts of what can be observed of a seed, each as lines. */
const observations = {
  /** Every call, decision and event, in order. */
  trace: ({ trace }) => trace.map(({ line }) => line),
  /** Objects in the bucket by their content, and schedules. */
  documents: ({ objects, schedules }) => [...[...objects].map(([key, { sha256 }]) => `${key} ${sha256}`), ...schedules],
  /** Requests of Showrunner to the event app. */
  callbacks: ({ callbacks }) => linesOf(callbacks),
  /** Answers of the API, watch pages and files. */
  answers: ({ apiRequests, visits }) => [
    ...linesOf(apiRequests),
    ...linesOf(visits.map(({ method, address, at, status, answer }) => ({ method, address, at, status, answer }))),
  ],
  /** Records of the platform. */
  resources: ({ statusChanges, layouts, archives }) => linesOf([...statusChanges, ...layouts, ...archives]),
  /** Deployment and removal of the stack, in the seeds that have them. */
  stack: ({ stackSteps, removalTrace }) => [...linesOf(stackSteps), ...removalTrace.map(({ line }) => line)],
} as const satisfies Readonly<Record<string, (evidence: Evidence) => readonly string[]>>

export type Part = keyof typeof observations
export const parts = Object.keys(observations) as readonly Part[]

/** The outcome of a seed: a digest of each part, empty for a part without lines. */
export type Outcome = Readonly<Record<Part, string>>

/** Hexadecimal digits of a digest: enough for thousands of seeds, and few enough to be read. */
const DIGITS = 12

/** Returns what can be observed of a seed whose world is at rest, as lines. */
export const observationsOf = (evidence: Evidence): Readonly<Record<Part, readonly string[]>> =>
  ofEachPart((part) => observations[part](evidence))

export const outcomeOf = (evidence: Evidence): Outcome => ofEachPart((part) => digestOf(observations[part](evidence)))

/** Returns the parts in which two outcomes differ: all of them if one is missing. */
export const differencesOf = (one: Outcome | undefined, other: Outcome | undefined): readonly Part[] =>
  parts.filter((part) => one?.[part] === undefined || one[part] !== other?.[part])

const ofEachPart = <T>(toValue: (part: Part) => T) =>
  Object.fromEntries(parts.map((part) => [part, toValue(part)])) as Record<Part, T>

const linesOf = (all: Iterable<unknown>) => Array.from(all, (one) => JSON.stringify(one))

const digestOf = (lines: readonly string[]) =>
  lines.length > 0 ? createHash('sha256').update(lines.join('\n')).digest('hex').slice(0, DIGITS) : ''
