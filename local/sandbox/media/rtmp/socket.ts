import { connect, isIP, type Socket } from 'node:net'
import { connect as connectSecurely, getCACertificates } from 'node:tls'
import type { RtmpAddress } from './address.ts'

/**
 * Begins to connect, with TLS for rtmps: the server's certificate must then be for its host and be signed by an authority
 * that Node trusts (NODE_EXTRA_CA_CERTS adds to them) or that is given here, in PEM. `onConnected` is called when both stand.
 */
export function openSocket(
  { isSecure, host, port }: RtmpAddress,
  authorities: readonly string[],
  onConnected: () => void,
): Socket {
  if (!isSecure) return connect({ host, port, noDelay: true }, onConnected)
  return connectSecurely(
    {
      ...{ host, port },
      ...(!isIP(host) && { servername: host }),
      ...(authorities.length > 0 && { ca: [...getCACertificates('default'), ...authorities] }),
      rejectUnauthorized: true, // whatever the environment says
    },
    onConnected,
  ).setNoDelay(true)
}
