import { type FollowOptions, followShow } from './follow-show.ts'
import type { ShowSnapshot } from './poll-show.ts'
import { showProgress } from './progress.ts'
import type { ShowAnswer } from './show-api.ts'
import { createShowStream } from './show-stream.ts'

/** The names in a show document by which its progress is shown. The API validates the rest. */
export interface ShowFile {
  readonly recordings: readonly { name: string }[]
  readonly broadcasts?: readonly { name: string }[]
  /** Seconds. */
  readonly audienceWait?: number
}

/** Follows a show with its participants to the end, and shows its progress on a stream. */
export async function followWithProgress(
  show: ShowFile,
  stream: NodeJS.WriteStream,
  options: FollowOptions & { /** Link to the join page. */ readonly joinUrl?: string | undefined },
): Promise<ShowSnapshot> {
  const namesOf = (resources: readonly { name: string }[] = []) => resources.map(({ name }) => name)
  const names = { recordings: namesOf(show.recordings), broadcasts: namesOf(show.broadcasts) }
  const awaiting = (answer: ShowAnswer) => describeWait(answer, show.audienceWait, options.joinUrl)
  const snapshots = createShowStream()
  const shown = showProgress({ ...names, awaiting }, snapshots, { stream, signal: options.signal })
  try {
    return await followShow(options, snapshots)
  } finally {
    await Promise.allSettled([shown])
  }
}

/** Default of a show document. */
const AUDIENCE_WAIT = 900

/**
 * Describes how and until when a first participant can come in.
 * @param seconds that the show waits. @default 900
 * @param joinUrl link to the join page; by default only the API is named
 */
export function describeWait(
  { showId, startedAt, acceptedAt }: Pick<ShowAnswer, 'showId' | 'startedAt' | 'acceptedAt'>,
  seconds: number = AUDIENCE_WAIT,
  joinUrl?: string,
): string {
  const until = new Date(Date.parse(startedAt ?? acceptedAt) + seconds * 1000)
  const time = until.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' })
  const page = joinUrl ? URL.parse(joinUrl) : null
  page?.searchParams.set('show', showId)
  return `waiting until ${time} for a participant: ${page ? `join at ${page.href}, or ` : ''}POST /shows/${showId}/tokens`
}
