/** Milliseconds (the year 2286) from which indexes count down: S3 lists keys in ascending order, so the newest is first. */
const END_OF_INDEX = 1e13

const indexKey = (index: 'shows' | 'recordings', createdAt: number, id: string) =>
  `index/${index}/${String(END_OF_INDEX - createdAt).padStart(13, '0')}-${id}`

/** Names of the file that the platform uploads for an archive, by output mode. Nothing else in the bucket has these names. */
export const archiveFiles = { composed: 'archive.mp4', individual: 'archive.zip' } as const

/** Patterns of the keys to which the platform uploads archives. */
export const archivePatterns = Object.values(archiveFiles).map((file) => `*/${file}`)

/** Every key in the bucket. The platform writes to `<project key>/<archive id>/`, Showrunner to all other prefixes. */
export const keys = {
  request: (showId: string) => `shows/${showId}/request.json`,
  /** The show document after an edit, by the start of its SHA-256. */
  edit: (showId: string, edit: string) => `shows/${showId}/edits/${edit}.json`,
  state: (showId: string) => `shows/${showId}/state.json`,
  result: (showId: string) => `shows/${showId}/result.json`,
  /** The attempts to deliver an owner event to the callback of a show. */
  delivery: (showId: string, deliveryId: string) => `shows/${showId}/deliveries/${deliveryId}.json`,
  archive: (projectKey: string, archiveId: string, outputMode = 'composed') =>
    `${projectKey}/${archiveId}/${archiveFiles[outputMode === 'individual' ? 'individual' : 'composed']}`,
  /** The object that a new upload key is tested with, beside the archives: no archive can have this id. */
  uploadProbe: (projectKey: string) => `${projectKey}/upload_key_probe/${archiveFiles.composed}`,
  usage: (showId: string) => `shows/${showId}/usage.json`,
  quality: (showId: string) => `shows/${showId}/quality.json`,
  dayUsage: (date: string) => `usage/${date}.json`,
  /** The record that a platform callback was handled, by the SHA-256 of its body. */
  platformCallback: (sha256: string) => `callbacks/${sha256}`,
  /** The prefix of everything that is made from an archive. */
  recording: (archiveId: string) => `recordings/${archiveId}/`,
  manifest: (archiveId: string) => `recordings/${archiveId}/manifest.json`,
  /** A file of one format. Another source or recipe makes another edition beside it. */
  published: (archiveId: string, format: string, edition: string, file: string) =>
    `recordings/${archiveId}/${format}/${edition}/${file}`,
  /** The prefix of the clips of a recording, which are deleted and restored with it, or of a broadcast. */
  clips: (archiveId: string) => `recordings/${archiveId}/clips/`,
  clip: (archiveId: string, clipId: string) => `recordings/${archiveId}/clips/${clipId}/clip.json`,
  deletion: (archiveId: string) => `deletions/${archiveId}.json`,
  /** Sorts by the time of purging, earliest first. */
  deletionIndex: (purgeAt: number, archiveId: string) =>
    `index/deletions/${String(purgeAt).padStart(13, '0')}-${archiveId}`,
  showIndex: (createdAt: number, showId: string) => indexKey('shows', createdAt, showId),
  unfinished: (showId: string) => `index/unfinished/${showId}`,
  rotationLock: 'rotation-lock.json',
  observation: 'observation.json',
  rateLimit: 'rate-limit.json',
  publishQueue: 'publish-queue.json',
  awaitingUsage: (showId: string) => `index/usage/${showId}`,
  recordingIndex: (createdAt: number, archiveId: string) => indexKey('recordings', createdAt, archiveId),
} as const

export const indexPrefixes = {
  shows: 'index/shows/',
  recordings: 'index/recordings/',
  unfinished: 'index/unfinished/',
  usage: 'index/usage/',
  deletions: 'index/deletions/',
} as const

/** Returns the id at the end of an index key. */
export const idInIndexKey = (key: string) => key.replace(/^index\/[a-z]+\/(\d{13}-)?/, '')

/** Returns project key, archive id and file name of an archive's key; undefined for any other key. */
export function parseArchiveKey(key: string): { projectKey: string; archiveId: string; file: string } | undefined {
  const [, projectKey, archiveId, file = ''] = /^(\d+)\/([0-9A-Za-z-]+)\/([^/]+)$/.exec(key) ?? []
  const isArchive = Object.values<string>(archiveFiles).includes(file)
  return isArchive && projectKey && archiveId ? { projectKey, archiveId, file } : undefined
}
