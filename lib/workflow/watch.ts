import { z } from 'zod'
import type { Need } from './environment.ts'
import { keys } from './keys.ts'

/** Seconds for which a link to one file works; whoever still needs the file then asks for another. */
export const FILE_LINK_SECONDS = 3_600

/** Seconds for which a link to the watch page of a recording works: somebody may watch twelve hours, with a night between. */
export const WATCH_LINK_SECONDS = 86_400

/** What the watch page asks for. All of it is open to anybody: a recording that is not public needs a signed link. */
export const watchRoutes = {
  'GET /watch/{archiveId}': 'The page, which is the same for every recording.',
  'GET /watch/{archiveId}/recording': 'What the page shows of a recording, as JSON.',
  'GET /watch/{archiveId}/playlist': 'A playlist of the recording, with links to all that it names.',
  'GET /assets/{file}': 'Scripts and styles of the page.',
} as const

export type WatchRoute = keyof typeof watchRoutes

/** What the signature of a link is made of. */
const signed = { expires: z.coerce.number().int().min(0).optional(), signature: z.string().max(100).optional() }

/** The query of a watch page's requests. */
export const watchQuery = z.object({
  ...signed,
  /** Of a playlist: its key within the recording's folder. */
  file: z.string().max(200).optional(),
})
export type WatchQuery = z.output<typeof watchQuery>

/** How somebody is let in who has no token. */
export type WatchCredentials = Readonly<Record<'expires' | 'signature', string>>

/** Of the watch page; public recordings need no credentials. */
export const watchPath = (archiveId: string, credentials?: WatchCredentials) =>
  `/watch/${archiveId}${credentials ? `?${new URLSearchParams(credentials)}` : ''}`

/** Of a playlist that was published of a recording, in which every reference becomes a link. */
export const playlistPath = (archiveId: string, key: string, credentials?: WatchCredentials) =>
  `/watch/${archiveId}/playlist?${new URLSearchParams({ file: key.slice(keys.recording(archiveId).length), ...credentials })}`

/** What the page shows of a recording; links end after FILE_LINK_SECONDS. */
export const watchedRecording = z.object({
  archiveId: z.string(),
  /** Of the show's recording that it is a part of. */
  name: z.string().nullable(),
  createdAt: z.string(),
  status: z.string(),
  /** What a person should know. */
  message: z.string().nullable(),
  /** Seconds. */
  duration: z.number().nullable(),
  hasVideo: z.boolean(),
  /** A path; null where no playlist was made. */
  playlist: z.string().nullable(),
  /** The file as a whole, for who wants to keep it or cannot play the playlist. */
  download: z.string(),
  poster: z.string().nullable(),
  audio: z.string().nullable(),
  /** WebVTT, whose cues name sprites by their file names. */
  thumbnails: z.object({ cues: z.string(), sprites: z.record(z.string(), z.string()) }).nullable(),
  chapters: z.string().nullable(),
  captions: z.array(z.object({ language: z.string(), url: z.string() })),
})
export type WatchedRecording = z.output<typeof watchedRecording>

/** What the function behind the page may reach; seconds and megabytes it may use. */
export const watchFunction = {
  needs: ['archives', 'madeFiles', 'watchLinks'] as const satisfies readonly Need[],
  timeout: 29,
  memory: 512,
} as const
