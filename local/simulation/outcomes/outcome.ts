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

type Observed = keyof typeof observations

/**
 * Parts that a seed repeats exactly. The others have ids that no seed decides: those of calls and controls in documents and
 * answers, and those of the versions of secrets in stacks.
 */
export const parts = ['trace', 'callbacks', 'resources'] as const satisfies readonly Observed[]
export type Part = (typeof parts)[number]

/** The outcome of a seed: a digest of each part, empty for a part without lines. */
export type Outcome = Readonly<Record<Part, string>>

/** Hexadecimal digits of a digest: enough for thousands of seeds, and few enough to be read. */
const DIGITS = 12

/** Returns what can be observed of a seed whose world is at rest, as lines. */
export const observationsOf = (evidence: Evidence): Readonly<Record<Observed, readonly string[]>> =>
  ofEach(Object.keys(observations) as Observed[], (part) => observations[part](evidence))

export const outcomeOf = (evidence: Evidence): Outcome =>
  ofEach(parts, (part) => digestOf(observations[part](evidence)))

/** Returns the parts in which two outcomes differ: all of them if one is missing. */
export const differencesOf = (one: Outcome | undefined, other: Outcome | undefined): readonly Part[] =>
  parts.filter((part) => one?.[part] === undefined || one[part] !== other?.[part])

const ofEach = <Key extends string, T>(all: readonly Key[], toValue: (key: Key) => T) =>
  Object.fromEntries(all.map((key) => [key, toValue(key)])) as Record<Key, T>

const linesOf = (all: Iterable<unknown>) => Array.from(all, (one) => JSON.stringify(one))

const digestOf = (lines: readonly string[]) =>
  lines.length > 0 ? createHash('sha256').update(lines.join('\n')).digest('hex').slice(0, DIGITS) : ''
