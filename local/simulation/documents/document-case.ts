/** A show document, and the answer of a dry run that its documentation promises. */
export interface DocumentCase {
  /** Description, unique among all cases. */
  readonly what: string
  /** Fields of the base document that differ. An undefined field is left out. */
  readonly change: Change
  /** Role of the caller. @default admin */
  readonly role?: 'operator'
  /** Status of a refusal. @default 400 */
  readonly status?: 403 | 409
  /** Part of the detail of a refusal. @default any detail */
  readonly detail?: string
  /** Messages of a refused document, by path. @default it is accepted */
  readonly problems?: Problems
  /** What the answer has of an accepted document. @default what every forecast has */
  readonly expected?: Expected
}

/** @param now milliseconds since the epoch */
type Change = Fields | ((now: number) => Fields)
type Fields = Readonly<Record<string, unknown>>
export type Problems = Readonly<Record<string, string>> | ((now: number) => Readonly<Record<string, string>>)

export interface Expected {
  /** Fields of the document with its defaults. A list or an object may have more fields, and null stands for none. */
  readonly show?: Fields
  /** Steps with their details: `start: immediately`. */
  readonly steps?: readonly string[]
  /** Words of steps that the forecast does not have. */
  readonly noSteps?: readonly string[]
  readonly nextStart?: string
  /** Amounts and US dollars, by the item of the cost. */
  readonly costs?: Readonly<Record<string, readonly [amount: string, usd: number]>>
  /** US dollars of running and publishing the show, to a thousandth. */
  readonly usd?: number
}

/** The shortest document that is valid. */
const base = { version: 1.1, name: 'Webinar', duration: 600, recordings: [{ name: 'program' }] }

export const accepted = (what: string, change: Change, expected: Expected = {}): DocumentCase => ({
  what,
  change,
  expected,
})

export const refused = (what: string, change: Change, problems: Problems): DocumentCase => ({ what, change, problems })

/** Returns a case of a document whose secrets cannot be used. */
export const unusable = (what: string, change: Change, problems: Problems): DocumentCase => ({
  what,
  change,
  status: 409,
  problems,
})

/** Returns the case of an operator who may not post a document. */
export const forbidden = (what: string, change: Change, detail: string): DocumentCase => ({
  ...{ what, change, status: 403, role: 'operator', problems: {}, detail },
})

/** Returns the document of a case. @param now time of the request, in milliseconds since the epoch */
export const documentOf = ({ change }: DocumentCase, now: number): object => ({
  ...base,
  ...(typeof change === 'function' ? change(now) : change),
})

/** Returns the expected problems of a case. @param now time of the request, in milliseconds since the epoch */
export const problemsOf = ({ problems = {} }: DocumentCase, now: number): Readonly<Record<string, string>> =>
  typeof problems === 'function' ? problems(now) : problems

/** Returns the change to one recording with these fields. */
export const recording = (fields: Fields): Fields => ({ recordings: [{ name: 'program', ...fields }] })

/** Returns the change to one broadcast with these fields. */
export const broadcast = (fields: Fields): Fields => ({ broadcasts: [{ name: 'live', ...fields }] })

/** Returns entries of a list, each made of its number. */
export const times = <Item>(count: number, make: (number: number) => Item): Item[] =>
  Array.from({ length: count }, (_, index) => make(index))
