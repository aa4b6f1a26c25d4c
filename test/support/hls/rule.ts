import type { Playlist, Tag } from './parse.ts'

/** One rule of draft-pantos-hls-rfc8216bis. */
export interface Rule<Subject = Playlist> {
  /** Section of the draft. */
  readonly section: string
  readonly says: string
  /** Returns what breaks the rule. */
  readonly breaches: (subject: Subject) => readonly string[]
}

/** Returns every breach of rules, with the section of the rule and the rule itself. */
export const breachesOf = <Subject>(subject: Subject, rules: readonly Rule<Subject>[]): string[] =>
  rules.flatMap(({ section, says, breaches }) => breaches(subject).map((breach) => `${section}: ${says}: ${breach}`))

/** Lists the tags of a name. */
export const tagsOf = ({ tags }: Playlist, name: string): readonly Tag[] => tags.filter((tag) => tag.name === name)

/** Returns the first tag of a name. */
export const tagOf = ({ tags }: Playlist, name: string): Tag | undefined => tags.find((tag) => tag.name === name)

/** Returns the number that a tag or its attribute states; `NaN` where it is missing. */
export function numberOf(playlist: Playlist, name: string, attribute?: string): number {
  const tag = tagOf(playlist, name)
  const value = attribute ? tag?.attributes.get(attribute) : tag?.value
  return value === undefined || value === '' ? Number.NaN : Number(value)
}

/** Describes a tag for a breach. */
export const described = ({ name, value, line }: Tag) => `line ${line}, #${name}${value ? `:${value}` : ''}`

/** Describes the tags for which a condition does not hold. */
export const failing = (tags: readonly Tag[], holds: (tag: Tag) => boolean): string[] =>
  tags.filter((tag) => !holds(tag)).map(described)

/** Adds the durations of segments or parts. @returns seconds */
export const secondsOf = (timed: readonly { readonly duration: number }[]): number =>
  timed.reduce((sum, { duration }) => sum + duration, 0)
