import { z } from 'zod'
import type { Clock } from '../clock.ts'
import { invitationOrder } from '../show/document/orders/invitation.ts'

/** Separates the signature of an invitation from that of every other text which the same secret signs. */
const PURPOSE = 'invitation'

const invitation = invitationOrder.omit({ expiresAt: true }).extend({
  version: z.literal(1),
  /** A show, or a recurring show whose occurrences the invitation is for. */
  showId: z.string(),
  /** Number of revocations of the show's invitations when it was issued. */
  epoch: z.int(),
  /** Seconds since 1970. */
  expires: z.int(),
})
/** The participant and the show that an invitation names. */
export type Invitation = Omit<z.output<typeof invitation>, 'version'>

export type Invitations = ReturnType<typeof createInvitations>

/** Signs texts with a secret that only functions read. */
interface Signer {
  sign(purpose: string, text: string): Promise<string>
  matches(purpose: string, text: string, signature: string): Promise<boolean>
}

/** Creates invitations. They are not stored: each has its content and a signature. */
export function createInvitations({ sign, matches }: Signer, { now }: Pick<Clock, 'now'>) {
  return {
    async issue(issued: Invitation): Promise<string> {
      const content = Buffer.from(JSON.stringify({ version: 1, ...issued })).toString('base64url')
      return `${content}.${await sign(PURPOSE, content)}`
    },
    /** Checks signature and expiry. The epoch of the show decides whether the invitation was revoked. */
    async open(text: string): Promise<Invitation | 'not ours' | 'expired'> {
      const [content = '', signature = '', ...others] = text.split('.')
      if (others.length > 0 || !(await matches(PURPOSE, content, signature))) return 'not ours'
      const { version: _, ...opened } = invitation.parse(JSON.parse(Buffer.from(content, 'base64url').toString()))
      return now() / 1000 < opened.expires ? opened : 'expired'
    },
  }
}
