/** Encrypts or decrypts packets. Undefined is one that is forged, or for which there are no keys yet. */
export interface Cipher {
  rtp(packet: Buffer): Buffer | undefined
  rtcp(packet: Buffer): Buffer | undefined
}

/** Leaves packets as they are. */
export const PLAIN: Cipher = { rtp: (packet) => packet, rtcp: (packet) => packet }

/** Lets no packet pass. */
export const CLOSED: Cipher = { rtp: () => undefined, rtcp: () => undefined }
