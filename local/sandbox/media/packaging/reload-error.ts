/** Thrown for a request that is not answered with a playlist: it asks for too much, or was held for too long. */
export class ReloadError extends Error {
  override readonly name = 'ReloadError'
  readonly reason: 'ahead' | 'late'

  constructor(reason: ReloadError['reason']) {
    super(
      reason === 'ahead'
        ? 'The request is more than two segments, or three seconds of parts, ahead of the playlist: ask for the next part.'
        : 'The segment did not appear in time: ask again.',
    )
    this.reason = reason
  }
}
