/**
 * The naming law: `startRecording` (task) = `start-recording.ts` (file) = `StartRecording` (substitution, CDK id) =
 * "Start recording" (state).
 */
export const names = {
  file: (task: string) => task.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
  substitution: (task: string) => task.charAt(0).toUpperCase() + task.slice(1),
  state: (task: string) => names.substitution(names.file(task)).replaceAll('-', ' '),
} as const

/** Ids of shows; derived from caller and Idempotency-Key where given. */
export const idPattern = /^[0-9a-z-]{1,64}$/

/** Ids of archives, as the platform gives them. */
export const archiveIdPattern = /^[0-9A-Za-z-]{1,64}$/

/** Under which all parts of a recording are published as one; the first part's archive names it. */
export const joinedId = (archiveId: string) => `${archiveId}-joined`
export const isJoinedId = (archiveId: string) => archiveId.endsWith('-joined')

/** What marks an archive or a broadcast as this show's, so that it is found again when an answer was lost. */
export const tagOf = (showId: string, resource: string, part = 1) => `${showId}/${resource}/${part}`

/** What a tag marks, the other way round; undefined for one that tagOf has not made. */
export function partOfTag(tag: string | undefined): { showId: string; name: string; part: number } | undefined {
  const [, showId, name, part] = /^([0-9a-z-]{1,64})\/([0-9A-Za-z_-]+)\/([1-9]\d{0,5})$/.exec(tag ?? '') ?? []
  return showId && name ? { showId, name, part: Number(part) } : undefined
}

/** What the connection of a dial-in carries, so that the platform's callbacks tell whose it is although an answer was lost. */
export const dialInTag = (showId: string, name: string) => `${showId}/dial-ins/${name}`

/** What such a tag marks; undefined for one that dialInTag has not made. */
export function dialInOfTag(tag: string | undefined): { showId: string; name: string } | undefined {
  const [, showId, name] = /^([0-9a-z-]{1,64})\/dial-ins\/([0-9A-Za-z_-]{1,64})$/.exec(tag ?? '') ?? []
  return showId && name ? { showId, name } : undefined
}

/** Whether a tag was given by this show. */
export const isTagOf = (showId: string, tag: string | null | undefined) => tag?.startsWith(`${showId}/`) ?? false

/**
 * The name of the publish execution of one arrival: the same for a duplicated event, another for another upload and for another
 * attempt. A multipart ETag has a dash and a number; all of it fits the 80 characters that Step Functions allows.
 */
export const publishExecutionName = (archiveId: string, etag: string, attempt = 1): string =>
  numbered(`${archiveId}-${etag.replace(/[^0-9A-Za-z-]/g, '')}`, attempt)

function numbered(name: string, attempt: number): string {
  const end = attempt === 1 ? '' : `-r${attempt}`
  return `${name.slice(0, 80 - end.length)}${end}`
}

/** The attempt that follows the one of this name, be it of an arrival or one that somebody asked for. */
export function attemptAfter(name: string): { attempt: number; name: string } {
  const [, first = name, last = '1'] = /^(.+)-r([2-9])$/.exec(name) ?? []
  const attempt = Number(last) + 1
  return { attempt, name: numbered(first, attempt) }
}

/** The name of the publish execution that somebody asks for; it begins as that of an arrival does. */
export const rebuildExecutionName = (archiveId: string, id: string) =>
  `${archiveId}-rebuild-${id.replaceAll('-', '').slice(0, 16)}`.slice(0, 80)

/** The name of the publish execution of a file that was withheld and an operator has accepted. */
export const acceptExecutionName = (archiveId: string, etag: string) => `${archiveId}-accept-${etag.slice(0, 16)}`
