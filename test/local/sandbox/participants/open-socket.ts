import { WebSocket } from 'ws'

interface Heard {
  readonly type: string
}

/** A socket as somebody opens it who does not use the client. */
export async function openSocket(address: string, options: { autoPong?: boolean } = {}) {
  const socket = new WebSocket(address, options)
  const heard: Heard[] = []
  const ears = new Set<(one: Heard) => void>()
  socket.on('message', (data) => {
    const one = JSON.parse(String(data)) as Heard
    heard.push(one)
    for (const listen of ears) listen(one)
  })
  const ended = new Promise<number>((resolve) => socket.on('close', resolve))
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
  return {
    heard,
    /** The code it was closed with. */
    ended,
    hears: (type: string) =>
      new Promise<void>((resolve) => {
        const listen = (one: Heard) => one.type === type && resolve()
        ears.add(listen)
        for (const one of heard) listen(one)
      }),
    say: (message: unknown) =>
      socket.send(typeof message === 'string' || Buffer.isBuffer(message) ? message : JSON.stringify(message)),
    close: () => socket.close(),
    /** Reads nothing any more. */
    pause: () => socket.pause(),
    terminate: () => socket.terminate(),
  }
}
