import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startSubprocess } from '../subprocess.ts'
import type { HoursAnswer, HoursOptions, HoursQuestion } from './hours-process.ts'

/** Measures the memory of a broadcast of many hours, which is packaged as fast as possible in its own process. */
export async function measureHours(question: HoursQuestion, signal: AbortSignal): Promise<HoursAnswer> {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'showrunner-bench-'))
  const options: HoursOptions = { directory: folder.path }
  await using program = await startSubprocess(new URL('./hours-process.ts', import.meta.url), options, signal)
  return await program.ask<HoursAnswer>(question)
}
