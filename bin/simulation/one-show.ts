import type { Show } from '../../lib/show/document/show.ts'
import type { Assembly } from '../../local/cloud/assembly.ts'
import { demoParticipants } from '../../local/simulation/environment/participants.ts'
import { randomSecrets } from '../../local/simulation/generator/secrets.ts'
import { createRandom } from '../../local/simulation/scheduling/random.ts'
import { type Simulation, SimulationError, simulate } from '../../local/simulation/simulate.ts'

export interface OneShowOptions {
  readonly assembly: Assembly
  readonly show: Show
  readonly seed: number
  readonly json: boolean
  readonly trace: boolean
}

/** Simulates one show without faults, with every secret that it refers to, and prints the outcome. */
export async function simulateOneShow({ assembly, show, seed, json, trace }: OneShowOptions): Promise<void> {
  const secrets = randomSecrets(createRandom(seed, 'secrets'), show, { missing: 0 })
  const plan = { participants: demoParticipants, controls: [], appOutages: [], occurrences: 1, secrets }
  try {
    const simulation = await simulate({ assembly, show, seed, plan })
    process.stdout.write(json ? toJson(simulation) : summarize(simulation, trace))
    if (simulation.status !== 'succeeded') process.exitCode = 1
  } catch (error) {
    if (trace && error instanceof SimulationError) process.stderr.write(toText(error.trace))
    throw error
  }
}

const toText = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join('')

/** Omits the wall time, so that a seed always gives the same text. */
function toJson({ seconds: _, ...simulation }: Simulation): string {
  return `${JSON.stringify(simulation, null, 2)}\n`
}

function summarize(simulation: Simulation, withTrace: boolean): string {
  const { seed, status, result, leftOut, virtualSeconds, seconds, trace, traceSha256 } = simulation
  const { calls, transitions, historyEvents } = simulation
  const lines = [
    ...(withTrace ? [...trace, ''] : []),
    `The show ${status}. ${result?.reason ?? 'It has no result.'}`,
    ...(result?.recordings ?? []).map(
      ({ name, status, size, lost }) => `  ${name.padEnd(10)} ${lost ?? `${status}, ${size} bytes in the bucket`}`,
    ),
    ...(result?.broadcasts ?? []).map(({ name, status }) => `  ${name.padEnd(10)} ${status ?? 'was not on air'}`),
    ...Object.entries(leftOut).map(([name, reason]) => `  ${name} was left out: ${reason}.`),
    `${virtualSeconds} s of virtual time in ${seconds.toFixed(2)} s: ${calls} calls, ${transitions} state transitions, ${historyEvents} history events.`,
    `The trace of seed ${seed} has ${trace.length} lines and the SHA-256 ${traceSha256}.`,
  ]
  return toText(lines)
}
