/** Bytes of captions in one language: twelve hours of speech are about a million. */
export const MAX_CAPTIONS_BYTES = 4 * 2 ** 20

/** Languages of a recording's captions. */
export const MAX_CAPTIONS = 50
