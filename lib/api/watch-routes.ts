import { z } from 'zod'
import { keys } from '../show/state/keys.ts'
import type { Capability } from '../tasks/environment.ts'

/** Seconds for which a link to one file works; whoever still needs the file then asks for another. */
export const FILE_LINK_SECONDS = 3_600

/** Seconds for which a link to the watch page of a recording works: somebody may watch twelve hours, with a night between. */
export const WATCH_LINK_SECONDS = 86_400

/** The header by which a request is known to come through the distribution in front of watch pages. */
export const ORIGIN_HEADER = 'x-showrunner-origin'

/** What the watch page asks for. All of it is open to anybody: a recording that is not public needs a signed link. */
export const watchRoutes = {
  'GET /watch/{archiveId}': 'The page, which is the same for every recording.',
  'GET /watch/{archiveId}/recording': 'What the page shows of a recording, as JSON.',
  'GET /watch/{archiveId}/playlist': 'A playlist of the recording, with links to all that it names.',
  'GET /assets/{file}': 'Scripts and styles of the page.',
} as const

export type WatchRoute = keyof typeof watchRoutes

/** What the signature of a link is made of. */
const signed = {
  expires: z.coerce.number().int().min(0).optional(),
  /** How often the recording's links had been revoked when this one was given. */
  epoch: z.coerce.number().int().min(0).optional(),
  signature: z.string().max(100).optional(),
}

/** The query of a watch page's requests. */
export const watchQuery = z.object({
  ...signed,
  /** Of a playlist: its key within the recording's folder. */
  file: z.string().max(200).optional(),
})
export type WatchQuery = z.output<typeof watchQuery>

/** How somebody is let in who has no token. */
export type WatchCredentials = Readonly<Record<'expires' | 'signature', string> & Partial<Record<'epoch', string>>>

/** The query of a link, in the order in which it is written. */
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

/** Of the watch page; public recordings need no credentials. */
export const watchPath = (archiveId: string, credentials?: WatchCredentials) =>
  `/watch/${archiveId}${credentials ? `?${new URLSearchParams(credentials)}` : ''}`

/** Of a playlist that was published of a recording, in which every reference becomes a link. */
export const playlistPath = (archiveId: string, key: string, credentials?: WatchCredentials) =>
  `/watch/${archiveId}/playlist?${new URLSearchParams({ file: key.slice(keys.recording(archiveId).length), ...credentials })}`

/** What the function behind the page may reach; seconds and megabytes it may use. */
export const watchFunction = {
  capabilities: [
    'archives',
    'archiveVersions',
    'madeFiles',
    'watchLinks',
    'watchOrigin',
    'watchPage',
  ] as const satisfies readonly Capability[],
  timeout: 29,
  memory: 512,
} as const
