import type { KnownShow, WaitingPublish } from '../answers.ts'

/** Archives that are named; the summary has the number of all. */
const MAX_SHOWN = 20

/** An archive that waits to be published, with its title. */
export interface NamedPublish extends WaitingPublish {
  readonly title: string
}

/** Returns the first archives that wait, each named by its recording, if its show is listed. */
export function nameWaiting(
  waiting: readonly WaitingPublish[],
  shows: readonly Pick<KnownShow, 'name' | 'recordings'>[],
): NamedPublish[] {
  return waiting.slice(0, MAX_SHOWN).map((one) => {
    const show = shows.find(({ recordings }) => recordings.some(({ archiveId }) => archiveId === one.archiveId))
    const recording = show?.recordings.find(({ archiveId }) => archiveId === one.archiveId)
    return { ...one, title: recording ? `${show?.name}: ${recording.name}` : `Archive ${one.archiveId}` }
  })
}
