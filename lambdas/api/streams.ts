import type { Stream } from '../../lib/platform/contract/streams.ts'
import { isNotYet, onError } from '../../lib/show/run/platform-errors.ts'
import { isTerminal, type ShowState } from '../../lib/show/state/state.ts'
import { ApiProblem } from '../http/problem.ts'
import { noShow, ok, type Routes, showIdOf } from '../http/request.ts'

export const streamRoutes = {
  /** Lists what is published in the session of a show. The platform answers 404 while nothing is. */
  async 'GET /shows/{id}/streams'(event, { records, platform: connect }) {
    const showId = showIdOf(event)
    const state = await records.readState(showId)
    if (!state) throw noShow(showId)
    const { sessionId, status } = state
    if (!sessionId)
      throw new ApiProblem(
        'wrong-show-state',
        isTerminal(status)
          ? `The show ${showId} is over, and it had no session.`
          : `The show ${showId} has no session yet. Repeat the request once it has started.`,
      )
    const platform = await connect()
    const { items } = await platform.listStreams({ sessionId }).catch(onError(isNotYet, { items: [] }))
    return ok({ items: items.map((stream) => describeStream(stream, state)) })
  },
} satisfies Partial<Routes>

/** A newer platform may have further types of video. */
type ListedStream = Omit<Stream, 'videoType'> & { readonly videoType: string }

/** Returns a stream, with the scene or the dial-in of the show that publishes it. */
function describeStream({ id, name, videoType, layoutClassList }: ListedStream, { scenes, dialIns }: ShowState) {
  const scene = scenes.find(({ streamId }) => streamId === id)
  const dialIn = dialIns.find(({ streamId }) => streamId === id)
  return {
    ...{ streamId: id, name, videoType, layoutClasses: layoutClassList },
    ...(scene && { scene: scene.name }),
    ...(dialIn && { dialIn: dialIn.name, connectionId: dialIn.connectionId }),
  }
}
