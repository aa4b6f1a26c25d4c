import { invitationOrder, joinOrder } from '../show/document/orders/invitation.ts'
import type { Capability } from '../tasks/environment.ts'
import { answers } from './answers.ts'
import { nothing } from './queries.ts'

/** The routes of operators who invite participants. */
export const invitationRoutes = {
  'POST /shows/{id}/invitations': {
    operation: 'inviteToShow',
    summary: 'Create an invitation to a show for a participant, also before the show has a session.',
    role: 'operator',
    body: invitationOrder,
    answers: { 200: answers.invitation },
    problems: ['unknown-show', 'wrong-show-state'],
  },
  'DELETE /shows/{id}/invitations': {
    operation: 'revokeInvitations',
    summary:
      'Revoke every invitation to a show, and to the series of an occurrence. Participants who have joined stay.',
    role: 'operator',
    answers: { 200: answers.uninvited },
    problems: ['unknown-show'],
  },
} as const

/** The route at which participants join, which needs no token: the function verifies the signature of the invitation. */
export const joinRoutes = {
  'POST /public/join': {
    operation: 'joinShow',
    summary: 'Exchange an invitation for a client token, while the show has a session.',
    role: 'anybody',
    query: nothing,
    body: joinOrder,
    answers: { 200: answers.joined },
    problems: [
      'invalid-invitation',
      'invitation-expired',
      'invitation-revoked',
      'unknown-show',
      'show-not-open',
      'show-over',
    ],
  },
} as const

export type JoinRoute = keyof typeof joinRoutes

/** Capabilities, timeout in seconds and memory in megabytes of the function that admits participants. */
export const joinFunction = {
  capabilities: ['platform', 'showRequests', 'showStates', 'watchLinks'] as const satisfies readonly Capability[],
  timeout: 29,
  memory: 512,
} as const
