/** Bytes of captions of one language: twelve hours of speech with a time for every line are about a million. */
export const MAX_CAPTIONS_BYTES = 4 * 2 ** 20

/** Languages in which a recording may have captions. */
export const MAX_CAPTIONS = 50
