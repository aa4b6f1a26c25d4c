/**
 * The naming law: `startRecording` (task) = `start-recording.ts` (file) = `StartRecording` (substitution, CDK id) =
 * "Start recording" (state).
 */
export const names = {
  file: (task: string) => task.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
  substitution: (task: string) => task.charAt(0).toUpperCase() + task.slice(1),
  state: (task: string) => names.substitution(names.file(task)).replaceAll('-', ' '),
} as const

/** Ids of shows. With an Idempotency-Key, the id is derived from caller and key. */
export const idPattern = /^[0-9a-z-]{1,64}$/

export const archiveIdPattern = /^[0-9A-Za-z-]{1,64}$/

/** Returns the id under which the parts of a recording are published as one. @param archiveId of the first part */
export const joinedId = (archiveId: string) => `${archiveId}-joined`
export const isJoinedId = (archiveId: string) => archiveId.endsWith('-joined')

/** Returns the tag of an archive or a broadcast, by which it is found again after a lost answer. */
export const tagOf = (showId: string, resource: string, part = 1) => `${showId}/${resource}/${part}`

/** Parses a tag of `tagOf`; undefined for any other text. */
export function partOfTag(tag: string | undefined): { showId: string; name: string; part: number } | undefined {
  const [, showId, name, part] = /^([0-9a-z-]{1,64})\/([0-9A-Za-z_-]+)\/([1-9]\d{0,5})$/.exec(tag ?? '') ?? []
  return showId && name ? { showId, name, part: Number(part) } : undefined
}

/** Returns the connection data of a dial-in, by which the platform's callbacks identify it after a lost answer. */
export const dialInTag = (showId: string, name: string) => `${showId}/dial-ins/${name}`

export const dialInPattern = /^([0-9a-z-]{1,64})\/dial-ins\/([0-9A-Za-z_-]{1,64})$/

/** Parses a tag of `dialInTag`; undefined for any other text. */
export function dialInOfTag(tag: string | undefined): { showId: string; name: string } | undefined {
  const [, showId, name] = dialInPattern.exec(tag ?? '') ?? []
  return showId && name ? { showId, name } : undefined
}

export const isTagOf = (showId: string, tag: string | null | undefined) => tag?.startsWith(`${showId}/`) ?? false

/**
 * Returns the name of the publish execution of an uploaded archive: the same for a duplicate event, another one for another
 * upload or attempt. A name fits the 80 characters that Step Functions allows, also with a multipart ETag (`…-3`).
 */
export const publishExecutionName = (archiveId: string, etag: string, attempt = 1): string =>
  numbered(`${archiveId}-${etag.replace(/[^0-9A-Za-z-]/g, '')}`, attempt)

function numbered(name: string, attempt: number): string {
  const end = attempt === 1 ? '' : `-r${attempt}`
  return `${name.slice(0, 80 - end.length)}${end}`
}

/** Returns the next attempt after the publish execution of this name. */
export function attemptAfter(name: string): { attempt: number; name: string } {
  const [, first = name, last = '1'] = /^(.+)-r([2-9])$/.exec(name) ?? []
  const attempt = Number(last) + 1
  return { attempt, name: numbered(first, attempt) }
}

/** Returns the name of the publish execution of a rebuild. It begins with the archive's id, like every publish execution. */
export const rebuildExecutionName = (archiveId: string, id: string) =>
  `${archiveId}-rebuild-${id.replaceAll('-', '').slice(0, 16)}`.slice(0, 80)

/** Returns the name of the publish execution that cuts a clip. */
export const clipExecutionName = (archiveId: string, clipId: string) => `${archiveId}-clip-${clipId}`

/** Ids of clips. With an Idempotency-Key, the id is derived from caller and key. */
export const clipIdPattern = /^[0-9a-f]{16}$/

/** Returns the name of the publish execution of a withheld file that an operator accepted. */
export const acceptExecutionName = (archiveId: string, etag: string) => `${archiveId}-accept-${etag.slice(0, 16)}`
