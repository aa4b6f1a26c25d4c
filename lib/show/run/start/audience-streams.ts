import type { Composer, Stream } from '../../../platform/client/answers.ts'
import type { Services } from '../../../services.ts'
import type { ShowRequest } from '../../state/request.ts'
import type { ShowState } from '../../state/state.ts'
import { findComposers } from '../adoption.ts'
import { isGone, onError } from '../platform-errors.ts'

interface Show {
  readonly sessionId: string
  readonly request: ShowRequest
  readonly state: ShowState
}

/**
 * Returns the streams of a session that are not scenes or dial-ins of the show. A scene has a stream once its page is open, so an
 * unknown stream id is read from the platform and noted in the state. The stream of a call whose answer was lost counts as one
 * of a participant.
 */
export async function audienceStreams(
  services: Pick<Services, 'platform' | 'shows'>,
  streams: readonly Stream[],
  show: Show,
): Promise<Stream[]> {
  const { scenes, dialIns } = show.state
  const known = new Set([...scenes, ...dialIns].flatMap(({ streamId }) => streamId ?? []))
  const others = streams.filter(({ id }) => !known.has(id))
  if (others.length === 0 || scenes.every(({ streamId }) => streamId)) return others
  const composers = await readComposers(services, show)
  const theirs = new Set(composers.flatMap(({ streamId }) => streamId ?? []))
  return others.filter(({ id }) => !theirs.has(id))
}

async function readComposers(
  { platform: connect, shows }: Pick<Services, 'platform' | 'shows'>,
  { sessionId, request, state: { scenes } }: Show,
): Promise<Composer[]> {
  const { showId, acceptedAt, show } = request
  const platform = await connect()
  const listed = await findComposers(platform, { sessionId, acceptedAt, urls: show.scenes.map(({ url }) => url) })
  const unlisted = scenes.flatMap(({ composerId: id }) => (id && !listed.some((one) => one.id === id) ? [id] : []))
  const read = await Promise.all(
    unlisted.map((composerId) => platform.getComposer({ composerId }).catch(onError(isGone, undefined))),
  )
  const composers = [...listed, ...read.filter((one) => one !== undefined)]
  await shows.update(showId, (latest) => ({
    ...latest,
    scenes: latest.scenes.map((scene) => {
      const { streamId, status } = composers.find(({ id }) => id === scene.composerId) ?? {}
      return { ...scene, ...(streamId && { streamId }), ...(status && { status }) }
    }),
  }))
  return composers
}
