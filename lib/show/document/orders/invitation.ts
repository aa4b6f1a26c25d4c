import { z } from 'zod'
import { tokenOrder } from './token.ts'

/** The participant that an invitation admits, as in a token, and the end of the invitation. */
export const invitationOrder = tokenOrder.extend({
  expiresAt: z.iso
    .datetime({ offset: true, error: 'must be a time such as 2026-12-01T19:00:00Z' })
    .optional()
    .describe(
      'When the invitation expires, at most 366 days from now. Default: a day after the planned end; of a recurring show a day after its last day with until, or else 90 days from now.',
    ),
})

/** Characters of an invitation: the longest data in JSON (6 bytes for a control character) and base64url, and the rest. */
const MAX_INVITATION = 12_288

/** An invitation that is exchanged for a token. */
export const joinOrder = z.strictObject({
  invitation: z.string().min(1).max(MAX_INVITATION).describe('The invitation.'),
  data: tokenOrder.shape.data.describe(
    'Data about the participant, such as a name, if the invitation has none. Otherwise it is ignored.',
  ),
})
