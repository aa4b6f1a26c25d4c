/** Milliseconds by which Showrunner is ahead of this browser: its clock may be moved in `npm start`. */
let ahead = 0

/** Returns the time of Showrunner in milliseconds since the epoch, by which its answers are compared. */
export const timeNow = (): number => Date.now() + ahead

export const getAhead = (): number => ahead

export function setAhead(ms: number): void {
  ahead = ms
}
