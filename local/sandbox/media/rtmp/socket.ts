import { connect, isIP, type Socket } from 'node:net'
import { connect as connectSecurely, getCACertificates } from 'node:tls'
import type { RtmpAddress } from './address.ts'

/**
 * Starts to connect, with TLS for rtmps. The server's certificate must then be for its host, and be signed by an authority
 * that Node trusts (including NODE_EXTRA_CA_CERTS) or one of `authorities`, in PEM. `onConnected` is called when connection
 * and TLS are established.
 */
export function openRtmpSocket(
  { isSecure, host, port }: RtmpAddress,
  authorities: readonly string[],
  onConnected: () => void,
): Socket {
  if (!isSecure) return connect({ host, port, noDelay: true }, onConnected)
  return connectSecurely(
    {
      host,
      port,
      ...(!isIP(host) && { servername: host }),
      ...(authorities.length > 0 && { ca: [...getCACertificates('default'), ...authorities] }),
      rejectUnauthorized: true, // also with NODE_TLS_REJECT_UNAUTHORIZED=0
    },
    onConnected,
  ).setNoDelay(true)
}
