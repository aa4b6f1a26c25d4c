/** Newest first: S3 lists keys in ascending order, so the index counts down from here (milliseconds; the year 2286). */
const END_OF_INDEX = 1e13

const indexKey = (index: 'shows' | 'recordings', createdAt: number, id: string) =>
  `index/${index}/${String(END_OF_INDEX - createdAt).padStart(13, '0')}-${id}`

/** Every key in the bucket. The platform writes to `<project key>/<archive id>/`, everything else is ours. */
export const keys = {
  request: (showId: string) => `shows/${showId}/request.json`,
  state: (showId: string) => `shows/${showId}/state.json`,
  result: (showId: string) => `shows/${showId}/result.json`,
  archive: (projectKey: string, archiveId: string, outputMode = 'composed') =>
    `${projectKey}/${archiveId}/archive.${outputMode === 'individual' ? 'zip' : 'mp4'}`,
  /** What a new upload key is tried with: where archives are put, under a name that none can have. */
  uploadProbe: (projectKey: string) => `${projectKey}/upload_key_probe/archive.mp4`,
  usage: (showId: string) => `shows/${showId}/usage.json`,
  quality: (showId: string) => `shows/${showId}/quality.json`,
  dayUsage: (date: string) => `usage/${date}.json`,
  /** What was received of the platform, by the SHA-256 of its body. */
  platformCallback: (sha256: string) => `callbacks/${sha256}`,
  /** Where everything lies that was made of an archive. */
  recording: (archiveId: string) => `recordings/${archiveId}/`,
  manifest: (archiveId: string) => `recordings/${archiveId}/manifest.json`,
  /** A file of one format; what another source or recipe gives is another edition, and lies beside it. */
  published: (archiveId: string, format: string, edition: string, file: string) =>
    `recordings/${archiveId}/${format}/${edition}/${file}`,
  deletion: (archiveId: string) => `deletions/${archiveId}.json`,
  /** The first to be purged comes first. */
  deletionIndex: (purgeAt: number, archiveId: string) =>
    `index/deletions/${String(purgeAt).padStart(13, '0')}-${archiveId}`,
  showIndex: (createdAt: number, showId: string) => indexKey('shows', createdAt, showId),
  unfinished: (showId: string) => `index/unfinished/${showId}`,
  rotationLock: 'rotation-lock.json',
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

/** The id at the end of an index key. */
export const idInIndexKey = (key: string) => key.replace(/^index\/[a-z]+\/(\d{13}-)?/, '')

/** Project key and archive id of an object the platform wrote, or undefined when the key is not of that form. */
export function parseArchiveKey(key: string): { projectKey: string; archiveId: string; file: string } | undefined {
  const match = /^(\d+)\/([0-9A-Za-z-]+)\/(archive\.(?:mp4|zip))$/.exec(key)
  return match ? { projectKey: match[1] ?? '', archiveId: match[2] ?? '', file: match[3] ?? '' } : undefined
}
