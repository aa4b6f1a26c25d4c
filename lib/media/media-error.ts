/** Anything that goes wrong with media: an encoder that does not start or ends badly, a file that is not what it claims. */
export class MediaError extends Error {
  override readonly name = 'MediaError'
}
