import { MediaError } from './media-error.ts'

/** Twice the maximum length of an archive, pauses included. */
const MAX_HOURS = 24

/**
 * Refuses media whose damaged timestamps claim years, which would be divided into pieces or filled with silence.
 * @throws {@link MediaError} for more than 24 h
 */
export function requireRecordingLength(what: string, seconds: number): void {
  if (seconds <= MAX_HOURS * 3600) return
  const hours = Math.round(seconds / 3600)
  throw new MediaError(`${what} lasts ${hours} h by its timestamps: up to ${MAX_HOURS} h are published.`)
}
