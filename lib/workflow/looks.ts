/**
 * Seconds until the next look while waiting: a share of the time waited so far, at least 2. Somebody who comes soon is
 * noticed soon, and a wait of a whole day is a few hundred looks, so that no history nears Step Functions' quota.
 * @param waited seconds
 */
export const secondsUntilNextLook = (waited: number, share: number): number => Math.max(2, Math.floor(waited * share))
