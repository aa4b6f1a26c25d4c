import { type FollowOptions, followShow } from './follow-show.ts'
import type { ShowSnapshot } from './poll-show.ts'
import { showProgress } from './progress.ts'
import { createShowStream } from './show-stream.ts'

/** The names in a show document by which its progress is shown. The API validates the rest. */
export interface ShowFile {
  readonly recordings: readonly { name: string }[]
  readonly broadcasts?: readonly { name: string }[]
}

/** Follows a show with its participants to the end, and shows its progress on a stream. */
export async function followWithProgress(
  show: ShowFile,
  stream: NodeJS.WriteStream,
  options: FollowOptions,
): Promise<ShowSnapshot> {
  const namesOf = (resources: readonly { name: string }[] = []) => resources.map(({ name }) => name)
  const names = { recordings: namesOf(show.recordings), broadcasts: namesOf(show.broadcasts) }
  const snapshots = createShowStream()
  const shown = showProgress(names, snapshots, { stream, signal: options.signal })
  try {
    return await followShow(options, snapshots)
  } finally {
    await Promise.allSettled([shown])
  }
}
