import { setTimeout as sleep } from 'node:timers/promises'
import { times } from '../figures.ts'
import { cpuSeconds } from '../media/cpu.ts'
import { memoryOfAll } from '../publish/memory.ts'
import { startSubprocess } from '../subprocess.ts'
import type { MediaServer } from './door.ts'
import type { PublisherAnswer, PublisherOptions } from './publisher-process.ts'
import type { SubscriberOptions, SubscriberQuestion, SubscriberReport } from './subscriber-process.ts'

export interface Load {
  readonly publishers: number
  /** Subscribers of each publisher. */
  readonly subscribers: number
  /** Number of subscribers that join and leave in sequence under this load. */
  readonly joins: number
  /** Duration of the measurement. */
  readonly seconds: number
}

export interface LoadFigures {
  readonly cores: number
  /** Bytes. */
  readonly memory: number
  readonly latency: SubscriberReport['latency']
  /** Share of the packets that did not arrive. */
  readonly lost: number
  /** Pictures per second that each publisher has sent. */
  readonly sentRate: number
  /** Seconds from an offer to the first decoded picture. */
  readonly joins: readonly number[]
}

/** Seconds of load before the measurement, in which code is compiled. */
const WARM_UP = 5

export async function measureLoad({
  server,
  load,
  ffmpegPath,
  pictures,
  signal,
}: {
  readonly server: MediaServer
  readonly load: Load
  readonly ffmpegPath: string
  /** Path of the encoded pictures. */
  readonly pictures: string
  readonly signal: AbortSignal
}): Promise<LoadFigures> {
  const { publishers, subscribers, joins, seconds } = load
  const door = await server.openDoor()
  await using programs = new AsyncDisposableStack()
  const start = async (file: string, options: PublisherOptions | SubscriberOptions) =>
    programs.use(await startSubprocess(new URL(file, import.meta.url), options, signal))
  const publishing = await start('./publisher-process.ts', { door, publishers, pictures })
  const streams = await server.untilPublished(door, publishers)
  const subscribing = await start('./subscriber-process.ts', { door, ffmpegPath })
  const ask = <Answer>(question: SubscriberQuestion) => subscribing.ask<Answer>(question)
  const everyStream = Array.from({ length: subscribers }, () => streams).flat()
  await ask({ subscribe: everyStream })
  await sleep(WARM_UP * 1000, undefined, { signal })

  await ask({ report: true })
  await publishing.ask({})
  const before = { cpu: cpuSeconds(server.pid), at: performance.now() }
  await sleep(seconds * 1000, undefined, { signal })
  const cores = (cpuSeconds(server.pid) - before.cpu) / ((performance.now() - before.at) / 1000)
  const { latency, packets, lost } = await ask<SubscriberReport>({ report: true })
  const sent = await publishing.ask<PublisherAnswer>({})
  const joinTimes = await times(joins, async (index) => {
    const stream = streams[index % streams.length] ?? ''
    return (await ask<{ seconds: number }>({ join: stream })).seconds
  })
  return {
    ...{ cores, latency, joins: joinTimes, memory: memoryOfAll(server.pid) },
    lost: lost / Math.max(1, packets + lost),
    sentRate: sent.pictures / sent.seconds / publishers,
  }
}
