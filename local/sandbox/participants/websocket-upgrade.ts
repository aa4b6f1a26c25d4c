import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer } from 'ws'
import type { Hosts } from '../http/hosts.ts'
import { Refusal } from '../http/refusal.ts'
import { MAX_MESSAGE_LENGTH, PROTOCOL } from './messages.ts'
import type { Participants } from './participants.ts'

/** Returns true for a request to upgrade to a WebSocket. Other upgrades (Java's client offers h2c) are ignored, and answered. */
export const isWebSocket = ({ method, headers }: IncomingMessage) =>
  method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket'

/** Accepts participants by `GET /sandbox/sessions/{session_id}/participants` as a WebSocket. */
export function serveParticipants(server: Server, participants: Participants, hosts: Hosts): void {
  const webSockets = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_MESSAGE_LENGTH,
    clientTracking: false, // participants.ts tracks them
    handleProtocols: () => PROTOCOL,
  })
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => {}) // the client is gone
    try {
      const sessionId = sessionIdOf(request, hosts)
      webSockets.handleUpgrade(request, socket, head, (webSocket) => participants.accept(sessionId, webSocket))
    } catch (error) {
      refuse(socket, error)
    }
  })
}

/** @throws {@link Refusal} for a request of another machine or page, another path, or another subprotocol */
function sessionIdOf({ url = '', headers }: IncomingMessage, hosts: Hosts): string {
  hosts.refuseElsewhere(headers.host ?? '')
  if (headers.origin !== undefined && !hosts.includes(headers.origin))
    throw new Refusal(403, 'Participants join from pages of this machine only.')
  const [path = ''] = url.split('?')
  const sessionId = /^\/sandbox\/sessions\/([^/]+)\/participants$/.exec(path)?.[1]
  if (sessionId === undefined) throw new Refusal(404, 'No WebSocket has this path.')
  const offered = headers['sec-websocket-protocol']?.split(',').map((name) => name.trim())
  if (offered && !offered.includes(PROTOCOL)) throw new Refusal(400, `The subprotocol must be ${PROTOCOL}.`)
  return sessionId
}

function refuse(socket: Duplex, error: unknown): void {
  const { status, code, message } = error instanceof Refusal ? error : new Refusal(500, 'The sandbox failed.')
  const body = JSON.stringify({ code, message })
  const head = [
    `HTTP/1.1 ${status} Refused`,
    'Connection: close',
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}
