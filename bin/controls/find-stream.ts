import type { SessionStreams } from '../../lib/client/documents.ts'
import { columns, oneLine } from '../operations/terminal-text.ts'

type SessionStream = SessionStreams['items'][number]

/** Formats the streams of a session as a table. */
export function streamTable(streams: readonly SessionStream[]): string[] {
  if (streams.length === 0) return ['Nothing is published in the session.']
  const rows = streams.map((stream) => [
    stream.streamId,
    oneLine(labelOf(stream)),
    stream.videoType,
    oneLine(stream.layoutClasses.join(' ')),
    stream.connectionId ?? '',
  ])
  return columns([['STREAM', 'NAME', 'VIDEO', 'LAYOUT CLASSES', 'CONNECTION'], ...rows])
}

const labelOf = ({ name, scene, dialIn }: SessionStream) => {
  if (scene) return `${name} (scene ${scene})`.trim()
  return dialIn ? `${name} (dial-in ${dialIn})`.trim() : name
}

/**
 * Returns the id of the stream that a user names by its id, by the name of its publisher, or by the name of its scene or
 * dial-in. Capital letters do not matter in a name, unless they distinguish two.
 * @throws Error with the candidates if no stream or several have the name
 */
export function findStream(showId: string, streams: readonly SessionStream[], given: string): string {
  const sameName = (one: string) => one.localeCompare(given, undefined, { sensitivity: 'accent' }) === 0
  const namesOf = ({ name, scene, dialIn }: SessionStream) => [name, scene, dialIn].filter((one) => one !== undefined)
  const byId = streams.filter(({ streamId }) => streamId === given)
  const exact = streams.filter((stream) => namesOf(stream).includes(given))
  const found = [byId, exact, streams.filter((stream) => namesOf(stream).some(sameName))].find(
    ({ length }) => length > 0,
  )
  if (found?.length === 1 && found[0]) return found[0].streamId
  if (found)
    throw new Error(
      `${found.length} streams of show ${showId} are named ${given}: ${listOf(found)}. Pass the id of one.`,
    )
  const known = streams.length > 0 ? `Published are ${listOf(streams)}.` : 'Nothing is published in its session.'
  throw new Error(`No stream of show ${showId} has the id or the name ${given}. ${known}`)
}

const listOf = (streams: readonly SessionStream[]) =>
  streams.map((stream) => `${oneLine(labelOf(stream)) || 'without a name'} (${stream.streamId})`).join(', ')
