import { type OwnerEvent, ownerEvent } from '../../lib/events/owner-events.ts'
import { labelOf } from './outcome.ts'
import type { ShowApi } from './show-api.ts'

/**
 * Formats an owner event for the terminal of `npm start`, with the link to the watch page of a published recording.
 * Returns undefined for another event.
 */
export async function ownerEventLine(
  detail: unknown,
  { recordings }: Pick<ShowApi, 'recordings'>,
): Promise<string | undefined> {
  const { data: event } = ownerEvent.safeParse(detail)
  if (!event) return undefined
  const about = event.showId ? `Show ${event.showId}` : `Archive ${event.archiveId}`
  return `${about}: ${event.event === 'recording.published' ? await publication(event, recordings) : describe(event)}`
}

function describe(event: OwnerEvent): string {
  const { reason = '', hls, status } = event
  const why = reason && `: ${reason}`
  const name = labelOf(event)
  switch (event.event) {
    case 'session.opened':
      return 'its session is open'
    case 'recording.started':
      return `the recording ${name} runs`
    case 'recording.paused':
      return `the recording ${name} is paused`
    case 'recording.resumed':
      return `the recording ${name} has resumed`
    case 'broadcast.live':
      return `the broadcast ${name} is on air${hls ? `: ${hls}` : ''}`
    case 'secret.invalid':
      return `the secret of ${event.name} cannot be used${why}`
    case 'output.failed':
      return `the output ${event.output} of ${name} is off the air${why}`
    case 'output.recovered':
      return `the output ${event.output} of ${name} is on the air again`
    case 'show.ended':
      return `${status}${why}`
    default:
      return `${event.event} ${name}${why}`
  }
}

async function publication(event: OwnerEvent, recordings: ShowApi['recordings']): Promise<string> {
  const name = labelOf(event)
  if (event.status === 'failed')
    return `the recording ${name} is not published: ${event.reason ?? 'no reason was given'}`
  const { watch } = await recordings.get(event.archiveId ?? '')
  return event.status === 'ready'
    ? `the recording ${name} can be watched, and other files follow: ${watch.url}`
    : `the recording ${name} is published: ${watch.url}`
}
