/** Direction of the media of a call, as the side that writes the SDP sees it. */
export type MediaDirection = 'sendrecv' | 'sendonly' | 'inactive'

/** The media of one call, which the signalling drives. Offers and answers are SDP. */
export interface CallMedia {
  /** Opens the ports and returns the first offer. */
  offer(): Promise<string>
  /** Applies the answer to the last offer. @throws Error if the answer is not acceptable */
  accept(answerSdp: string): Promise<void>
  /** Returns a further offer, which holds or resumes the call. */
  reoffer(direction: MediaDirection): string
  /** Applies an offer of the peer and returns the answer. @throws Error if the offer is not acceptable */
  answer(offerSdp: string): Promise<string>
  /** Closes the ports. */
  close(): void
}
