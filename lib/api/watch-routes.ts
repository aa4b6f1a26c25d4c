import { z } from 'zod'
import { keys } from '../show/state/keys.ts'
import type { Capability } from '../tasks/environment.ts'

/** Lifetime of a link to a file, in seconds. */
export const FILE_LINK_SECONDS = 3_600

/** Lifetime of a link to a watch page, in seconds: long enough to watch twelve hours with a night between. */
export const WATCH_LINK_SECONDS = 86_400

/** Longest lifetime of a link to a recurring show, in seconds: a year. */
export const SERIES_LINK_SECONDS = 366 * 86_400

/** The header that only the distribution in front of watch pages sends. */
export const ORIGIN_HEADER = 'x-showrunner-origin'

/** The routes of the watch page, which need no token: a recording that is not public needs a signed link. */
export const watchRoutes = {
  'GET /watch/show/{id}': 'The page of a show or a series: a countdown, then its live broadcast, then its recordings.',
  'GET /watch/show/{id}/embed': 'The page of a show with nothing but the player, for frames.',
  'GET /watch/show/{id}/state': 'The show as its page shows it, as JSON with an ETag.',
  'GET /watch/{archiveId}': 'The page of a recording, with its title.',
  'GET /watch/{archiveId}/embed': 'The page with nothing but the player, for frames.',
  'GET /watch/{archiveId}/poster': 'Redirects to the poster, for previews of links.',
  'GET /watch/{archiveId}/recording': 'The recording as the page shows it, as JSON.',
  'GET /watch/{archiveId}/playlist': 'A playlist of the recording, with links to the files that it names.',
  'GET /watch/{archiveId}/clips/{clipId}': 'The page of a clip, with its title.',
  'GET /watch/{archiveId}/clips/{clipId}/embed': 'The page of a clip with nothing but the player, for frames.',
  'GET /watch/{archiveId}/clips/{clipId}/recording': 'The clip as its page shows it, as JSON.',
  'GET /watch/{archiveId}/clips/{clipId}/playlist': 'A playlist of the clip, with links to the files of the recording.',
  'GET /assets/{file}': 'Scripts and styles of the page.',
} as const

export type WatchRoute = keyof typeof watchRoutes

const signed = {
  expires: z.coerce.number().int().min(0).optional(),
  /** Number of revocations of the recording's links when this one was created. */
  epoch: z.coerce.number().int().min(0).optional(),
  signature: z.string().max(100).optional(),
}

export const watchQuery = z.object({
  ...signed,
  /** Key of a playlist, relative to the recording's folder. */
  file: z.string().max(200).optional(),
})
export type WatchQuery = z.output<typeof watchQuery>

/** The query that admits a viewer without a token. */
export type WatchCredentials = Readonly<Record<'expires' | 'signature', string> & Partial<Record<'epoch', string>>>

export const credentialsOf = ({
  expires,
  epoch,
  signature,
}: {
  expires: number
  epoch?: number
  signature: string
}) => ({
  expires: String(expires),
  ...(epoch !== undefined && { epoch: String(epoch) }),
  signature,
})

const withCredentials = (path: string, credentials: WatchCredentials | undefined) =>
  `${path}${credentials ? `?${new URLSearchParams(credentials)}` : ''}`

/** Returns the path of a watch page; public recordings need no credentials. */
export const watchPath = (archiveId: string, credentials?: WatchCredentials) =>
  withCredentials(`/watch/${archiveId}`, credentials)

/** Returns the path of a watch page for frames. */
export const embedPath = (archiveId: string, credentials?: WatchCredentials) =>
  withCredentials(`/watch/${archiveId}/embed`, credentials)

/** Returns the path of a redirect to the poster. */
export const posterPath = (archiveId: string, credentials?: WatchCredentials) =>
  withCredentials(`/watch/${archiveId}/poster`, credentials)

/** Returns the subject of the signature of a link to a show, which no archive id equals. */
export const showSubject = (showId: string) => `show/${showId}`

/** Returns the path of the page of a show, or of its player for frames. */
export const showPath = (showId: string, credentials?: WatchCredentials, { isEmbed = false } = {}) =>
  withCredentials(`/watch/show/${showId}${isEmbed ? '/embed' : ''}`, credentials)

/** Returns the path of the page of a clip, or of its player for frames. */
export const clipPath = (archiveId: string, clipId: string, credentials?: WatchCredentials, { isEmbed = false } = {}) =>
  withCredentials(`/watch/${archiveId}/clips/${clipId}${isEmbed ? '/embed' : ''}`, credentials)

/** Returns the path of a playlist of a clip. @param key of the playlist of the recording */
export const clipPlaylistPath = (archiveId: string, clipId: string, key: string, credentials?: WatchCredentials) =>
  `/watch/${archiveId}/clips/${clipId}/playlist?${new URLSearchParams({ file: key.slice(keys.recording(archiveId).length), ...credentials })}`

/** Returns the path of a playlist in which every reference is a link. */
export const playlistPath = (archiveId: string, key: string, credentials?: WatchCredentials) =>
  `/watch/${archiveId}/playlist?${new URLSearchParams({ file: key.slice(keys.recording(archiveId).length), ...credentials })}`

/** Capabilities, timeout in seconds and memory in megabytes of the watch page's function. */
export const watchFunction = {
  capabilities: [
    'archives',
    'archiveVersions',
    'madeFiles',
    'showRequests',
    'showStates',
    'watchLinks',
    'watchOrigin',
    'watchPage',
  ] as const satisfies readonly Capability[],
  timeout: 29,
  memory: 512,
} as const
