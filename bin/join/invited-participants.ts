import type { Context } from 'hono'
import { z } from 'zod'
import { ShowrunnerError } from '../../lib/client/showrunner-error.ts'
import { idPattern } from '../../lib/show/document/fields/names.ts'
import type { ShowApi } from '../shows/show-api.ts'

const content = z.object({ showId: z.string().regex(idPattern) })

/** Returns the invitation of a request by the join page; undefined for any other authorization. */
export function invitationOf({ req }: Pick<Context, 'req'>): string | undefined {
  return /^Bearer ([\w-]+\.[\w-]+)$/.exec(req.header('authorization') ?? '')?.[1]
}

/**
 * Returns the id of the show that an invitation leads to now. Before a show is open, it is the one that the invitation names.
 * @throws {@link ShowrunnerError} if the API refuses the invitation, or the show is over
 */
export async function findInvited({ tokens }: Pick<ShowApi, 'tokens'>, invitation: string): Promise<string> {
  try {
    return (await tokens.exchange({ invitation })).showId
  } catch (error) {
    if (!(error instanceof ShowrunnerError) || error.type !== 'show-not-open') throw error
    return namedShowOf(invitation)
  }
}

/** Returns the id of the show or series that an invitation names. Its signature must have been checked. */
export function namedShowOf(invitation: string): string {
  const [text = ''] = invitation.split('.')
  return content.parse(JSON.parse(Buffer.from(text, 'base64url').toString())).showId
}
