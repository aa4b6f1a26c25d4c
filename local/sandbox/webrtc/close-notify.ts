import { setImmediate } from 'node:timers/promises'
import type { RTCDtlsTransport } from 'werift'

/** Type of an alert record, the version of DTLS 1.2 (RFC 6347, 4.1), and a warning that is a close_notify (RFC 5246, 7.2). */
const ALERT = 21
const DTLS_1_2 = 0xfefd
const CLOSE_NOTIFY = Buffer.from([1, 0])

/**
 * Sends the alert by which the other side notices at once that the connection is closed. werift closes without one.
 * Resolves when it is sent, or need not be.
 */
export async function sendCloseNotify({ dtls, state, iceTransport }: RTCDtlsTransport): Promise<void> {
  if (state !== 'connected' || !dtls) return
  const { epoch } = dtls.dtls
  const sequenceNumber = ++dtls.dtls.recordSequenceNumber
  const header = { type: ALERT, version: DTLS_1_2, epoch, sequenceNumber }
  const sealed = dtls.cipher.cipher.encrypt(dtls.sessionType, CLOSE_NOTIFY, header)
  const record = Buffer.alloc(13)
  record.writeUInt8(ALERT)
  record.writeUInt16BE(DTLS_1_2, 1)
  record.writeUInt16BE(epoch, 3)
  record.writeUIntBE(sequenceNumber, 5, 6)
  record.writeUInt16BE(sealed.length, 11)
  await iceTransport.connection.send(Buffer.concat([record, sealed]))
  await setImmediate() // the socket sends after this turn of the event loop, unless it is closed first
}
