import { expect } from 'vitest'
import { parserComplaints } from './independent-parsers.ts'
import { lineRules } from './line-rules.ts'
import { lowLatencyRules } from './low-latency-rules.ts'
import { mediaRules } from './media-rules.ts'
import { multivariantRules } from './multivariant-rules.ts'
import { type Playlist, parsePlaylist } from './parse.ts'
import { presentationRules } from './presentation-rules.ts'
import { blockingRules, reloadRules, resolved } from './reload-rules.ts'
import { breachesOf } from './rule.ts'

const rulesOf = ({ isMultivariant }: Playlist) => [
  ...lineRules,
  ...(isMultivariant ? multivariantRules : [...mediaRules, ...lowLatencyRules]),
]

/** Expects a list of breaches to be empty. A failure names them first, since they are its message. */
const expectNone = (breaches: readonly string[], where: string, text: string) =>
  expect(breaches, `${where}: ${breaches.join('\n')}\n${text}`).toEqual([])

/**
 * Expects a playlist to follow every rule that concerns it alone, and two independent parsers to read it.
 * @param where names the playlist in a failure
 */
export function expectValidPlaylist(text: string, where = 'playlist'): Playlist {
  const playlist = parsePlaylist(text)
  expectNone([...breachesOf(playlist, rulesOf(playlist)), ...parserComplaints(text)], where, text)
  return playlist
}

/** Expects every playlist of a presentation to be valid, and all of them together. @param media by their URIs */
export function expectValidPresentation(multivariant: string, media: ReadonlyMap<string, string>): void {
  const playlists = new Map([...media].map(([uri, text]) => [uri, expectValidPlaylist(text, uri)]))
  const presentation = { multivariant: expectValidPlaylist(multivariant, 'multivariant'), media: playlists }
  expectNone(breachesOf(presentation, presentationRules), 'presentation', multivariant)
}

/** Follows a playlist by its versions. */
export interface Follower {
  /** The newest version, with what delta updates left out. */
  readonly newest: Playlist | undefined
  /**
   * Expects the next version to be valid and to follow from the one before.
   * @param asked what a blocking reload asked for
   */
  add(text: string, asked?: { readonly msn: number; readonly part?: number }): Playlist
}

/** Creates a follower of one media playlist. */
export function followPlaylist(where = 'playlist'): Follower {
  let newest: Playlist | undefined
  return {
    get newest() {
      return newest
    },
    add(text, asked) {
      const version = expectValidPlaylist(text, where)
      const after = newest ? resolved(newest, version) : version
      if (newest) {
        const breaches = breachesOf({ before: newest, after }, reloadRules)
        expectNone(
          breaches,
          where,
          `${newest.text}
${text}`,
        )
      }
      if (asked) expectNone(breachesOf({ ...asked, after }, blockingRules), where, text)
      newest = after
      return after
    },
  }
}
