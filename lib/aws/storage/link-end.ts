/**
 * Seconds that a link is promised for when temporary credentials do not say when they end, as those in a function's environment.
 * Lambda promises no duration. An invocation may take 15 minutes, and has to end with the credentials that it began with.
 */
const PROMISED_SECONDS = 900

/**
 * Returns when a link stops working at the earliest, in milliseconds since the epoch: what temporary credentials have signed
 * ends with them, whatever the link says.
 * @param asked seconds for which the link is signed
 */
export function linkEnd(
  { expiration, sessionToken }: { readonly expiration?: Date; readonly sessionToken?: string },
  { asked, now }: { readonly asked: number; readonly now: number },
): number {
  if (expiration) return Math.min(now + asked * 1000, expiration.getTime())
  return now + (sessionToken ? Math.min(asked, PROMISED_SECONDS) : asked) * 1000
}
