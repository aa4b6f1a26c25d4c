import type { Services } from '../../services.ts'
import { pausesOf } from '../../show/state/pauses.ts'
import type { TaskInput } from '../../tasks/tasks.ts'
import { endOfPart, type PublishedPart } from './published-parts.ts'

/** Milliseconds by which creation times may be wrong. */
const TOLERANCE = 1_000

/** Returns for each part the seconds for which its recording was paused before it; undefined without a pause. */
export async function findPauses(
  parts: readonly PublishedPart[],
  overlaps: TaskInput<'joinParts'>['overlaps'],
  { records }: Pick<Services, 'records'>,
): Promise<readonly (number | undefined)[]> {
  const show = parts[0]?.manifest.show
  if (!show) return []
  const [request, state] = await Promise.all([records.readRequest(show.showId), records.readState(show.showId)])
  const order = request?.show.recordings.find(({ name }) => name === show.name)
  if (!order || !state) return []
  const pauses = pausesOf(order, state)
  const createdAt = ({ manifest }: PublishedPart) =>
    Date.parse(
      state.recordings.find(({ archiveId }) => archiveId === manifest.archiveId)?.createdAt ?? manifest.createdAt,
    )

  return parts.map((_, index) => {
    const before = parts[index - 1]
    if (!before) return undefined
    const gap = (overlaps[index - 1]?.shift ?? 0) - endOfPart(before)
    const from = createdAt(before) + endOfPart(before) * 1000
    const isPause = pauses.some((pause) => pause.from < from + gap * 1000 + TOLERANCE && pause.to > from - TOLERANCE)
    return gap > 0 && isPause ? gap : undefined
  })
}
