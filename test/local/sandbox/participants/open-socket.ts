import { WebSocket } from 'ws'

interface ReceivedMessage {
  readonly type: string
}

/** Opens a raw socket, without the client. */
export async function openSocket(address: string, options: { autoPong?: boolean } = {}) {
  const socket = new WebSocket(address, options)
  const received: ReceivedMessage[] = []
  const ears = new Set<(one: ReceivedMessage) => void>()
  socket.on('message', (data) => {
    const one = JSON.parse(String(data)) as ReceivedMessage
    received.push(one)
    for (const listen of ears) listen(one)
  })
  const ended = new Promise<number>((resolve) => socket.on('close', resolve))
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
  return {
    received,
    /** The code it was closed with. */
    ended,
    receives: (type: string) =>
      new Promise<void>((resolve) => {
        const listen = (one: ReceivedMessage) => one.type === type && resolve()
        ears.add(listen)
        for (const one of received) listen(one)
      }),
    send: (message: unknown) =>
      socket.send(typeof message === 'string' || Buffer.isBuffer(message) ? message : JSON.stringify(message)),
    close: () => socket.close(),
    /** Reads nothing any more. */
    pause: () => socket.pause(),
    terminate: () => socket.terminate(),
  }
}
