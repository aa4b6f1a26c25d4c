import { randomBytes } from 'node:crypto'
import { onTestFinished } from 'vitest'
import type { CallLeg } from '../../../../../local/sandbox/sip/media/call-audio.ts'
import { type CallMediaOptions, createCallMedia } from '../../../../../local/sandbox/sip/media/call-media.ts'
import { joined, toneAt } from '../../../../support/media/tones.ts'

/** Samples of 20 ms. */
export const BLOCK = 960

/** Creates one side of a call, whose blocks the test moves. */
export function openSide(options: Partial<CallMediaOptions> = {}) {
  const digits: string[] = []
  const receiving: boolean[] = []
  let leg: CallLeg | undefined
  const media = createCallMedia({
    address: () => '127.0.0.1',
    secure: false,
    random: randomBytes,
    onDigit: (digit) => digits.push(digit),
    onReceiving: (isReceiving) => receiving.push(isReceiving),
    audio: {
      connect(connected) {
        leg = connected
        return () => {
          leg = undefined
        }
      },
    },
    ...options,
  })
  onTestFinished(media.close)
  return { media, digits, receiving, leg: () => leg as CallLeg }
}
export type Side = ReturnType<typeof openSide>

/** Offers and answers a call. */
export async function connect(caller: Side, callee: Side) {
  await caller.media.accept(await callee.media.answer(await caller.media.offer()))
}
/** Lets the packets that were sent arrive. */
export const arrive = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)))

/** Sends a tone from one side to the other in both directions, and returns what each hears. */
export async function talk(one: Side, other: Side, blocks = 25) {
  const heard: [Int16Array[], Int16Array[]] = [[], []]
  for (let index = 0; index < blocks; index++) {
    for (const [place, [side, hertz]] of (
      [
        [one, 440],
        [other, 1_000],
      ] as const
    ).entries()) {
      heard[place]?.push(side.leg().take() ?? new Int16Array(BLOCK))
      side.leg().send(toneAt(hertz, BLOCK, { start: index * BLOCK }))
    }
    await arrive()
  }
  return heard.map((side) => joined(side.slice(blocks - 10))) as [Int16Array, Int16Array]
}
