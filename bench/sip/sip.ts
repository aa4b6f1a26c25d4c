import { setTimeout as sleep } from 'node:timers/promises'
import { type Bench, createBench, type Goal, measurement } from '../bench.ts'
import { quantile } from '../figures.ts'
import { findJanus } from '../live/janus-server.ts'
import { cpuSeconds } from '../media/cpu.ts'
import { startSubprocess } from '../subprocess.ts'
import { type Bridge, startJanusBridge, startSandboxBridge } from './bridges.ts'
import type { PhonesOptions, PhonesReady, PhonesReport } from './phones-process.ts'

interface SipAmounts {
  /** Phones in one session. */
  readonly phones: number
  readonly seconds: number
  /** Seconds of load before the measurement, in which code is compiled. */
  readonly warmUp: number
}

interface SipFigures {
  readonly cores: number
  readonly p50: number
  readonly p95: number
  readonly packets: number
}

const standard: SipAmounts = { phones: 50, seconds: 20, warmUp: 5 }

/** Measures calls of the sandbox in one session, compared with the audiobridge of Janus under the same load. */
export const createSipBench = (amounts: SipAmounts = standard, find = findJanus): Bench =>
  createBench('phones in one session, compared with Janus (Debian package janus)', async (onStep, signal) => {
    const { phones, seconds } = amounts
    const measure = async (name: string, start: () => Promise<Bridge>) => {
      onStep(`${name}: ${phones} phones`)
      const bridge = await start()
      return measureBridge(bridge, amounts, signal).finally(() => bridge.close())
    }
    const sandbox = await measure('sandbox', () => startSandboxBridge(signal))
    const janus = await find()
    const baseline = janus ? await measure('Janus', () => startJanusBridge(janus, signal)) : undefined
    const to = baseline ? 'to Janus’s' : 'Janus is not installed'
    const row = (work: string, unit: string, figure: (figures: SipFigures) => number, goal?: Goal) =>
      measurement(
        `${phones} phones for ${seconds} s, G.711: ${work}, ${to}`,
        unit,
        figure(sandbox),
        baseline ? figure(baseline) : null,
        goal,
      )
    return [
      row('CPU', 'cores', ({ cores }) => cores, { atMost: 1, of: 'value' }),
      row('latency phone to phone, p50', 'ms', ({ p50 }) => p50),
      row('latency phone to phone, p95', 'ms', ({ p95 }) => p95, { atMost: 80, of: 'value' }),
      row('packets to each phone', '1/s', ({ packets }) => packets),
    ]
  })

async function measureBridge(
  bridge: Bridge,
  { phones, seconds, warmUp }: SipAmounts,
  signal: AbortSignal,
): Promise<SipFigures> {
  const file = new URL('./phones-process.ts', import.meta.url)
  await using program = await startSubprocess<PhonesReady>(file, { phones } satisfies PhonesOptions, signal)
  const sendTo = await bridge.connect(program.ready)
  if (sendTo) await program.ask({ sendTo })
  await sleep(warmUp * 1000, undefined, { signal })
  const before = { cpu: cpuSeconds(bridge.pid), at: performance.now() }
  const { latencies, packets } = await program.ask<PhonesReport>({ seconds })
  const cores = (cpuSeconds(bridge.pid) - before.cpu) / ((performance.now() - before.at) / 1000)
  return { cores, packets, p50: quantile(latencies, 0.5), p95: quantile(latencies, 0.95) }
}
