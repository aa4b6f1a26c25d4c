import { handler as startShow } from '../../../lambdas/show/start-show.ts'
import type { ShowDocument } from '../../../lib/show/document/show.ts'
import type { ShowState } from '../../../lib/show/state/state.ts'
import { invoke, type World, webinar } from '../../support/world.ts'
import { call } from '../api/call.ts'

/** What an answer that refuses a request has. */
export const refusal = (status: number, code: string) => ({ status, body: { code } })

/** Creates the requests of an app that invites, and of a participant who joins. @param world returns the world of the running test */
export function createJoining(world: () => World) {
  const invite = (body: object = {}, showId = 'a-show') =>
    call(world(), `POST /shows/${showId}/invitations`, { body: { role: 'publisher', ...body } })
  return {
    invite,
    invitationTo: async (showId = 'a-show', body: object = {}): Promise<string> =>
      (await invite(body, showId)).body.invitation,
    join: (invitation: string, more: object = {}) =>
      call(world(), 'POST /public/join', { body: { invitation, ...more } }),
    /** Schedules a show, and returns its id. */
    async schedule(start: ShowDocument['start']): Promise<string> {
      const { body } = await call(world(), 'POST /shows', { body: { ...webinar, start } })
      return body.showId
    },
    change: (changes: Partial<ShowState>, showId = 'a-show') =>
      world().services.records.updateState(showId, (state) => ({ ...state, ...changes })),
    /** Starts a scheduled show, as its schedule does. */
    start: (scheduleId: string, scheduledAt: string) =>
      invoke(startShow, world().services, { scheduleId, scheduledAt }),
  }
}
