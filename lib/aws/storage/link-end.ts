/**
 * Seconds that a link surely works if it is signed with temporary credentials of unknown expiry, such as those in a function's
 * environment. Lambda documents no duration, but an invocation of 15 minutes has to end with the credentials it began with.
 */
const PROMISED_SECONDS = 900

/**
 * Returns the earliest time at which a link stops working, in milliseconds since the epoch. A link also expires with the
 * temporary credentials that signed it.
 * @param asked seconds for which the link is signed
 */
export function linkEnd(
  { expiration, sessionToken }: { readonly expiration?: Date; readonly sessionToken?: string },
  { asked, now }: { readonly asked: number; readonly now: number },
): number {
  if (expiration) return Math.min(now + asked * 1000, expiration.getTime())
  return now + (sessionToken ? Math.min(asked, PROMISED_SECONDS) : asked) * 1000
}
