import type { Invitation } from '../../lib/operations/invitations.ts'
import type { Services } from '../../lib/services.ts'
import { joinOrder } from '../../lib/show/document/orders/invitation.ts'
import { ApiProblem } from '../http/problem.ts'
import { type ApiEvent, noShow, ok, readBody } from '../http/request.ts'
import { findOpenShow } from './find-open-show.ts'

/** `POST /public/join`: exchanges an invitation for the token of a participant. The signature is checked before anything is read. */
export async function postJoin(
  event: ApiEvent,
  services: Pick<Services, 'invitations' | 'records' | 'project' | 'clock'>,
) {
  const { invitation: text, data: given } = readBody(event, joinOrder)
  const { showId: invitedTo, epoch, role, data = given, expiresIn, layoutClasses } = await open(text, services)
  const state = await services.records.readState(invitedTo)
  if (!state) throw noShow(invitedTo)
  if (epoch !== (state.invitationEpoch ?? 0))
    throw new ApiProblem('invitation-revoked', 'The invitation was revoked. Ask the host of the show for another one.')
  const { showId, sessionId } = await findOpenShow(state, services)
  const participant = { sessionId, role, expiresIn, layoutClasses, ...(data !== undefined && { data }) }
  const { project } = services
  const [apiKey, token] = await Promise.all([project.apiKey(), project.clientToken(participant)])
  return ok({ showId, apiKey, sessionId, token })
}

/** @throws {@link ApiProblem} for an invitation that is not genuine, or has expired */
async function open(text: string, { invitations }: Pick<Services, 'invitations'>): Promise<Invitation> {
  const opened = await invitations.open(text)
  if (opened === 'not ours')
    throw new ApiProblem('invalid-invitation', 'The invitation is incomplete or was changed. Open the full link.')
  if (opened === 'expired')
    throw new ApiProblem('invitation-expired', 'The invitation has expired. Ask the host of the show for another one.')
  return opened
}
